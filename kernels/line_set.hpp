// Two-level line sets: the values already used on one line (row, column or diagonal) of the table.
//
// A line is 64-bit words, addressed by value word 0; with S summary words:
//
//   | summary word S-1 .. 1, 0 | hint | value word 0, 1, ... |
//
// value bit v    set: value v is used on this line
// summary bit w  set: value word w is full, so a search can step over 64 values with one bit
// hint                every summary word below it is full
//
// A new line is all zero. S is the same for all lines of a table. Everything is plain words, so
// that lines can be copied and moved. From each word of a line to the next there are as many words
// as lines lie side by side: kLineStride where cells are computed in place, on the host.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"

namespace grundy {

using LineWord = std::uint64_t;

/// Values that a summary word speaks of.
inline constexpr std::uint64_t kSummaryValues = std::uint64_t{64} * 64;

/// Summary words that lines for the values 0 .. values-1 need. One more than there are value words
/// for: it is never full, so it ends the scan for the hint.
constexpr std::uint64_t summary_words_for(std::uint64_t values) {
  return (values + kSummaryValues - 1) / kSummaryValues + 1;
}

/// Words of a line with `summary_words` summary words for the values 0 .. values-1.
constexpr std::uint64_t line_words(std::uint64_t summary_words, std::uint64_t values) {
  return summary_words + 1 + (values + 63) / 64;
}

/// Words from one of a line to the next where cells are computed in place: neighbouring cells need
/// about the same words of neighbouring lines, and those of eight lines lie in one cache line,
/// those of a tile's lines on few pages.
inline constexpr std::uint64_t kLineStride = 8;

/// The three lines that cross in one cell. On the main diagonal of a symmetric table row and
/// column are the same line.
struct CellLines {
  LineWord* row;
  LineWord* column;
  LineWord* diagonal;
};

// The words of a line, by its address.
GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord& value_word(LineWord* line, std::uint64_t word) {
  return line[kLineStride * word];
}
template <std::uint64_t Stride = kLineStride>
GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord& hint_of(LineWord* line) {
  return *(line - Stride);
}
template <std::uint64_t Stride = kLineStride>
GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord& summary_word(LineWord* line, std::uint64_t word) {
  return *(line - Stride * (word + 2));
}

/// Marks value word `word` as full: once in 64 uses of a line, so kept out of the common path.
GRUNDY_HD inline void mark_full(LineWord* line, std::uint64_t word) {
  summary_word(line, word / 64) |= LineWord{1} << (word % 64);
  LineWord& hint = hint_of(line);
  while (summary_word(line, hint) == ~LineWord{0}) ++hint;
}

/// Adds value 64 * word + (the index of bit) to the line; adding it twice changes nothing.
GRUNDY_HD GRUNDY_ALWAYS_INLINE void use_value(LineWord* line, std::uint64_t word, LineWord bit) {
  const LineWord used = value_word(line, word) | bit;
  value_word(line, word) = used;
  if (used == ~LineWord{0}) mark_full(line, word);
}

/// The smallest value that is free on all three lines of a cell; enters it on them. All cells that
/// a move from this one reaches must have been entered. The search starts with summary word
/// `start`: the hint of one of the lines, the largest for the shortest search. It ends because
/// G(x,y) <= x+y: every line of the cell is wide enough for that value, and it cannot be used yet
/// on all three.
///
/// `Cell` is how the lines are reached:
///   Index              an unsigned integer for words of a line
///   full_words(s)      summary word s of the lines together
///   used_values(word)  value word `word` of the lines together
///   use(word, bit)     enters a value of the word that used_values() looked at last
template <typename Cell>
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t solve_cell(Cell& cell, typename Cell::Index start) {
  using Index = typename Cell::Index;
  for (;; ++start) {
    // Value words that are full on none of the lines; one of them may still have no common hole.
    for (std::uint64_t open = ~cell.full_words(start); open != 0; open &= open - 1) {
      const Index word = start * 64 + static_cast<Index>(lowest_bit(open));
      const LineWord free = ~cell.used_values(word);
      if (free == 0) continue;
      cell.use(word, free & (~free + 1));
      return static_cast<std::uint32_t>(word * 64) + lowest_bit(free);
    }
  }
}

/// Enters a terminal cell: value 0 and no moves, yet it is an option of the cells beyond it.
template <typename Cell>
GRUNDY_HD void enter_terminal_cell(Cell& cell) {
  (void)cell.used_values(0);
  cell.use(0, 1);
}

/// A cell whose lines, with words kLineStride apart, are reached where they are.
class CellInPlace {
 public:
  using Index = std::uint64_t;

  GRUNDY_HD explicit CellInPlace(const CellLines& lines) : lines_(lines) {}

  [[nodiscard]] GRUNDY_HD std::uint64_t full_words(Index s) const {
    return summary_word(lines_.row, s) | summary_word(lines_.column, s) |
           summary_word(lines_.diagonal, s);
  }
  [[nodiscard]] GRUNDY_HD LineWord used_values(Index word) const {
    return value_word(lines_.row, word) | value_word(lines_.column, word) |
           value_word(lines_.diagonal, word);
  }
  GRUNDY_HD void use(Index word, LineWord bit) {
    use_value(lines_.row, word, bit);
    use_value(lines_.column, word, bit);
    use_value(lines_.diagonal, word, bit);
  }

 private:
  CellLines lines_;
};

}  // namespace grundy
