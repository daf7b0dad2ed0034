// grundy bench: engines side by side on the same work.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/output_file.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/game/names.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/report/machine_limits.hpp"

#include "bench_report.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> rules{"classic"};
  std::string sizes = "1024,2048,4096";
  std::string engines = "reference,bitset,cpu,cuda";
  std::string figures = "compute,transfer,file";
  std::string repeats = "5";
  std::string budget = "5";
  std::string longest = "30";
  std::string compression = Codec{}.name();
  std::optional<std::string> folder;
  std::optional<std::string> plot;
  std::optional<std::string> output;
  bool force = false;
  ReportFlags report;
};

/// The parts of a list with commas. Throws UsageError when one is empty or given twice.
std::vector<std::string> split(const std::string& option, const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, comma - from));
    if (parts.back().empty())
      throw UsageError(fmt::format("{}: '{}' is no list such as a,b,c", option, excerpt(text)));
    if (std::count(parts.begin(), parts.end(), parts.back()) > 1)
      throw UsageError(fmt::format("{}: {} is there twice", option, excerpt(parts.back())));
    from = comma + 1;
  }
  return parts;
}

/// A name with the largest side it is for, as in "bitset@4096"; any side without one.
struct Limited {
  std::string name;
  std::uint64_t most = kAnySize;
};

Limited parse_limited(const std::string& option, const std::string& text) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return {text};
  return {text.substr(0, at), parse_count(option, text.substr(at + 1))};
}

