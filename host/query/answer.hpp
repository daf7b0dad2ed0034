// Who wins from a position, alone or beside a Nim heap, and with which moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grundy/game/play.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/query/line_values.hpp"

namespace grundy {

struct Question {
  Rule rule = Rule::classic();
  Position position;
  Play play = Play::kNormal;
  /// Stones on a Nim heap that is played beside it, under normal play.
  std::uint64_t heap = 0;
};

/// A position and the heap beside it.
struct SumPosition {
  Position position;
  std::uint64_t heap = 0;

  friend auto operator<=>(const SumPosition&, const SumPosition&) = default;
};

struct Answer {
  /// What the answer rests on. A terminal position without a heap needs nothing.
  enum class Source { kTerminal, kClosedForm, kComputedTable, kTableFile, kLevels };

  Outcome outcome = Outcome::kN;
  Source source = Source::kTerminal;
  /// The Grundy value of the position itself, under normal play, when it is known, and what it
  /// rests on: not always what the outcome does.
  std::optional<std::uint64_t> value;
  std::optional<Source> value_source;
  /// All moves to P-positions, in order. A position that is not terminal is N exactly when there is
  /// one. A terminal one has no move in the game: without a heap it is P under normal play and N
  /// under misere play.
  std::vector<SumPosition> winning_moves;
};

/// Work that answer() takes on where no closed form is known: cells of a table that it computes,
/// and the sum of the coordinates there, with whose square the memory grows; and (coordinate + 1) *
/// (heap + 1) of level sets, for heaps of up to 63 stones.
inline constexpr std::uint64_t kMostTableCells = std::uint64_t{1} << 24U;
inline constexpr std::uint64_t kMostTableSum = std::uint64_t{1} << 14U;
inline constexpr std::uint64_t kMostLevelWork = std::uint64_t{1} << 28U;

/// Whether a table up to p stays within both bounds; coordinates below 2^62.
bool can_compute_table(Position p);

/// Where the answer has no Grundy value, adds that of a table computed up to the position, if that
/// is small enough and the memory suffices. Under misere play there is none.
void add_value_by_table(const Question& question, Answer& answer);

/// By closed form, by a table, or by level sets, whichever is possible first. Throws UsageError for
/// coordinates from 2^62 on, for a heap under misere play, and, with what is possible, where none
/// of the three is.
Answer answer(const Question& question);

/// By the values of a table of the question's rule, as far as they decide: normal play only
/// (UsageError otherwise). `lines` belong to the question's position.
Answer answer_from_values(const Question& question, const LineValues& lines, Answer::Source source);

}  // namespace grundy
