#include "grundy/query/answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/levels/level_stream.hpp"
#include "grundy/query/level_targets.hpp"
#include "grundy/theory/beatty.hpp"
#include "grundy/theory/closed_form_set.hpp"

namespace grundy {
namespace {

void check(const Question& question) {
  for (const std::uint64_t coordinate : {question.position.x, question.position.y})
    if (coordinate >= kClosedFormLimit)
      throw UsageError(
          fmt::format("the coordinate {} is too large: positions have coordinates below 2^62 = {}",
                      coordinate, kClosedFormLimit));
  if (question.play == Play::kMisere && question.heap != 0)
    throw UsageError(
        "a Nim heap under misere play: what a terminal position beside a heap means is not agreed "
        "on; ask for normal play, or for no heap");
}

/// The moves in the game to `targets`, which leave the heap, and the move on the heap to the value
/// of the position, if that is lower.
Answer combine(const Question& question, const std::vector<Position>& targets,
               std::optional<std::uint64_t> value, bool is_p, Answer::Source source) {
  Answer answer;
  answer.source = source;
  answer.outcome = is_p ? Outcome::kP : Outcome::kN;
  if (question.play == Play::kNormal) answer.value = value;
  if (answer.value) answer.value_source = source;
  for (const Position& target : targets) answer.winning_moves.push_back({target, question.heap});
  if (value && *value < question.heap) answer.winning_moves.push_back({question.position, *value});
  std::sort(answer.winning_moves.begin(), answer.winning_moves.end());
  return answer;
}

/// From a terminal position only the heap moves.
Answer terminal_answer(const Question& question) {
  const bool is_p = question.play == Play::kNormal && question.heap == 0;
  return combine(question, {}, 0, is_p, Answer::Source::kTerminal);
}

/// Needs the set of the heap's value, and those below to know where the heap can go.
std::optional<Answer> closed_form_answer(const Question& question) {
  if (question.heap > 1) return std::nullopt;
  const ClosedFormSet* set = closed_form(question.rule, question.play, question.heap);
  if (set == nullptr) return std::nullopt;
  std::optional<std::uint64_t> value;
  for (std::uint64_t v = 0; v <= 1 && question.play == Play::kNormal; ++v) {
    const ClosedFormSet* level = closed_form(question.rule, Play::kNormal, v);
    if (level != nullptr && level->contains(question.position)) value = v;
  }
  return combine(question, set->reachable_from(question.position), value,
                 set->contains(question.position), Answer::Source::kClosedForm);
}

[[noreturn]] void refuse(const Question& question) {
  std::string beyond = fmt::format("({},{})", question.position.x, question.position.y);
  if (question.heap != 0) beyond += fmt::format(" with a heap of {}", question.heap);
  throw UsageError(fmt::format(
      "{} under {}: no closed form is known. Without one, a table is computed where (x+1)(y+1) <= "
      "{} and x + y <= {}, and level sets where the heap has at most {} stones and (larger "
      "coordinate + 1)(heap + "
      "1) <= {}; or give a larger table with --table",
      beyond, excerpt(question.rule.name()), kMostTableCells, kMostTableSum,
      LevelStream::kMaxLevels - 1, kMostLevelWork));
}

/// None where the table is too large, for this program or for the memory.
std::optional<LineValues> try_table(const Question& question) {
  if (question.play != Play::kNormal || !can_compute_table(question.position)) return std::nullopt;
  try {
    return compute_line_values(question.rule, question.position);
  } catch (const DeviceError&) {
    return std::nullopt;
  }
}

}  // namespace

Answer answer_from_values(const Question& question, const LineValues& lines,
                          Answer::Source source) {
  if (question.play == Play::kMisere)
    throw UsageError("a table of Grundy values does not decide misere play");
  const auto [x, y] = question.position;
  std::vector<Position> targets;
  for (std::uint64_t j = 0; j < lines.row.size(); ++j)
    if (lines.row[j] == question.heap) targets.push_back({x, j});
  for (std::uint64_t i = 0; i < lines.column.size(); ++i)
    if (lines.column[i] == question.heap) targets.push_back({i, y});
  for (std::uint64_t t = 1; t <= lines.diagonal.size(); ++t)
    if (lines.diagonal[t - 1] == question.heap) targets.push_back({x - t, y - t});
  return combine(question, targets, lines.own, lines.own == question.heap, source);
}

bool can_compute_table(Position p) {
  return p.x + p.y <= kMostTableSum && (p.x + 1) * (p.y + 1) <= kMostTableCells;
}

void add_value_by_table(const Question& question, Answer& answer) {
  if (answer.value) return;
  const std::optional<LineValues> lines = try_table(question);
  if (!lines) return;
  answer.value = lines->own;
  answer.value_source = Answer::Source::kComputedTable;
}

Answer answer(const Question& question) {
  check(question);
  const auto [x, y] = question.position;
  if (question.rule.is_terminal(question.position)) return terminal_answer(question);
  if (std::optional<Answer> found = closed_form_answer(question)) return *std::move(found);
  if (const std::optional<LineValues> lines = try_table(question))
    return answer_from_values(question, *lines, Answer::Source::kComputedTable);
  if (question.heap >= LevelStream::kMaxLevels ||
      std::max(x, y) + 1 > kMostLevelWork / (question.heap + 1))
    refuse(question);
  const LevelTargets found =
      find_by_levels(question.rule, question.play, question.position, question.heap);
  return combine(question, found.positions, found.value, found.value == question.heap,
                 Answer::Source::kLevels);
}

}  // namespace grundy
