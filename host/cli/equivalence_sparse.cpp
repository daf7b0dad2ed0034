#include "equivalence_sparse.hpp"

#include <chrono>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "grundy/levels/definition_check.hpp"
#include "grundy/levels/level_equivalence.hpp"
#include "grundy/report/progress.hpp"

#include "equivalence_report.hpp"
#include "interrupt.hpp"

namespace grundy::cli {
namespace {

std::string mistake_text(const std::optional<Position>& mistake) {
  return mistake ? fmt::format("differ from the closed form in row {}", mistake->x)
                 : "are those of the closed form";
}

void print_result(const ReportFlags& report, const Rule& rule, std::uint64_t limit,
                  const LevelEquivalence& result, const DefinitionCheck& check, double seconds) {
  if (report.json) {
    nlohmann::ordered_json json{{"rule", rule.name()},
                                {"limit", limit},
                                {"ones", result.ones.positions},
                                {"classic_p_positions", result.classic_positions}};
    add_json(json, result.ones);
    json["misere"] = {{"positions", result.misere.positions}, {"source", "level sets"}};
    add_json(json["misere"], result.misere);
    json["classic_closed_form"] = !result.classic_mistake;
    if (result.zeros_have_closed_form) json["zeros_closed_form"] = !result.zeros_mistake;
    add_json(json, check);
    json["seconds"] = seconds;
    print_json(json);
  }
  if (!report.show_text()) return;
  fmt::print("{}, x, y < {}: {} positions with G = 1, {} misere P, {} classic P\n", rule.name(),
             limit, result.ones.positions, result.misere.positions, result.classic_positions);
  print_text("G = 1", result.ones);
  print_text("misere P", result.misere);
  fmt::print("classic P-positions by definition {}", mistake_text(result.classic_mistake));
  if (result.zeros_have_closed_form)
    fmt::print("; the zeros of {} {}", rule.name(), mistake_text(result.zeros_mistake));
  fmt::print("\n");
  print_text(check, rule);
  fmt::print("{:.1f} s\n", seconds);
}

}  // namespace

int sparse_equivalence(const Rule& rule, std::uint64_t limit, const ReportFlags& report) {
  const InterruptGuard guard;
  const auto start = std::chrono::steady_clock::now();
  LevelEquivalence result;
  {
    ProgressMeter meter("levels", limit, report.show_progress(), "rows");
    result = compare_levels(
        rule, limit, [&meter](std::uint64_t rows) { meter.add(rows); }, guard.stop_token());
  }
  guard.throw_if_stopped("interrupted before the limit");
  const std::optional<DefinitionCheck> check = check_by_definition(rule, limit, guard.stop_token());
  if (!check) guard.throw_if_stopped("interrupted before the checks by definition were complete");
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  print_result(report, rule, limit, result, *check, elapsed.count());
  const bool mistaken = result.classic_mistake || result.zeros_mistake || !check->holds();
  return result.ones.holds && !mistaken ? kDone : kCheckFailed;
}

}  // namespace grundy::cli