std::vector<std::uint64_t> parse_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& part : split("--sizes", text)) {
    sizes.push_back(parse_count("--sizes", part));
    check_extent({sizes.back(), sizes.back()});
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::vector<BenchmarkPlan::Figure> parse_figures(const std::string& text) {
  constexpr Stage kAll[] = {Stage::kCompute, Stage::kTransfer, Stage::kFile};
  std::vector<BenchmarkPlan::Figure> figures;
  for (const std::string& part : split("--figures", text)) {
    const Limited figure = parse_limited("--figures", part);
    const auto* stage = std::find_if(std::begin(kAll), std::end(kAll),
                                     [&](Stage one) { return stage_name(one) == figure.name; });
    if (stage == std::end(kAll))
      throw UsageError("--figures: " +
                       unknown_name("figure", figure.name, {"compute", "transfer", "file"}));
    for (const auto& other : figures)
      if (other.stage == *stage)
        throw UsageError(fmt::format("--figures: {} is there twice", figure.name));
    figures.push_back({*stage, figure.most});
  }
  std::sort(figures.begin(), figures.end(),
            [](const auto& a, const auto& b) { return a.stage < b.stage; });
  return figures;
}

Contestant contestant(const std::string& name, const std::string& engine,
                      const EngineOptions& options, std::uint64_t most) {
  // As measured: N^3 steps of the reference reach ever further in memory.
  const double growth = engine == "reference" ? 3.7 : engine == "bitset" ? 3 : 2;
  return {name, [engine, options] { return make_engine(engine, options); }, growth, most};
}

/// Numbers of threads from 1 to all cores: each power of two, and all.
std::vector<unsigned> thread_counts() {
  const unsigned all = worker_threads(0);
  std::vector<unsigned> counts;
  for (unsigned count = 1; count < all; count *= 2) counts.push_back(count);
  counts.push_back(all);
  return counts;
}

/// The engines of the list; those that need a GPU only where there is one.
std::vector<Contestant> parse_engines(const std::string& text, std::vector<LeftOut>& left_out) {
  constexpr std::uint64_t kMostThreads = 1024;
  std::vector<Contestant> all;
  const auto add_cpu = [&](unsigned threads, std::uint64_t most) {
    EngineOptions options;
    options.threads = threads;
    all.push_back(contestant(fmt::format("cpu:{}", threads), "cpu", options, most));
  };
  const auto add_cuda = [&](const std::string& schedule, std::uint64_t most) {
    const std::string name = "cuda:" + schedule;
    EngineOptions options;
    options.schedule = parse_schedule(schedule);
    if (device_usable(0))
      all.push_back(contestant(name, "cuda", options, most));
    else
      left_out.push_back({"", 0, name, "all",
                          built_with_cuda() ? "no GPU that can be used; 'grundy devices' says more"
                                            : "this program was built without the cuda engine"});
  };
  for (const std::string& part : split("--engines", text)) {
    const auto [name, most] = parse_limited("--engines", part);
    if (name == "reference" || name == "bitset") {
      all.push_back(contestant(name, name, {}, most));
    } else if (name == "cpu") {
      for (const unsigned threads : thread_counts()) add_cpu(threads, most);
    } else if (name.starts_with("cpu:")) {
      const std::uint64_t threads = parse_count("--engines", name.substr(4), kMostThreads);
      if (threads == 0) throw UsageError("--engines: cpu:0 has no threads; 1 is the least");
      add_cpu(static_cast<unsigned>(threads), most);
    } else if (name == "cuda") {
      for (const char* schedule : {"waves", "bands"}) add_cuda(schedule, most);
    } else if (name == "cuda:waves" || name == "cuda:bands") {
      add_cuda(name.substr(5), most);
    } else {
      throw UsageError("--engines: " + unknown_name("engine", name,
                                                    {"reference", "bitset", "cpu", "cpu:THREADS",
                                                     "cuda", "cuda:waves", "cuda:bands"}));
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (all[i].name == all[j].name)
        throw UsageError(fmt::format("--engines: {} is there twice", all[i].name));
  return all;
}

BenchmarkPlan make_plan(const BenchOptions& options, std::vector<LeftOut>& left_out) {
  constexpr std::uint64_t kMostRepeats = 1000;
  constexpr std::uint64_t kMostSeconds = 1'000'000;
  BenchmarkPlan plan;
  for (const std::string& text : options.rules) {
    plan.rules.push_back(Rule::parse(text));
    if (std::count(plan.rules.begin(), plan.rules.end(), plan.rules.back()) > 1)
      throw UsageError(fmt::format("--rule: {} is there twice", plan.rules.back().name()));
  }
  plan.sizes = parse_sizes(options.sizes);
  plan.contestants = parse_engines(options.engines, left_out);
  plan.figures = parse_figures(options.figures);
  plan.repeats = static_cast<unsigned>(parse_count("--repeats", options.repeats, kMostRepeats));
  if (plan.repeats == 0) throw UsageError("--repeats: 0 runs measure nothing; 1 is the least");
  plan.budget = static_cast<double>(parse_count("--budget", options.budget, kMostSeconds));
  plan.longest = static_cast<double>(parse_count("--longest", options.longest, kMostSeconds));
  plan.codec = Codec::parse(options.compression);
  plan.folder = options.folder.value_or(std::filesystem::temp_directory_path().string());
  if (!std::filesystem::is_directory(plan.folder))
    throw IoError(
        fmt::format("{} is no folder; --folder takes one for the files of the figure "
                    "\"file\"",
                    plan.folder));
  plan.show_progress = options.report.show_progress();
  return plan;
}

int bench(const BenchOptions& options) {
  BenchReport report;
  report.plan = make_plan(options, report.result.left_out);
  if (options.force && !options.plot && !options.output)
    throw UsageError("--force is for a file that exists: name it with --output or --plot");
  for (const auto& [option, path] :
       {std::pair{"--plot", &options.plot}, {"--output", &options.output}})
    if (*path) require_file_name(option, **path);
  if (options.output == OutputFile::kStandardOutput)
    throw UsageError("--output: '-' names no file; --json prints the object to standard output");
  if (options.plot && options.plot == options.output)
    throw UsageError("--output and --plot name the same file");
  std::optional<PictureFormat> format;
  if (options.plot) format = picture_format("--plot", *options.plot);
  const InterruptGuard guard;
  // From the start of the run on, so that it does not fail at its end for a name.
  const Existing existing = replace_or_refuse(options.force);
  std::optional<OutputFile> plot;
  std::optional<OutputFile> output;
  if (options.plot) plot.emplace(*options.plot, existing);
  if (options.output) output.emplace(*options.output, existing);
  constexpr std::uint64_t kSecondLevelCache = std::uint64_t{256} << 10U;
  report.machine = machine_facts();
  report.copy_bandwidth = copy_bandwidth(worker_threads(0));
  report.load_latency = load_latency(kSecondLevelCache);
  if (!run_benchmark(report.plan, report.result, guard.stop_token()))
    throw Interrupted{guard.signal(),
                      fmt::format("interrupted after {} complete figures; nothing is reported",
                                  report.result.measurements.size())};
  if (plot) {
    const std::vector<std::uint8_t> picture = draw_picture(to_figure(report), *format);
    plot->write(std::as_bytes(std::span(picture)));
    plot->publish();
  }
  if (output) {
    output->write(to_json(report).dump(1) + "\n");
    output->publish();
  }
  if (options.report.json) print_json(to_json(report));
  if (options.report.show_text()) {
    print_text(report);
    if (options.output) fmt::print("figures in {}\n", *options.output);
    if (options.plot) fmt::print("picture in {}\n", *options.plot);
  }
  return report.result.mismatches.empty() ? kDone : kCheckFailed;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "bench", "Measure engines side by side on the same work and compare their results",
      "grundy bench --sizes 256,512 --repeats 3\n"
      "  grundy bench --sizes 256,1024 --engines bitset,cpu --figures compute --plot bench.png\n"
      "  grundy bench --rule extended --sizes 200,400 --engines reference@200,cpu:1 --longest 10 "
      "--budget 2 --quiet --progress --output bench.json --force\n"
      "  grundy bench --sizes 500 --engines cpu --figures file --compression zstd:3 --folder . "
      "--json");
  const auto options = std::make_shared<BenchOptions>();
  command
      ->add_option("--rule", options->rules,
                   "Terminal positions of a game to measure; may be given several times")
      ->type_name(kRuleNames)
      ->expected(1)
      ->take_all()
      ->default_str(options->rules.front());
  command->add_option("--sizes", options->sizes, "Sides of the square tables to measure")
      ->type_name("N,N,...")
      ->capture_default_str();
  command
      ->add_option("--engines", options->engines,
                   "Engines to measure: reference (by definition), bitset (textbook), cpu (1 to "
                   "all threads), cpu:T, cuda (both schedules), cuda:waves, cuda:bands; NAME@N is "
                   "one up to that size")
      ->type_name("NAME,NAME,...")
      ->capture_default_str();
  command
      ->add_option("--figures", options->figures,
                   "Work to measure: compute (with digest and counts), transfer (and every value "
                   "read in main memory), file (and written to a file); NAME@N is one up to that "
                   "size")
      ->type_name("NAME,...")
      ->capture_default_str();
  command
      ->add_option("--repeats", options->repeats,
                   "Runs to measure for each figure, after a warm-up")
      ->type_name("R")
      ->capture_default_str();
  command
      ->add_option("--budget", options->budget,
                   "Seconds of a figure after which it is not measured once more; where computing "
                   "alone takes longer, the other figures are left out")
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option("--longest", options->longest,
                   "An engine that would take longer for one run, in seconds, is left out there")
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option("--compression", options->compression,
                   "Compression of the files, as for compute")
      ->type_name(kCompressionNames)
      ->capture_default_str();
  command
      ->add_option("--folder", options->folder,
                   "Folder where the files are written and removed; default: the temporary one")
      ->type_name("DIR");
  command
      ->add_option("--plot", options->plot,
                   "Draw a picture of time and rate against the side of the table")
      ->type_name("FILE.png|FILE.pdf|FILE.svg");
  command
      ->add_option("--output", options->output, "Write the JSON object to a file, besides the text")
      ->type_name("FILE.json");
  command->add_flag("--force", options->force, "Replace files that exist");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace grundy::cli
