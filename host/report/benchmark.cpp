#include "grundy/report/benchmark.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "grundy/dataset/writer.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/report/peak_memory.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/report/statistics.hpp"

namespace grundy {
namespace {

/// Reads every value once, which is the least that anyone does with them.
class SumOfValues final : public TileSink {
 public:
  void consume(const FinishedTile& tile) override {
    for_each_view(tile, [this](const TileView& view) {
      const TileView walk = view.along_memory();
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < walk.rows; ++i) {
        const std::uint32_t* values = walk.values + static_cast<std::ptrdiff_t>(i) * walk.x_stride;
        for (std::uint32_t j = 0; j < walk.cols; ++j)
          sum += values[static_cast<std::ptrdiff_t>(j) * walk.y_stride];
      }
      sum_.fetch_add(sum, std::memory_order_relaxed);
    });
  }

  [[nodiscard]] std::uint64_t sum() const { return sum_.load(); }

 private:
  std::atomic<std::uint64_t> sum_{0};
};

/// A folder for a file, removed with whatever the writer has left in it, however its scope is left.
class TemporaryFolder {
 public:
  /// Throws IoError when it cannot be made in `folder`.
  explicit TemporaryFolder(const std::string& folder)
      : path_((std::filesystem::path(folder) / "grundy-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw IoError(fmt::format("cannot make a folder in {}: {}", folder, std::strerror(errno)));
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// One run; nothing after a stop.
struct Run {
  double seconds = 0;
  Summary summary;
  std::optional<std::uint64_t> sum_of_values;
  std::uint64_t file_bytes = 0;
};

std::optional<Run> run_once(const BenchmarkPlan& plan, Engine& engine, const Rule& rule,
                            std::uint64_t size, Stage stage, const std::string& label,
                            const std::stop_token& stop) {
  const Extent extent{size, size};
  ProgressMeter meter(label, extent.cells(), plan.show_progress);
  Engine::Wanted wanted;
  wanted.progress = [&meter](std::uint64_t cells) { meter.add(cells); };
  SumOfValues values;
  std::optional<TemporaryFolder> folder;
  std::optional<DatasetWriter> writer;
  if (stage == Stage::kTransfer) wanted.tiles = &values;
  if (stage == Stage::kFile) folder.emplace(plan.folder);

  Run run;
  Engine::Result result;
  const auto start = std::chrono::steady_clock::now();
  if (folder) {
    writer.emplace(folder->file("table.h5"), rule, extent, std::string(engine.name()),
                   DatasetOptions{plan.codec, true});
    wanted.tiles = &*writer;
    wanted.histogram = true;
  }
  if (!engine.summarize(rule, extent, wanted, result, stop)) return std::nullopt;
  if (writer) {
    writer->publish(result.summary, result.histogram);
    run.file_bytes = writer->file_bytes();
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.summary = result.summary;
  if (stage == Stage::kTransfer) run.sum_of_values = values.sum();
  return run;
}

/// Everything on one table: its contestants take turns.
class Table {
 public:
  Table(const BenchmarkPlan& plan, const Rule& rule, std::uint64_t size, BenchmarkResult& result,
        std::map<std::string, double>& constants)
      : plan_(plan), rule_(rule), size_(size), result_(result), constants_(constants) {}

  bool measure(const std::stop_token& stop) {
    std::vector<Place> places;
    for (const Contestant& contestant : plan_.contestants) {
      if (size_ > contestant.most) continue;
      Place place{&contestant, nullptr, {}};
      bool stopped = false;
      const bool taken = guarded(place, [&] {
        place.engine = contestant.make();
        stopped = !warm_up(place, stop);
      });
      if (stopped) return false;
      if (!taken || !place.engine) continue;
      for (const auto& [stage, most] : plan_.figures)
        if (size_ <= most)
          place.figures.push_back({{rule_.name(),
                                    size_,
                                    contestant.name,
                                    stage,
                                    {},
                                    0,
                                    place.engine->bytes_needed(rule_, {size_, size_}),
                                    {},
                                    0,
                                    0},
                                   0,
                                   false});
      places.push_back(std::move(place));
    }
    for (unsigned round = 0; round < plan_.repeats; ++round)
      for (Place& place : places)
        for (Figure& figure : place.figures)
          if (!measure_once(place, figure, round, stop)) return false;
    for (Place& place : places)
      for (Figure& figure : place.figures)
        if (!figure.measurement.seconds.empty())
          result_.measurements.push_back(std::move(figure.measurement));
    return true;
  }

 private:
  struct Figure {
    Measurement measurement;
    double spent = 0;
    bool given_up = false;
  };
  struct Place {
    const Contestant* contestant;
    std::unique_ptr<Engine> engine;  // none: left out
    std::vector<Figure> figures;
  };

  template <typename Call>
  bool guarded(const Place& place, Call call) {
    try {
      call();
      return true;
    } catch (const DeviceError& error) {
      leave_out(place, "all", error.what());
      return false;
    }
  }

  void leave_out(const Place& place, std::string what, std::string reason) {
    result_.left_out.push_back(
        {rule_.name(), size_, place.contestant->name, std::move(what), std::move(reason)});
  }

  [[nodiscard]] std::string label(const Place& place, std::string_view what) const {
    return fmt::format("{} {} {} {}", rule_.name(), size_, place.contestant->name, what);
  }

  /// Seconds of computing a square of that side, from the last one measured.
  double& constant(const Place& place) {
    return constants_[rule_.name() + " " + place.contestant->name];
  }
  [[nodiscard]] double power(const Place& place, std::uint64_t size) const {
    return std::pow(static_cast<double>(size), place.contestant->growth);
  }

  /// Runs what was not measured before, or what is quick, once unmeasured; drops the engine of a
  /// contestant that would take too long. False after a stop.
  bool warm_up(Place& place, const std::stop_token& stop) {
    constexpr std::uint64_t kProbe = 512;
    double& seconds_a_unit = constant(place);
    const auto run = [&](std::uint64_t size) {
      const auto done =
          run_once(plan_, *place.engine, rule_, size, Stage::kCompute,
                   label(place, size == size_ ? "warm-up" : "warm-up, smaller"), stop);
      if (done) seconds_a_unit = done->seconds / power(place, size);
      return done.has_value();
    };
    if (seconds_a_unit == 0 && !run(std::min(size_, kProbe))) return false;
    const double predicted = seconds_a_unit * power(place, size_);
    if (predicted > plan_.longest) {
      leave_out(place, "all",
                fmt::format("one run would take about {:.0f} s; --longest is {:.0f}", predicted,
                            plan_.longest));
      place.engine.reset();
      return true;
    }
    const bool quick = predicted * (plan_.repeats + 1) <= plan_.budget;
    return !quick || size_ <= kProbe || run(size_);
  }

  /// False after a stop.
  bool measure_once(Place& place, Figure& figure, unsigned round, const std::stop_token& stop) {
    Measurement& measurement = figure.measurement;
    if (figure.given_up || (round > 0 && figure.spent >= plan_.budget)) return true;
    if (round == 0 && measurement.stage != Stage::kCompute) {
      const Figure& first = place.figures.front();
      if (first.measurement.stage == Stage::kCompute && first.spent > plan_.budget) {
        figure.given_up = true;
        leave_out(place, std::string(stage_name(measurement.stage)),
                  fmt::format("computing alone took {:.0f} s; --budget is {:.0f}", first.spent,
                              plan_.budget));
        return true;
      }
    }
    const std::string what =
        fmt::format("{} {}/{}", stage_name(measurement.stage), round + 1, plan_.repeats);
    reset_peak_memory();
    const std::uint64_t base = peak_memory().value_or(0);
    std::optional<Run> run;
    bool stopped = false;
    if (!guarded(place, [&] {
          run = run_once(plan_, *place.engine, rule_, size_, measurement.stage, label(place, what),
                         stop);
          stopped = !run;
        }))
      figure.given_up = true;
    if (stopped) return false;
    if (!run) return true;
    if (const auto peak = peak_memory(); peak && *peak > measurement.peak_bytes.value_or(0)) {
      measurement.peak_bytes = peak;
      measurement.base_bytes = base;
    }
    measurement.seconds.push_back(run->seconds);
    measurement.digest = run->summary.digest;
    measurement.file_bytes = run->file_bytes;
    figure.spent += run->seconds;
    if (measurement.stage == Stage::kCompute)
      constant(place) = spread_of(measurement.seconds).median / power(place, size_);
    compare(*run, label(place, what));
    return true;
  }

  /// Every run against the first one on this table.
  void compare(const Run& run, const std::string& name) {
    if (!judge_) {
      judge_ = run.summary;
      judge_name_ = name;
    }
    if (run.summary != *judge_)
      result_.mismatches.push_back(fmt::format("digest {:016x} of '{}' is not the {:016x} of '{}'",
                                               run.summary.digest, name, judge_->digest,
                                               judge_name_));
    if (!run.sum_of_values) return;
    if (!sum_of_values_) sum_of_values_ = run.sum_of_values;
    if (*run.sum_of_values != *sum_of_values_)
      result_.mismatches.push_back(
          fmt::format("the values that '{}' handed out sum up to {}, others to {}", name,
                      *run.sum_of_values, *sum_of_values_));
  }

  const BenchmarkPlan& plan_;
  const Rule& rule_;
  std::uint64_t size_;
  BenchmarkResult& result_;
  std::map<std::string, double>& constants_;  // seconds / side^growth, by rule and contestant
  std::optional<Summary> judge_;
  std::string judge_name_;
  std::optional<std::uint64_t> sum_of_values_;
};

}  // namespace

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::kCompute:
      return "compute";
    case Stage::kTransfer:
      return "transfer";
    case Stage::kFile:
      return "file";
  }
  return "";
}

bool run_benchmark(const BenchmarkPlan& plan, BenchmarkResult& result,
                   const std::stop_token& stop) {
  std::map<std::string, double> constants;
  for (const Rule& rule : plan.rules)
    for (const std::uint64_t size : plan.sizes)
      if (stop.stop_requested() || !Table(plan, rule, size, result, constants).measure(stop))
        return false;
  return true;
}

}  // namespace grundy
