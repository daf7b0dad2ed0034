// grundy compute: a table to a file, or only its summary.
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/game/errors.hpp"
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
  std::string compression = Codec{}.name();
  bool force = false;
};

void print_result(const ComputeOptions& options, const Rule& rule, const Extent& extent,
                  const Engine& engine, const Summary& summary, double seconds,
                  const DatasetWriter* writer) {
  const double rate = static_cast<double>(summary.cells) / seconds;
  const std::string digest = fmt::format("{:016x}", summary.digest);
  if (options.report.json) {
    nlohmann::ordered_json json{{"rule", rule.name()},      {"rows", extent.rows},
                                {"cols", extent.cols},      {"engine", engine.name()},
                                {"seconds", seconds},       {"cells", summary.cells},
                                {"cells_per_second", rate}, {"max_value", summary.max_value},
                                {"zeros", summary.zeros},   {"ones", summary.ones},
                                {"digest", digest},         {"output", options.output}};
    if (writer != nullptr) json["file_bytes"] = writer->file_bytes();
    print_json(json);
  }
  if (!options.report.show_text()) return;
  fmt::print("{}, {} x {} positions, {} engine\n", rule.name(), extent.rows, extent.cols,
             engine.name());
  fmt::print("{} cells in {:.3f} s, {:.1f} million cells/s\n", summary.cells, seconds, rate / 1e6);
  fmt::print("largest value {}, {} zeros, {} ones\n", summary.max_value, summary.zeros,
             summary.ones);
  fmt::print("digest {}\n", digest);
  if (writer != nullptr)
    fmt::print("written to {}, {} bytes\n", options.output, writer->file_bytes());
}

int compute(const ComputeOptions& options) {
  const Rule rule = options.rule.rule();
  const Extent extent = options.extent.extent();
  const Codec codec = Codec::parse(options.compression);
  if (options.output.empty()) throw UsageError("--output: the name of the file is empty");
  const InterruptGuard guard;  // before the engine, which may start threads
  const std::unique_ptr<Engine> engine = options.engine.engine();
  Engine::Result result;
  std::optional<DatasetWriter> writer;
  if (options.output != kNoOutput)
    writer.emplace(options.output, rule, extent, std::string(engine->name()),
                   DatasetOptions{codec, options.force});
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressMeter meter(std::string(engine->name()), extent.cells(),
                        options.report.show_progress());
    const Engine::Wanted wanted{writer ? &*writer : nullptr, writer.has_value(),
                                [&meter](std::uint64_t cells) { meter.add(cells); }};
    if (!engine->summarize(rule, extent, wanted, result, guard.stop_token())) {
      std::string message =
          fmt::format("interrupted after {} of {} cells", result.summary.cells, extent.cells());
      if (writer) {
        const std::string partial = writer->partial_path();
        writer.reset();
        message += fmt::format("; {} was not written", options.output);
        if (std::filesystem::exists(partial)) message += fmt::format(", {} is incomplete", partial);
      }
      throw Interrupted{guard.signal(), message};
    }
  }
  if (writer) writer->publish(result.summary, result.histogram);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_result(options, rule, extent, *engine, result.summary, elapsed.count(),
               writer ? &*writer : nullptr);
  return kDone;
}

}  // namespace

void add_compute(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "compute", "Compute a Grundy table",
                  "grundy compute --rule extended --size 4096 --output extended.h5");
  const auto options = std::make_shared<ComputeOptions>();
  options->rule.add_to(*command);
  options->extent.add_to(*command);
  options->engine.add_to(*command);
  command
      ->add_option("--output", options->output,
                   "HDF5 file for the table, or none: only the summary")
      ->type_name("FILE.h5")
      ->capture_default_str();
  command
      ->add_option("--compression", options->compression,
                   "none, or deflate:1 (fast) to deflate:9 (small)")
      ->capture_default_str();
  command->add_flag("--force", options->force, "Replace an existing file");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return compute(*options); }; });
}

}  // namespace grundy::cli
