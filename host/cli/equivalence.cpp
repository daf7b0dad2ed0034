// grundy equivalence: is G = 1 exactly where classic Wythoff has a P-position?
#include "grundy/theory/equivalence.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/levels/definition_check.hpp"
#include "grundy/levels/level_equivalence.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/theory/beatty.hpp"
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
  std::vector<std::string> engine_options;  // those of them that were given
  ReportFlags report;
};

/// Where the two sets of positions come from.
struct Subject {
  Rule rule = Rule::classic();
  Extent extent;
  std::vector<Position> ones;       // G = 1 under the rule
  std::vector<Position> classic_p;  // G = 0 under the classic rule
};

/// What was found, and what the output says of it.
struct Findings {
  Equivalence ones;
  Equivalence misere;
  DefinitionCheck check;
  /// The first position where the zeros of the classic table are not those of the closed form.
  std::optional<Position> classic_mistake;

  [[nodiscard]] bool holds() const { return ones.holds && check.holds() && !classic_mistake; }
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
    guard.throw_if_stopped("interrupted before the tables were complete");
  subject.ones = std::move(levels.first);
  subject.classic_p = std::move(levels.second);
  return subject;
}

std::vector<Position> read_positions(const DatasetReader& reader, std::uint32_t value,
                                     const InterruptGuard& guard) {
  reader.require_whole_table();
  PositionSink positions(value);
  if (!read_tiles(reader, positions, guard.stop_token()))
    guard.throw_if_stopped("interrupted before the tables were read");
  return positions.positions();
}

Subject read_subject(const EquivalenceOptions& options, const InterruptGuard& guard) {
  const std::string& rule_path = options.tables[0];
  const std::string& classic_path = options.tables[1];
  for (const std::string& path : options.tables) probe_table_file(path);
  const DatasetReader rule_table(rule_path);
  const DatasetReader classic_table(classic_path);
  if (options.rule.given && options.rule.rule() != rule_table.info().rule)
    throw UsageError(fmt::format("{} is a table of {}, not of {}", rule_path,
                                 excerpt(rule_table.info().rule.name()),
                                 excerpt(*options.rule.given)));
  if (classic_table.info().rule != Rule::classic())
    throw UsageError(fmt::format("{}: the second table must be of the classic rule, not {}",
                                 classic_path, classic_table.info().rule.name()));
  const auto& [rows, cols] = rule_table.info().extent;
  if (classic_table.info().extent != rule_table.info().extent)
    throw UsageError(fmt::format("the tables differ in size: {} x {} and {} x {}", rows, cols,
                                 classic_table.info().extent.rows,
                                 classic_table.info().extent.cols));
  return {rule_table.info().rule, rule_table.info().extent, read_positions(rule_table, 1, guard),
          read_positions(classic_table, 0, guard)};
}

/// The first position that is in one of two sets only.
std::optional<Position> first_difference(const std::vector<Position>& a,
                                         const std::vector<Position>& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() && in_b == b.end()) return std::nullopt;
  if (in_a == a.end()) return *in_b;
  return in_b == b.end() ? *in_a : std::min(*in_a, *in_b);
}

Findings find(const Subject& subject, const InterruptGuard& guard) {
  const Extent& extent = subject.extent;
  Findings findings;
  // Should the classic table be wrong, nothing is compared with it.
  const std::vector<Position> classic_p = ClosedFormSet::classic_p().inside(extent);
  findings.classic_mistake = first_difference(subject.classic_p, classic_p);
  findings.ones = compare_with_classic_p(subject.ones, classic_p, extent);
  // Grundy values say nothing about misere play: its positions come from the rule.
  const std::optional<std::vector<Position>> misere_p =
      misere_p_positions(subject.rule, extent, guard.stop_token());
  if (!misere_p) guard.throw_if_stopped("interrupted before the misere P-positions were complete");
  findings.misere = compare_with_classic_p(*misere_p, classic_p, extent);
  const std::optional<DefinitionCheck> check =
      check_by_definition(subject.rule, std::max(extent.rows, extent.cols), guard.stop_token());
  if (!check) guard.throw_if_stopped("interrupted before the checks by definition were complete");
  findings.check = *check;
  return findings;
}

