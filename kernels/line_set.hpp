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
#ifdef __CUDA_ARCH__
  return line[byte / 8];  // no unaligned loads there: byte is a multiple of 8
#else
  static_assert(std::endian::native == std::endian::little, "byte b holds the bits from 8b on");
  std::uint64_t window = 0;
  std::memcpy(&window, reinterpret_cast<const unsigned char*>(line) + byte, sizeof window);
  return window;
#endif
}

/// The summary byte to start the search at, from the hint of one of the cell's lines.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t search_start(const LineWord* line,
                                                          std::uint64_t summary_words) {
#ifdef __CUDA_ARCH__
  return line[summary_words] & ~std::uint64_t{7};
#else
  return line[summary_words];
#endif
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

/// The smallest value that is free on all three lines; enters it on them. All cells that a move
/// from this one reaches must have been entered. `fullest` is the row or column, whichever holds
/// more values: its hint is where the search starts. The search ends because G(x,y) <= x+y: every
/// line of the cell is wide enough for that value, and it cannot be used yet on all three.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t solve_cell(const CellLines& lines,
                                                        const LineWord* fullest,
                                                        std::uint64_t summary_words) {
  const auto [row, column, diagonal] = lines;
  for (std::uint64_t byte = search_start(fullest, summary_words);; byte += 8) {
    // Value words that are full on none of the lines; one of them may still have no common hole.
    for (std::uint64_t open = ~(summary_window(row, byte) | summary_window(column, byte) |
                                summary_window(diagonal, byte));
         open != 0; open &= open - 1) {
      const std::uint64_t word = byte * 8 + lowest_bit(open);
      const std::uint64_t at = summary_words + 1 + word;
      const LineWord free = ~(row[at] | column[at] | diagonal[at]);
      if (free == 0) continue;
      const LineWord bit = free & (~free + 1);
      use_value(row, summary_words, word, bit);
      use_value(column, summary_words, word, bit);
      use_value(diagonal, summary_words, word, bit);
      return static_cast<std::uint32_t>(word * 64) + lowest_bit(free);
    }
  }
}

/// Enters a terminal cell: value 0 and no moves, yet it is an option of the cells beyond it.
GRUNDY_HD inline void enter_terminal_cell(const CellLines& lines, std::uint64_t summary_words) {
  use_value(lines.row, summary_words, 0, 1);
  use_value(lines.column, summary_words, 0, 1);
  use_value(lines.diagonal, summary_words, 0, 1);
}

}  // namespace grundy
