// Line sets whose summaries are copied to fast memory while a band of the table works on them.
//
// The copies are what counts: every change of a summary goes to the copy and to the line itself, so
// nothing has to be written back. Value words stay where they are, since a search reads few of
// them.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"
#include "grundy/kernels/line_set.hpp"

namespace grundy {

/// `Slots` lines; of each, `Window` summary words around the place where searches end. Summary
/// words outside the window are reached in the line itself.
template <std::uint32_t Slots, std::uint32_t Window>
struct StagedLines {
  // Words of neighbouring slots lie side by side, for threads that work on neighbouring lines; the
  // padding keeps the words of one slot in different banks of shared memory.
  LineWord window[Window][Slots + 2];
  LineWord* line[Slots];
  std::uint32_t first[Slots];  // the summary word that window[0] holds
  std::uint32_t hint[Slots];   // as in the line; not kept up to date for diagonals
};

/// One of the lines in a StagedLines.
template <std::uint32_t Slots, std::uint32_t Window>
class StagedLine {
 public:
  GRUNDY_HD GRUNDY_ALWAYS_INLINE StagedLine(StagedLines<Slots, Window>& lines, std::uint32_t slot)
      : lines_(lines), line_(lines.line[slot]), first_(lines.first[slot]), slot_(slot) {}

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord* words() const { return line_; }
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t hint() const {
    return lines_.hint[slot_];
  }

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord summary(std::uint32_t word) const {
    const std::uint32_t at = word - first_;
    return at < Window ? lines_.window[at][slot_] : line_[word];
  }

  /// Marks value word `word` as full.
  GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord mark_full(std::uint32_t word) {
    const std::uint32_t at = word / 64 - first_;
    const LineWord full = summary(word / 64) | LineWord{1} << (word % 64);
    if (at < Window) lines_.window[at][slot_] = full;
    line_[word / 64] = full;
    return full;
  }

  /// Moves the hint on after mark_full(word), which returned `full`.
  GRUNDY_HD GRUNDY_ALWAYS_INLINE void advance_hint(std::uint32_t word, LineWord full,
                                                   std::uint32_t summary_words) {
    std::uint32_t at = word / 64;
    if (hint() / 8 != at) return;
    while (full == ~LineWord{0}) full = summary(++at);
    const std::uint32_t hint = at * 8 + lowest_bit(~full) / 8;
    lines_.hint[slot_] = hint;
    line_[summary_words] = hint;
  }

 private:
  StagedLines<Slots, Window>& lines_;
  LineWord* line_;
  std::uint32_t first_;
  std::uint32_t slot_;
};

/// A cell whose lines are staged, for solve_cell. On the main diagonal of a symmetric table row and
/// column are the same line, staged twice: both copies get the same changes.
template <typename Row, typename Column, typename Diagonal>
class StagedCell {
 public:
  using Index = std::uint32_t;

  GRUNDY_HD GRUNDY_ALWAYS_INLINE StagedCell(const Row& row, const Column& column,
                                            const Diagonal& diagonal, std::uint32_t summary_words)
      : row_(row), column_(column), diagonal_(diagonal), summary_words_(summary_words) {}

  /// Where the search starts: the larger hint, at the start of its word.
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE Index search_start() const {
    const Index row = row_.hint();
    const Index column = column_.hint();
    return (row < column ? column : row) & ~Index{7};
  }
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t full_words(Index byte) const {
    return row_.summary(byte / 8) | column_.summary(byte / 8) | diagonal_.summary(byte / 8);
  }
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord used_values(Index word) {
    const Index at = summary_words_ + 1 + word;
    row_values_ = row_.words()[at];
    column_values_ = column_.words()[at];
    diagonal_values_ = diagonal_.words()[at];
    return row_values_ | column_values_ | diagonal_values_;
  }
  GRUNDY_HD GRUNDY_ALWAYS_INLINE void use(Index word, LineWord bit) {
    const Index at = summary_words_ + 1 + word;
    row_.words()[at] = row_values_ | bit;
    column_.words()[at] = column_values_ | bit;
    diagonal_.words()[at] = diagonal_values_ | bit;
    if ((row_values_ | bit) == ~LineWord{0})
      row_.advance_hint(word, row_.mark_full(word), summary_words_);
    if ((column_values_ | bit) == ~LineWord{0})
      column_.advance_hint(word, column_.mark_full(word), summary_words_);
    if ((diagonal_values_ | bit) == ~LineWord{0}) (void)diagonal_.mark_full(word);
  }

 private:
  Row row_;
  Column column_;
  Diagonal diagonal_;
  std::uint32_t summary_words_;
  // As used_values() found them last: reading them again would cost what the search costs.
  LineWord row_values_ = 0;
  LineWord column_values_ = 0;
  LineWord diagonal_values_ = 0;
};

}  // namespace grundy