void print_result(const EquivalenceOptions& options, const Subject& subject,
                  const Findings& findings, double seconds) {
  const Equivalence& ones = findings.ones;
  const Equivalence& misere = findings.misere;
  if (options.report.json) {
    nlohmann::ordered_json json{{"rule", subject.rule.name()},
                                {"limit", std::max(subject.extent.rows, subject.extent.cols)},
                                {"rows", subject.extent.rows},
                                {"cols", subject.extent.cols},
                                {"ones", ones.positions},
                                {"classic_p_positions", subject.classic_p.size()}};
    add_json(json, ones);
    json["misere"] = {{"positions", misere.positions}, {"source", "level sets"}};
    add_json(json["misere"], misere);
    json["classic_closed_form"] = !findings.classic_mistake;
    if (findings.classic_mistake)
      json["classic_mistake"] = {findings.classic_mistake->x, findings.classic_mistake->y};
    add_json(json, findings.check);
    json["seconds"] = seconds;
    print_json(json);
  }
  if (!options.report.show_text()) return;
  fmt::print("{}, {} x {} positions: {} with G = 1, {} misere P, {} classic P\n",
             subject.rule.name(), subject.extent.rows, subject.extent.cols, ones.positions,
             misere.positions, subject.classic_p.size());
  fmt::print("G = 1 and classic P from tables, misere P from level sets of {}\n",
             subject.rule.name());
  print_text("G = 1", ones);
  print_text("misere P", misere);
  if (findings.classic_mistake) {
    fmt::print(
        "the zeros of the classic table are NOT those of the closed form: first at ({},{})\n",
        findings.classic_mistake->x, findings.classic_mistake->y);
  } else {
    fmt::print("the zeros of the classic table are those of the closed form\n");
  }
  print_text(findings.check, subject.rule);
}

int equivalence(const EquivalenceOptions& options) {
  if ((options.tables.empty() ? 0 : 1) + (options.size ? 1 : 0) + (options.limit ? 1 : 0) != 1)
    throw UsageError(
        "give one of --size N, to compute the tables, --tables RULE.h5 CLASSIC.h5, and --limit N, "
        "to go far without tables");
  if (!options.size && !options.engine_options.empty())
    throw UsageError(fmt::format("{} is for --size: {} computes no tables",
                                 options.engine_options.front(),
                                 options.limit ? "--limit" : "--tables"));
  if (options.limit)
    return sparse_equivalence(options.rule.rule(),
                              parse_count("--limit", *options.limit, kClosedFormLimit - 1),
                              options.report);
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  const Subject subject =
      options.tables.empty() ? compute_subject(options, guard) : read_subject(options, guard);
  const Findings findings = find(subject, guard);
  guard.throw_if_stopped("interrupted before the result");
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_result(options, subject, findings, elapsed.count());
  return findings.holds() ? kDone : kCheckFailed;
}

}  // namespace

void add_equivalence(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "equivalence",
                                  "Compare the positions with G = 1 under a rule, and its misere "
                                  "P-positions, with the P-positions "
                                  "of classic Wythoff",
                                  "grundy equivalence --rule extended --size 4096\n"
                                  "  grundy equivalence --rule extended --limit 10000000\n"
                                  "  grundy equivalence --tables extended.h5 classic.h5\n"
                                  "  grundy equivalence --size 500 --engine auto --threads 2 "
                                  "--device 0 --schedule waves --json\n"
                                  "  grundy equivalence --size 500 --quiet --progress");
  const auto options = std::make_shared<EquivalenceOptions>();
  options->rule.add_to(*command,
                       "Terminal positions of the game; with --tables those of the first file");
  command->add_option("--size", options->size, "Compute both tables, of N x N positions")
      ->type_name("N");
  command
      ->add_option("--tables", options->tables,
                   "Read both tables: one of the rule, and one of the classic rule")
      ->type_name("RULE.h5 CLASSIC.h5")
      ->expected(2);
  command
      ->add_option("--limit", options->limit,
                   fmt::format("Compare all x, y < N by level sets, without tables: N = 10^9 takes "
                               "a minute or two; of each set at most {} exceptions are listed, all "
                               "are counted",
                               LevelEquivalence::kMostListed))
      ->type_name("N");
  options->engine.add_to(*command);
  options->report.add_to(*command);
  command->callback([options, command, &action] {
    for (const char* name : {"--engine", "--threads", "--device", "--schedule"})
      if (command->count(name) > 0) options->engine_options.emplace_back(name);
    action = [options] { return equivalence(*options); };
  });
}

}  // namespace grundy::cli
