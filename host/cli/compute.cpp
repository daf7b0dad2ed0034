// grundy compute: a table to a file, or only its summary.
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/report/progress.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

constexpr const char* kNoOutput = "none";

struct ComputeOptions {
  RuleOption rule{"classic"};
  ExtentOptions extent;
  EngineFlags engine;
  ReportFlags report;
  std::string output = kNoOutput;
  std::optional<std::string> compression;
  std::optional<std::string> window;
  bool half = false;
  bool force = false;
  bool resume = false;
  std::string buffer_mib = "256";
  std::string checkpoint_seconds = "10";
};

/// What a run is to compute and where it goes.
struct Job {
  Rule rule = Rule::classic();
  Extent extent;
  std::unique_ptr<DatasetWriter> writer;  // none: only the summary
  bool resumed = false;

  /// The stored part, if it is not the whole table.
  [[nodiscard]] std::optional<Region> window() const {
    if (writer == nullptr || writer->state().region == Region{0, 0, extent}) return std::nullopt;
    return writer->state().region;
  }
};

/// What is said of a run that ended early and left something.
std::string how_to_resume(const ComputeOptions& options) {
  return fmt::format("go on with: grundy compute --resume --output {}", options.output);
}

DatasetOptions dataset_options(const ComputeOptions& options) {
  DatasetOptions result;
  if (options.compression) result.codec = Codec::parse(*options.compression);
  result.overwrite = options.force;
  result.half = options.half;
  if (options.window) result.window = parse_region("--window", *options.window);
  constexpr std::uint64_t kMostMib = std::uint64_t{1} << 30U;
  result.buffer_bytes = parse_count("--buffer", options.buffer_mib, kMostMib) << 20U;
  constexpr std::uint64_t kMostSeconds = 1'000'000;
  result.checkpoint_interval =
      std::chrono::seconds(parse_count("--checkpoint", options.checkpoint_seconds, kMostSeconds));
  return result;
}

/// Options that speak of the table must be those of the run that is resumed.
void check_same_table(const ComputeOptions& options, const DatasetOptions& dataset,
                      const DatasetWriter& writer) {
  const DatasetWriter::State state = writer.state();
  const auto check = [&](bool same, const std::string& option, const std::string& stored) {
    if (!same)
      throw UsageError(fmt::format("{} holds a table of {}, which {} contradicts; leave it out",
                                   writer.partial_path(), stored, option));
  };
  check(!options.rule.given || options.rule.rule() == state.rule, "--rule",
        "the rule " + excerpt(state.rule.name()));
  check(!options.compression || dataset.codec == state.codec, "--compression",
        "compression " + state.codec.name());
  check(!options.half || state.half, "--half", "full storage");
  check(!dataset.window || *dataset.window == state.region, "--window",
        "the positions " + region_text(state.region));
  if (!options.extent.given()) return;
  const Extent extent = options.extent.extent();
  const bool whole = state.region.x0 == 0 && state.region.y0 == 0 && !dataset.window;
  check(whole ? extent == state.extent
              : extent.rows >= state.extent.rows && extent.cols >= state.extent.cols,
        options.extent.size ? "--size" : "--rows, --cols",
        fmt::format("{} x {} positions", state.extent.rows, state.extent.cols));
}

/// The run that has left the partial file, or a job without a writer if there was none.
Job resume(const ComputeOptions& options, const DatasetOptions& dataset,
           const std::string& engine) {
  if (options.output == kNoOutput) throw UsageError("--resume: name the file with --output");
  if (options.force) throw UsageError("--resume goes on with what --force would replace");
  Job job;
  std::once_flag once;
  std::optional<ProgressMeter> meter;
  job.writer = DatasetWriter::resume(
      options.output, engine, dataset, [&](std::uint64_t chunks, std::uint64_t of_chunks) {
        std::call_once(once, [&] {
          meter.emplace("check", of_chunks, options.report.show_progress(), "chunks");
        });
        meter->add(chunks);
      });
  meter.reset();
  if (job.writer == nullptr) return job;
  check_same_table(options, dataset, *job.writer);
  const DatasetWriter::State state = job.writer->state();
  job.rule = state.rule;
  job.extent = options.extent.given() ? options.extent.extent() : state.extent;
  job.resumed = true;
  if (!options.report.quiet)
    fmt::print(
        stderr, "going on with {}: {} of {} chunks are there{}\n", job.writer->partial_path(),
        state.stored_chunks, state.chunks,
        state.distrusted_chunks == 0
            ? std::string()
            : fmt::format(", {} more were damaged and are written again", state.distrusted_chunks));
  return job;
}

