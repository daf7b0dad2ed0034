// grundy verify: a table file against the definition.
#include "grundy/dataset/verify.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/report/progress.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct VerifyArguments {
  std::string path;
  std::optional<std::string> threads;
  ReportFlags report;
};

const char* name_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPassed:
      return "passed";
    case CheckStatus::kFailed:
      return "failed";
    case CheckStatus::kSkipped:
      return "skipped";
  }
  return "";
}

int verify(const VerifyArguments& options) {
  VerifyOptions how;
  how.threads = parse_threads(options.threads);
  probe_table_file(options.path);
  const DatasetReader reader(options.path);
  const DatasetInfo& info = reader.info();
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  Verification result;
  {
    ProgressMeter meter("verify", info.extent.cells(), options.report.show_progress());
    result = verify_table(
        reader, [&meter](std::uint64_t cells) { meter.add(cells); }, guard.stop_token(), how);
  }
  if (result.interrupted)
    throw Interrupted{guard.signal(), options.path + ": interrupted before the end, not verified"};
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (options.report.json) {
    nlohmann::ordered_json checks = nlohmann::ordered_json::array();
    for (const Check& check : result.checks)
      checks.push_back(
          {{"name", check.name}, {"status", name_of(check.status)}, {"detail", check.detail}});
    const nlohmann::ordered_json json{{"file", options.path},       {"rule", info.rule.name()},
                                      {"rows", info.extent.rows},   {"cols", info.extent.cols},
                                      {"seconds", elapsed.count()}, {"checks", checks},
                                      {"passed", result.passed()}};
    print_json(json);
  }
  if (options.report.show_text()) {
    for (const Check& check : result.checks)
      fmt::print("{:<8} {:<12} {}\n", name_of(check.status), check.name, check.detail);
    fmt::print("{}: {} table of {}, {} x {} positions\n", options.path,
               result.passed() ? "a correct" : "NOT a correct", info.rule.name(), info.extent.rows,
               info.extent.cols);
  }
  return result.passed() ? kDone : kCheckFailed;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "verify",
                  "Check every cell of a table file against the definition, by code that the "
                  "engines do not use",
                  "grundy verify extended.h5\n"
                  "  grundy verify extended.h5 --threads 2 --json --progress\n"
                  "  grundy verify extended.h5 --quiet");
  const auto options = std::make_shared<VerifyArguments>();
  add_file_argument(*command, options->path, "Table file to check");
  command->add_option("--threads", options->threads, "Threads that check; default: all cores")
      ->type_name("T");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return verify(*options); }; });
}

}  // namespace grundy::cli
