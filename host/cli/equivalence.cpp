// grundy equivalence: is G = 1 exactly where classic Wythoff has a P-position?
#include "grundy/theory/equivalence.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/levels/definition_check.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/theory/closed_form_set.hpp"

#include "equivalence_report.hpp"
#include "equivalence_sparse.hpp"
#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct EquivalenceOptions {
  RuleOption rule{"extended"};
  std::optional<std::string> size;
  std::vector<std::string> tables;
  std::optional<std::string> limit;
  EngineFlags engine;
  ReportFlags report;
};

/// Where the two sets of positions come from.
struct Subject {
  Rule rule = Rule::classic();
  Extent extent;
  std::vector<Position> ones;       // G = 1 under the rule
  std::vector<Position> classic_p;  // G = 0 under the classic rule
};

Subject compute_subject(const EquivalenceOptions& options, const InterruptGuard& guard) {
  Subject subject;
  subject.rule = options.rule.rule();
  ExtentOptions square;
  square.size = options.size;
  subject.extent = square.extent();
  const std::unique_ptr<Engine> engine = options.engine.engine();
  const Rule classic = Rule::classic();
  Engine::LevelPair levels;
  ProgressMeter meter(std::string(engine->name()), 2 * subject.extent.cells(),
                      options.report.show_progress());
  if (!engine->find_levels(
          {&subject.rule, 1}, {&classic, 0}, subject.extent, levels,
          [&meter](std::uint64_t cells) { meter.add(cells); }, guard.stop_token()))
    throw Interrupted{guard.signal(), "interrupted before the tables were complete"};
  subject.ones = std::move(levels.first);
  subject.classic_p = std::move(levels.second);
  return subject;
}

std::vector<Position> read_positions(const DatasetReader& reader, const std::string& path,
                                     std::uint32_t value) {
  if (!reader.info().complete) throw IoError(path + " is not a complete table");
  PositionSink positions(value);
  read_tiles(reader, positions);
  return positions.positions();
}

Subject read_subject(const std::string& rule_path, const std::string& classic_path) {
  const DatasetReader rule_table(rule_path);
  const DatasetReader classic_table(classic_path);
  if (classic_table.info().rule != Rule::classic())
    throw UsageError(fmt::format("{}: the second table must be of the classic rule, not {}",
                                 classic_path, classic_table.info().rule.name()));
  const auto& [rows, cols] = rule_table.info().extent;
  if (classic_table.info().extent != rule_table.info().extent)
    throw UsageError(fmt::format("the tables differ in size: {} x {} and {} x {}", rows, cols,
                                 classic_table.info().extent.rows,
                                 classic_table.info().extent.cols));
  return {rule_table.info().rule, rule_table.info().extent,
          read_positions(rule_table, rule_path, 1), read_positions(classic_table, classic_path, 0)};
}

ComparedSet compared(const char* name, std::uint64_t positions, const Equivalence& set) {
  return {name, positions, set.exceptions.size(), set.exceptions, set.threshold, set.holds};
}

void print_result(const EquivalenceOptions& options, const Subject& subject,
                  const ComparedSet& ones, const ComparedSet& misere, const DefinitionCheck& check,
                  double seconds) {
  if (options.report.json) {
    nlohmann::ordered_json json{{"rule", subject.rule.name()},
                                {"limit", std::max(subject.extent.rows, subject.extent.cols)},
                                {"rows", subject.extent.rows},
                                {"cols", subject.extent.cols},
                                {"ones", ones.positions},
                                {"classic_p_positions", subject.classic_p.size()}};
    add_json(json, ones);
    json["misere"] = {{"positions", misere.positions}};
    add_json(json["misere"], misere);
    add_json(json, check);
    json["seconds"] = seconds;
    print_json(json);
  }
  if (!options.report.show_text()) return;
  fmt::print("{}, {} x {} positions: {} with G = 1, {} misere P, {} classic P\n",
             subject.rule.name(), subject.extent.rows, subject.extent.cols, ones.positions,
             misere.positions, subject.classic_p.size());
  print_text(ones);
  print_text(misere);
  print_text(check);
}

int equivalence(const EquivalenceOptions& options) {
  if ((options.tables.empty() ? 0 : 1) + (options.size ? 1 : 0) + (options.limit ? 1 : 0) != 1)
    throw UsageError(
        "give one of --size N, to compute the tables, --tables RULE.h5 CLASSIC.h5, and --limit N, "
        "to go far without tables");
  if (options.limit)
    return sparse_equivalence(options.rule.rule(), parse_count("--limit", *options.limit),
                              options.report);
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  const Subject subject = options.tables.empty()
                              ? compute_subject(options, guard)
                              : read_subject(options.tables[0], options.tables[1]);
  // The classic table has to be right before anything is compared with it.
  if (subject.classic_p != ClosedFormSet::classic_p().inside(subject.extent))
    throw IoError("the zeros of the classic table are not the P-positions of the closed form");
  const Equivalence ones = compare_with_classic_p(subject.ones, subject.classic_p, subject.extent);
  // Grundy values say nothing about misere play: its positions come from the rule.
  const std::vector<Position> misere_p = misere_p_positions(subject.rule, subject.extent);
  const Equivalence misere = compare_with_classic_p(misere_p, subject.classic_p, subject.extent);
  const DefinitionCheck check =
      check_by_definition(subject.rule, std::max(subject.extent.rows, subject.extent.cols));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_result(options, subject, compared("G = 1", subject.ones.size(), ones),
               compared("misere P", misere_p.size(), misere), check, elapsed.count());
  return ones.holds && check.holds() ? kDone : kCheckFailed;
}

}  // namespace

void add_equivalence(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "equivalence",
                                  "Compare the positions with G = 1 under a rule, and its misere "
                                  "P-positions, with the P-positions "
                                  "of classic Wythoff",
                                  "grundy equivalence --rule extended --size 4096\n"
                                  "  grundy equivalence --rule extended --limit 10000000");
  const auto options = std::make_shared<EquivalenceOptions>();
  options->rule.add_to(*command);
  command->add_option("--size", options->size, "Compute both tables, N x N positions")
      ->type_name("N");
  command
      ->add_option("--tables", options->tables,
                   "Read both tables: one of the rule, and one of the classic rule")
      ->type_name("RULE.h5 CLASSIC.h5")
      ->expected(2);
  command
      ->add_option("--limit", options->limit,
                   "Compare all x, y < N by level sets, without tables: N = 10^9 takes a minute or "
                   "two")
      ->type_name("N");
  options->engine.add_to(*command);
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return equivalence(*options); }; });
}

}  // namespace grundy::cli