Job begin(const ComputeOptions& options, const DatasetOptions& dataset, const std::string& engine) {
  Job job;
  job.rule = options.rule.rule();
  job.extent = dataset.window && !options.extent.given()
                   ? Extent{dataset.window->x1(), dataset.window->y1()}
                   : options.extent.extent();
  if (options.output != kNoOutput) {
    job.writer =
        std::make_unique<DatasetWriter>(options.output, job.rule, job.extent, engine, dataset);
  } else if (dataset.window || options.half) {
    throw UsageError(fmt::format("{} says what to store; name the file with --output",
                                 dataset.window ? "--window" : "--half"));
  }
  return job;
}

struct Outcome {
  Engine::Result table;
  std::optional<Engine::Result> window;  // of what is stored, if that is not the table
  double seconds = 0;
};

void print_result(const ComputeOptions& options, const Job& job, const Engine& engine,
                  const Outcome& outcome) {
  const Summary& summary = outcome.table.summary;
  const double rate = static_cast<double>(summary.cells) / outcome.seconds;
  const auto digest_text = [](const Summary& of) { return fmt::format("{:016x}", of.digest); };
  if (options.report.json) {
    nlohmann::ordered_json json{
        {"rule", job.rule.name()},  {"rows", job.extent.rows},        {"cols", job.extent.cols},
        {"engine", engine.name()},  {"seconds", outcome.seconds},     {"cells", summary.cells},
        {"cells_per_second", rate}, {"max_value", summary.max_value}, {"zeros", summary.zeros},
        {"ones", summary.ones},     {"digest", digest_text(summary)}, {"output", options.output}};
    if (job.writer) {
      const DatasetWriter::State state = job.writer->state();
      json["file_bytes"] = job.writer->file_bytes();
      json["half"] = state.half;
      json["resumed"] = job.resumed;
      if (outcome.window) {
        json["window"] = region_text(state.region);
        json["window_digest"] = digest_text(outcome.window->summary);
      }
    }
    print_json(json);
  }
  if (!options.report.show_text()) return;
  fmt::print("{}, {} x {} positions, {} engine\n", job.rule.name(), job.extent.rows,
             job.extent.cols, engine.name());
  fmt::print("{} cells in {:.3f} s, {:.1f} million cells/s\n", summary.cells, outcome.seconds,
             rate / 1e6);
  fmt::print("largest value {}, {} zeros, {} ones\n", summary.max_value, summary.zeros,
             summary.ones);
  fmt::print("digest {}\n", digest_text(summary));
  if (!job.writer) return;
  if (outcome.window)
    fmt::print("window {}, digest {}\n", region_text(job.writer->state().region),
               digest_text(outcome.window->summary));
  fmt::print("written to {}, {} bytes\n", options.output, job.writer->file_bytes());
}

/// Throws Interrupted, with what is kept and how to go on.
[[noreturn]] void end_interrupted(const ComputeOptions& options, Job& job, const Summary& summary,
                                  const InterruptGuard& guard) {
  std::string message =
      fmt::format("interrupted after {} of {} cells", summary.cells, job.extent.cells());
  if (job.writer) {
    job.writer->suspend();
    const std::string partial = job.writer->partial_path();
    const DatasetWriter::State state = job.writer->state();
    job.writer.reset();
    if (std::filesystem::exists(partial)) {
      message += fmt::format("; {} keeps {} of {} chunks; {}", partial, state.stored_chunks,
                             state.chunks, how_to_resume(options));
    } else {
      message += fmt::format("; {} was not begun", options.output);
    }
  }
  throw Interrupted{guard.signal(), message};
}

