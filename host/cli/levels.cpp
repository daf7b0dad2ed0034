// grundy levels: the positions of small values, far beyond any table.
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/level_file.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/levels/level_cells.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/theory/beatty.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct LevelsOptions {
  RuleOption rule{"classic"};
  std::string values = "0-1";
  std::string limit;
  std::optional<std::string> output;
  bool force = false;
  ReportFlags report;
};

LevelFileOptions parse_options(const LevelsOptions& options) {
  LevelFileOptions parsed;
  std::tie(parsed.first, parsed.last) =
      parse_values("--values", options.values, LevelStream::kMaxLevels - 1);
  parsed.limit = parse_count("--limit", options.limit, kClosedFormLimit - 1);
  parsed.overwrite = options.force;
  if (options.force && !options.output)
    throw UsageError("--force is for a file that exists: name it with --output");
  if (options.output) require_file_name("--output", *options.output);
  return parsed;
}

void print_cells(const std::vector<LevelCell>& cells, fmt::memory_buffer& buffer) {
  buffer.clear();
  for (const auto& [p, value] : cells)
    fmt::format_to(std::back_inserter(buffer), "{} {} {}\n", p.x, p.y, value);
  fmt::print("{}", std::string_view(buffer.data(), buffer.size()));
}

int levels(const LevelsOptions& options) {
  const Rule rule = options.rule.rule();
  const LevelFileOptions parsed = parse_options(options);
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  LevelCells cells(rule, parsed.first, parsed.last, parsed.limit);
  std::optional<LevelFile> file;
  if (options.output) file.emplace(*options.output, rule, parsed);
  std::vector<std::uint64_t> counts(parsed.last + 1);
  {
    // A line that is rewritten and a list do not share a terminal.
    const bool listing = !file && options.report.show_text() && isatty(STDOUT_FILENO) == 1 &&
                         !options.report.progress;
    ProgressMeter meter("levels", parsed.limit, options.report.show_progress() && !listing, "rows");
    fmt::memory_buffer buffer;
    std::uint64_t rows = 0;
    for (const auto* some = &cells.next(); !some->empty(); some = &cells.next()) {
      guard.throw_if_stopped(fmt::format("interrupted after {} of {} rows", rows, parsed.limit));
      for (const LevelCell& cell : *some) ++counts[cell.value];
      if (file) file->append(*some);
      if (!file && options.report.show_text()) print_cells(*some, buffer);
      meter.add(cells.steps_done() - rows);
      rows = cells.steps_done();
    }
    meter.add(parsed.limit - rows);
  }
  if (file) file->publish();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  if (options.report.json) {
    nlohmann::ordered_json by_value = nlohmann::ordered_json::object();
    for (unsigned v = parsed.first; v <= parsed.last; ++v) by_value[std::to_string(v)] = counts[v];
    print_json({{"rule", rule.name()},
                {"limit", parsed.limit},
                {"first_value", parsed.first},
                {"last_value", parsed.last},
                {"positions", by_value},
                {"output", options.output.value_or("none")},
                {"seconds", elapsed.count()}});
  }
  if (file && options.report.show_text()) {
    for (unsigned v = parsed.first; v <= parsed.last; ++v)
      fmt::print("value {}: {} positions with x, y < {}\n", v, counts[v], parsed.limit);
    fmt::print("written to {} in {:.1f} s\n", *options.output, elapsed.count());
  }
  return kDone;
}

}  // namespace

void add_levels(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "levels",
      "List the positions of small values, one 'x y value' a line, by the smaller coordinate",
      "grundy levels --rule extended --values 0-1 --limit 20\n"
      "  grundy levels --values 0-7 --limit 100000 --output levels.h5\n"
      "  grundy levels --values 5 --limit 1000 --output fives.h5 --force --json\n"
      "  grundy levels --limit 10000 --quiet --progress");
  const auto options = std::make_shared<LevelsOptions>();
  options->rule.add_to(*command);
  command
      ->add_option("--values", options->values,
                   "List the values from A to B, at most 63, or only A")
      ->type_name("A-B")
      ->capture_default_str();
  command->add_option("--limit", options->limit, "List the positions with x, y < N")
      ->type_name("N")
      ->required();
  command->add_option("--output", options->output, "Write them to an HDF5 file, instead of text")
      ->type_name("FILE.h5");
  command->add_flag("--force", options->force, "Replace a file that exists");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return levels(*options); }; });
}

}  // namespace grundy::cli
