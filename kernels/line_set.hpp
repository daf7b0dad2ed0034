// Two-level line sets: the values already used on one line (row, column or diagonal) of the table.
//
// A line is 64-bit words, addressed by its first; with S summary words:
//
//   | summary word 0 .. S-1 | hint | value word 0, 1, ... |
//
// value bit v    set: value v is used on this line
// summary bit w  set: value word w is full, so a search can step over 64 values with one bit
// hint                every value word below 8 * hint is full
//
// A new line is all zero. S is the same for all lines of a table. Everything is plain words, so
// that lines can be copied and moved.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"

namespace grundy {

using LineWord = std::uint64_t;

/// Summary words that lines for the values 0 .. values-1 need. One more than there are value words
/// for: it is never full, so it ends the scan for the hint, and a window may reach into it.
constexpr std::uint64_t summary_words_for(std::uint64_t values) {
  constexpr std::uint64_t kValuesASummaryWord = std::uint64_t{64} * 64;
  return (values + kValuesASummaryWord - 1) / kValuesASummaryWord + 1;
}

/// Words of a line with `summary_words` summary words for the values 0 .. values-1.
constexpr std::uint64_t line_words(std::uint64_t summary_words, std::uint64_t values) {
  return summary_words + 1 + (values + 63) / 64;
}

/// The three lines that cross in one cell. On the main diagonal of a symmetric table row and
/// column are the same line.
struct CellLines {
  LineWord* row;
  LineWord* column;
  LineWord* diagonal;
};

/// 64 summary bits from bit 8 * byte on.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t summary_window(const LineWord* line,
                                                            std::uint64_t byte) {
  static_assert(std::endian::native == std::endian::little, "byte b holds the bits from 8b on");
  std::uint64_t window = 0;
  std::memcpy(&window, reinterpret_cast<const unsigned char*>(line) + byte, sizeof window);
  return window;
}

/// Marks value word `word` as full: once in 64 uses of a line, so kept out of the common path.
GRUNDY_HD inline void mark_full(LineWord* line, std::uint64_t summary_words, std::uint64_t word) {
  line[word / 64] |= LineWord{1} << (word % 64);
  LineWord& hint = line[summary_words];
  while ((line[hint / 8] >> (hint % 8 * 8) & 0xFF) == 0xFF) ++hint;
}

/// Adds value 64 * word + (the index of bit) to the line; adding it twice changes nothing.
GRUNDY_HD GRUNDY_ALWAYS_INLINE void use_value(LineWord* line, std::uint64_t summary_words,
                                              std::uint64_t word, LineWord bit) {
  LineWord& value_word = line[summary_words + 1 + word];
  const LineWord used = value_word | bit;
  value_word = used;
  if (used == ~LineWord{0}) mark_full(line, summary_words, word);
}

/// The smallest value that is free on all three lines of a cell; enters it on them. All cells that
/// a move from this one reaches must have been entered. `byte` is where in the summaries the search
/// starts: the hint of one of the lines, the largest for the shortest search. The search ends
/// because G(x,y) <= x+y: every line of the cell is wide enough for that value, and it cannot be
/// used yet on all three.
///
/// `Cell` is how the lines are reached:
///   Index              an unsigned integer for words and bytes of a line
///   full_words(byte)   64 summary bits from bit 8 * byte on, of the lines together
///   used_values(word)  value word `word` of the lines together
///   use(word, bit)     enters a value of the word that used_values() looked at last
template <typename Cell>
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t solve_cell(Cell& cell, typename Cell::Index byte) {
  using Index = typename Cell::Index;
  for (;; byte += 8) {
    // Value words that are full on none of the lines; one of them may still have no common hole.
    for (std::uint64_t open = ~cell.full_words(byte); open != 0; open &= open - 1) {
      const Index word = byte * 8 + static_cast<Index>(lowest_bit(open));
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

/// A cell whose lines are reached where they are.
class CellInPlace {
 public:
  using Index = std::uint64_t;

  GRUNDY_HD GRUNDY_ALWAYS_INLINE CellInPlace(const CellLines& lines, std::uint64_t summary_words)
      : lines_(lines), summary_words_(summary_words) {}

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t full_words(Index byte) const {
    return summary_window(lines_.row, byte) | summary_window(lines_.column, byte) |
           summary_window(lines_.diagonal, byte);
  }
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord used_values(Index word) const {
    const Index at = summary_words_ + 1 + word;
    return lines_.row[at] | lines_.column[at] | lines_.diagonal[at];
  }
  GRUNDY_HD GRUNDY_ALWAYS_INLINE void use(Index word, LineWord bit) {
    use_value(lines_.row, summary_words_, word, bit);
    use_value(lines_.column, summary_words_, word, bit);
    use_value(lines_.diagonal, summary_words_, word, bit);
  }

 private:
  CellLines lines_;
  std::uint64_t summary_words_;
};

}  // namespace grundy