Outcome run(const ComputeOptions& options, Job& job, Engine& engine, const InterruptGuard& guard) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Region> window = job.window();
  SummarySink window_summary;
  HistogramSink window_histogram;
  TileFanout window_sinks({&window_summary, &window_histogram});
  std::optional<RegionSink> window_sink;
  std::vector<TileSink*> sinks;
  if (job.writer) sinks.push_back(job.writer.get());
  if (window) sinks.push_back(&window_sink.emplace(*window, window_sinks));
  TileFanout tiles(std::move(sinks));

  Outcome outcome;
  {
    ProgressMeter meter(std::string(engine.name()), job.extent.cells(),
                        options.report.show_progress());
    const Engine::Wanted wanted{job.writer ? &tiles : nullptr, job.writer && !window,
                                [&meter](std::uint64_t cells) { meter.add(cells); },
                                job.writer ? job.writer->known() : nullptr};
    if (!engine.summarize(job.rule, job.extent, wanted, outcome.table, guard.stop_token()))
      end_interrupted(options, job, outcome.table.summary, guard);
  }
  if (window) outcome.window = {window_summary.result(), window_histogram.counts()};
  if (job.writer) {
    const Engine::Result& stored = window ? *outcome.window : outcome.table;
    job.writer->publish(stored.summary, stored.histogram);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  outcome.seconds = elapsed.count();
  return outcome;
}

int compute(const ComputeOptions& options) {
  require_file_name("--output", options.output);
  const DatasetOptions dataset = dataset_options(options);
  const InterruptGuard guard;  // before the engine, which may start threads
  const std::unique_ptr<Engine> engine = options.engine.engine();
  const std::string engine_name(engine->name());
  Job job;
  if (options.resume) job = resume(options, dataset, engine_name);
  if (!job.resumed) {
    job = begin(options, dataset, engine_name);
    if (options.resume && !options.report.quiet)
      fmt::print(stderr, "nothing of {} to go on with: it is begun\n", options.output);
  }
  try {
    const Outcome outcome = run(options, job, *engine, guard);
    print_result(options, job, *engine, outcome);
  } catch (const IoError& error) {
    if (!job.writer) throw;
    const std::string partial = job.writer->partial_path();
    job.writer.reset();
    if (!std::filesystem::exists(partial)) throw;
    throw IoError(fmt::format("{}; {} keeps what was complete; {}", error.what(), partial,
                              how_to_resume(options)));
  }
  return kDone;
}

}  // namespace

void add_compute(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "compute", "Compute a Grundy table and store it, or only sum it up",
                  "grundy compute --rule extended --size 2000 --output extended.h5\n"
                  "  grundy compute --rule triangle:3 --rows 500 --cols 2000 --engine cpu "
                  "--threads 2 --json\n"
                  "  grundy compute --size 3000 --half --compression zstd:3 --buffer 64 "
                  "--checkpoint 5 --output half.h5 --force --progress\n"
                  "  grundy compute --window 1000:2000,0:500 --output window.h5 --device 0 "
                  "--schedule bands\n"
                  "  grundy compute --resume --size 2000 --output classic.h5 --quiet");
  const auto options = std::make_shared<ComputeOptions>();
  options->rule.add_to(*command);
  options->extent.add_to(*command);
  options->engine.add_to(*command);
  command
      ->add_option("--output", options->output,
                   "HDF5 file for the table, or none for only the summary")
      ->type_name("FILE.h5|none")
      ->capture_default_str();
  command
      ->add_option("--compression", options->compression,
                   "How the file is compressed: deflate:1 (fast) to deflate:12 (small), or zstd:1 "
                   "to zstd:19 (faster; other programs need a plugin to read it)")
      ->type_name(kCompressionNames)
      ->default_str(Codec{}.name());
  command->add_flag("--half", options->half, "Store only y >= x of a symmetric table");
  command
      ->add_option("--window", options->window,
                   "Store only the positions X0 <= x < X1, Y0 <= y < Y1")
      ->type_name("X0:X1,Y0:Y1");
  command->add_flag("--force", options->force, "Replace a file that exists");
  command->add_flag("--resume", options->resume,
                    "Go on with what an interrupted run has left of the file, or begin it; the "
                    "options of the table need not be repeated");
  command
      ->add_option("--checkpoint", options->checkpoint_seconds,
                   "Save the state so often that a run that is killed loses at most about this "
                   "much work")
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option("--buffer", options->buffer_mib,
                   "Bound the memory for chunks on their way to the file")
      ->type_name("MIB")
      ->capture_default_str();
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return compute(*options); }; });
}

}  // namespace grundy::cli
