#include "bench_report.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "grundy/report/machine_limits.hpp"
#include "grundy/report/statistics.hpp"

namespace grundy::cli {
namespace {

constexpr double kMiB = 1 << 20U;

bool on_gpu(const Measurement& measurement) { return measurement.contestant.starts_with("cuda"); }

bool same_work(const Measurement& a, const Measurement& b) {
  return a.rule == b.rule && a.size == b.size && a.stage == b.stage;
}

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

/// Lines of cells as columns, aligned: the first to the left, the others to the right.
void print_columns(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  for (const auto& line : lines) {
    std::string text = fmt::format("  {:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < line.size(); ++i)
      text += i == 1 && widths[1] > 0 ? fmt::format("  {:<{}}", line[i], widths[i])
                                      : fmt::format("  {:>{}}", line[i], widths[i]);
    fmt::print("{}\n", text);
  }
}

/// Speed-ups of each contestant over each other one on one table.
void print_speedups(const BenchReport& report, const std::vector<const Measurement*>& computed) {
  if (computed.size() < 2) return;
  std::vector<std::vector<std::string>> lines{{"times as fast as", ""}};
  for (const Measurement* other : computed) lines[0].push_back(other->contestant);
  for (const Measurement* one : computed) {
    lines.push_back({one->contestant, ""});
    const auto speedups = derive(report, *one).speedups;
    for (const Measurement* other : computed) {
      const auto found = speedups.find(other->contestant);
      lines.back().push_back(found == speedups.end() ? "" : fmt::format("{:.3g}", found->second));
    }
  }
  print_columns(lines);
}

nlohmann::ordered_json machine_json(const MachineFacts& machine) {
  return {{"host", machine.host},
          {"system", machine.system},
          {"processor", machine.processor},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory_bytes},
          {"gpus", machine.gpus},
          {"gpu_driver", machine.gpu_driver},
          {"compiler", machine.compiler}};
}

nlohmann::ordered_json measurement_json(const BenchReport& report, const Measurement& one) {
  const Derived derived = derive(report, one);
  nlohmann::ordered_json json{{"rule", one.rule},
                              {"size", one.size},
                              {"engine", one.contestant},
                              {"figure", stage_name(one.stage)},
                              {"seconds", one.seconds},
                              {"median_seconds", derived.seconds},
                              {"least_seconds", derived.low},
                              {"most_seconds", derived.high},
                              {"cells", one.cells()},
                              {"cells_per_second", derived.cells_per_second},
                              {"nanoseconds_per_cell", 1e9 / derived.cells_per_second},
                              {"digest", fmt::format("{:016x}", one.digest)},
                              {"engine_bytes", one.needed_bytes},
                              {"peak_bytes", or_null(one.peak_bytes)},
                              {"base_bytes", one.base_bytes},
                              {"bytes_per_cell", or_null(derived.bytes_per_cell)},
                              {"share_of_copy_bandwidth", or_null(derived.copy_share)},
                              {"share_of_critical_path", or_null(derived.path_share)},
                              {"speedup_over", derived.speedups}};
  if (one.stage == Stage::kFile) {
    json["file_bytes"] = one.file_bytes;
    json["file_bytes_per_cell"] = derived.file_bytes_per_cell;
  }
  return json;
}

}  // namespace

Derived derive(const BenchReport& report, const Measurement& measurement) {
  Derived derived;
  const Spread spread = spread_of(measurement.seconds);
  const auto cells = static_cast<double>(measurement.cells());
  derived.seconds = spread.median;
  derived.low = spread.low;
  derived.high = spread.high;
  derived.cells_per_second = cells / spread.median;
  if (measurement.peak_bytes)
    derived.bytes_per_cell =
        static_cast<double>(*measurement.peak_bytes - measurement.base_bytes) / cells;
  derived.file_bytes_per_cell = static_cast<double>(measurement.file_bytes) / cells;
  if (!on_gpu(measurement)) {
    // Its sets are written at least once, each value handed out is written, the file too.
    auto traffic = static_cast<double>(measurement.needed_bytes);
    if (measurement.stage != Stage::kCompute) traffic += sizeof(std::uint32_t) * cells;
    traffic += static_cast<double>(measurement.file_bytes);
    derived.copy_share = traffic / report.copy_bandwidth / spread.median;
    derived.path_share =
        critical_path(measurement.size, measurement.size, report.load_latency) / spread.median;
  } else {
    derived.path_share =
        critical_path(measurement.size, measurement.size, kGpuLoadLatency) / spread.median;
  }
  for (const Measurement& other : report.result.measurements)
    if (same_work(measurement, other) && other.contestant != measurement.contestant)
      derived.speedups[other.contestant] = spread_of(other.seconds).median / spread.median;
  return derived;
}

std::vector<Growth> growths(const BenchmarkResult& result) {
  std::vector<Growth> all;
  std::set<std::tuple<std::string, std::string, Stage>> seen;
  for (const Measurement& first : result.measurements) {
    if (!seen.emplace(first.rule, first.contestant, first.stage).second) continue;
    Growth growth{first.rule, first.contestant, first.stage, {}, 0};
    std::vector<double> seconds;
    for (const Measurement& one : result.measurements) {
      if (one.rule != first.rule || one.contestant != first.contestant || one.stage != first.stage)
        continue;
      growth.sizes.push_back(static_cast<double>(one.size));
      seconds.push_back(spread_of(one.seconds).median);
    }
    if (growth.sizes.size() < 2) continue;
    growth.exponent = growth_exponent(growth.sizes, seconds);
    all.push_back(std::move(growth));
  }
  return all;
}

nlohmann::ordered_json to_json(const BenchReport& report) {
  using Json = nlohmann::ordered_json;
  Json measurements = Json::array();
  for (const Measurement& one : report.result.measurements)
    measurements.push_back(measurement_json(report, one));
  Json growth = Json::array();
  for (const Growth& one : growths(report.result))
    growth.push_back({{"rule", one.rule},
                      {"engine", one.contestant},
                      {"figure", stage_name(one.stage)},
                      {"sizes", one.sizes},
                      {"exponent", one.exponent}});
  Json left_out = Json::array();
  for (const LeftOut& one : report.result.left_out)
    left_out.push_back({{"rule", one.rule},
                        {"size", one.size},
                        {"engine", one.contestant},
                        {"figure", one.what},
                        {"reason", one.reason}});
  return {{"software", report.machine.software},
          {"date", report.machine.date},
          {"machine", machine_json(report.machine)},
          {"limits",
           {{"copy_bytes_per_second", report.copy_bandwidth},
            {"load_latency_seconds", report.load_latency},
            {"gpu_load_latency_seconds", kGpuLoadLatency},
            {"reads_in_a_step", kReadsInAStep}}},
          {"settings",
           {{"repeats", report.plan.repeats},
            {"budget_seconds", report.plan.budget},
            {"longest_seconds", report.plan.longest},
            {"compression", report.plan.codec.name()}}},
          {"measurements", std::move(measurements)},
          {"growth", std::move(growth)},
          {"left_out", std::move(left_out)},
          {"mismatches", report.result.mismatches},
          {"agree", report.result.mismatches.empty()}};
}

void print_text(const BenchReport& report) {
  const MachineFacts& machine = report.machine;
  fmt::print("{}, {}, {}\n", machine.software, machine.compiler, machine.date);
  fmt::print("{}: {}, {} cores, {:.1f} GiB, {}\n", machine.host, machine.processor, machine.cores,
             static_cast<double>(machine.memory_bytes) / kMiB / 1024, machine.system);
  for (const std::string& gpu : machine.gpus) fmt::print("GPU: {}\n", gpu);
  if (!machine.gpu_driver.empty()) fmt::print("{}\n", machine.gpu_driver);
  fmt::print("copying {:.1f} GB/s, read and written; {:.1f} ns from one read to the next\n",
             report.copy_bandwidth / 1e9, report.load_latency * 1e9);

  const auto& all = report.result.measurements;
  for (std::size_t i = 0; i < all.size();) {
    const Measurement& first = all[i];
    fmt::print("\n{}, {} x {}, digest {:016x}\n", first.rule, first.size, first.size, first.digest);
    std::vector<std::vector<std::string>> lines{{"engine", "figure", "runs", "median s", "least",
                                                 "most", "Mcells/s", "peak MiB", "bytes/cell",
                                                 "file B/cell", "of copying", "of path"}};
    std::vector<const Measurement*> computed;
    for (; i < all.size() && all[i].rule == first.rule && all[i].size == first.size; ++i) {
      const Measurement& one = all[i];
      const Derived derived = derive(report, one);
      if (one.stage == report.plan.figures.front().stage) computed.push_back(&one);
      lines.push_back(
          {one.contestant, std::string(stage_name(one.stage)), std::to_string(one.seconds.size()),
           fmt::format("{:.4g}", derived.seconds), fmt::format("{:.4g}", derived.low),
           fmt::format("{:.4g}", derived.high),
           fmt::format("{:.4g}", derived.cells_per_second / 1e6),
           one.peak_bytes ? fmt::format("{:.1f}", static_cast<double>(*one.peak_bytes) / kMiB)
                          : "-",
           derived.bytes_per_cell ? fmt::format("{:.3g}", *derived.bytes_per_cell) : "-",
           one.file_bytes != 0 ? fmt::format("{:.3g}", derived.file_bytes_per_cell) : "-",
           percent(derived.copy_share), percent(derived.path_share)});
    }
    print_columns(lines);
    print_speedups(report, computed);
  }

  const auto growth = growths(report.result);
  if (!growth.empty()) fmt::print("\ntime grows with the side N as\n");
  for (const Growth& one : growth)
    fmt::print("  N^{:.2f}  {}, {}, {}, N = {} to {}\n", one.exponent, one.rule, one.contestant,
               stage_name(one.stage), one.sizes.front(), one.sizes.back());
  if (!report.result.left_out.empty()) fmt::print("\nleft out\n");
  for (const LeftOut& one : report.result.left_out) {
    if (one.size == 0)
      fmt::print("  {}: {}\n", one.contestant, one.reason);
    else
      fmt::print("  {}, {}, N = {}, {}: {}\n", one.contestant, one.rule, one.size, one.what,
                 one.reason);
  }
  fmt::print("\n");
  for (const std::string& mismatch : report.result.mismatches)
    fmt::print("MISMATCH {}\n", mismatch);
  if (report.result.mismatches.empty()) fmt::print("the digests of all runs of a table agree\n");
}

Figure to_figure(const BenchReport& report) {
  Figure figure;
  const Stage stage = report.plan.figures.front().stage;
  figure.title = fmt::format("{}, {} cores", report.machine.processor, report.machine.cores);
  figure.note = fmt::format("{}, {}, {}; figure \"{}\", medians", report.machine.software,
                            report.machine.compiler, report.machine.date, stage_name(stage));
  const Axis side{"side N of the table", Scale::kLog, std::nullopt, std::nullopt, true};
  figure.panels = {{"Time", side, {"seconds", Scale::kLog}, {}},
                   {"Rate", side, {"million cells a second", Scale::kLog}, {}}};
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<std::string> names;
  for (const Measurement& one : report.result.measurements) {
    if (one.stage != stage) continue;
    auto name = std::find(names.begin(), names.end(), one.contestant);
    if (name == names.end()) name = names.insert(names.end(), one.contestant);
    const auto style = static_cast<unsigned>(name - names.begin());
    const auto [place, is_new] = places.try_emplace({one.rule, one.contestant}, places.size());
    const Derived derived = derive(report, one);
    for (std::size_t p = 0; p < 2; ++p) {
      auto& series = figure.panels[p].series;
      if (is_new) {
        series.emplace_back();
        series.back().label = report.plan.rules.size() > 1
                                  ? fmt::format("{}, {}", one.contestant, one.rule)
                                  : one.contestant;
        series.back().style = style;
        series.back().dashed = one.rule != report.plan.rules.front().name();
      }
      series[place->second].x.push_back(static_cast<double>(one.size));
      series[place->second].y.push_back(p == 0 ? derived.seconds : derived.cells_per_second / 1e6);
    }
  }
  return figure;
}

}  // namespace grundy::cli
