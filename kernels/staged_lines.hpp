// Line sets whose summaries are copied to fast memory while a band of the table works on them.
//
// The copies are what counts: every change of a summary goes to the copy and to the line itself, so
// nothing has to be written back. Value words stay where they are, since a search reads few of
// them. The words of a line follow each other: a thread for each copies them together.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"
#include "grundy/kernels/line_set.hpp"

namespace grundy {

/// `Slots` lines; of each, the `Window` summary words around the place where searches end, the same
/// words of all lines. Summary words outside the window are reached in the lines.
template <std::uint32_t Slots, std::uint32_t Window>
struct StagedLines {
  // Words of neighbouring slots lie side by side, for threads that work on neighbouring lines; the
  // padding keeps the words of one slot in different banks of shared memory.
  LineWord window[Window][Slots + 2];
  LineWord* values[Slots];    // the first value word of the line
  std::uint32_t hint[Slots];  // as in the line; of diagonals it is not kept
};

/// Words from one of a line to the next, here in place of kLineStride: the value words of a line
/// are those of an array.
inline constexpr std::uint64_t kStagedLineStride = 1;

/// Tells the compiler, on the device, that `words` is no shared or local memory.
GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord* in_global_memory(LineWord* words) {
#ifdef __CUDA_ARCH__
  __builtin_assume(__isGlobal(words));
#endif
  return words;
}

/// A cell whose lines are in the slots of a StagedLines, for solve_cell. On the main diagonal of a
/// symmetric table row and column are the same line in two slots: both copies get all changes.
template <std::uint32_t Slots, std::uint32_t Window>
class StagedCell {
 public:
  using Index = std::uint32_t;

  /// The window starts with summary word `first`.
  GRUNDY_HD GRUNDY_ALWAYS_INLINE StagedCell(StagedLines<Slots, Window>& lines, std::uint32_t row,
                                            std::uint32_t column, std::uint32_t diagonal,
                                            std::uint32_t first)
      : lines_(lines),
        row_{row, in_global_memory(lines.values[row])},
        column_{column, in_global_memory(lines.values[column])},
        diagonal_{diagonal, in_global_memory(lines.values[diagonal])},
        first_(first) {}

  /// Where the search starts: the larger hint.
  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE Index search_start() const {
    const Index row = lines_.hint[row_.slot];
    const Index column = lines_.hint[column_.slot];
    return row < column ? column : row;
  }

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t full_words(Index s) const {
    const Index at = s - first_;
    if (at < Window)
      return lines_.window[at][row_.slot] | lines_.window[at][column_.slot] |
             lines_.window[at][diagonal_.slot];
    return summary_in_line(row_, s) | summary_in_line(column_, s) | summary_in_line(diagonal_, s);
  }

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord used_values(Index word) {
    row_.used = row_.values[word];
    column_.used = column_.values[word];
    diagonal_.used = diagonal_.values[word];
    return row_.used | column_.used | diagonal_.used;
  }

  GRUNDY_HD GRUNDY_ALWAYS_INLINE void use(Index word, LineWord bit) {
    if (enter(row_, word, bit)) advance_hint(row_, word / 64, mark_full(row_, word));
    if (enter(column_, word, bit)) advance_hint(column_, word / 64, mark_full(column_, word));
    if (enter(diagonal_, word, bit)) (void)mark_full(diagonal_, word);
  }

 private:
  struct Line {
    std::uint32_t slot = 0;
    LineWord* values = nullptr;
    // What used_values() read last: reading it again would cost what the search costs.
    LineWord used = 0;
  };

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord& summary_in_line(const Line& line,
                                                                         Index word) const {
    return summary_word<kStagedLineStride>(line.values, word);
  }

  /// Enters the value; whether its word is full now.
  static GRUNDY_HD GRUNDY_ALWAYS_INLINE bool enter(const Line& line, Index word, LineWord bit) {
    const LineWord used = line.used | bit;
    line.values[word] = used;
    return used == ~LineWord{0};
  }

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord summary(const Line& line,
                                                                Index word) const {
    const Index at = word - first_;
    return at < Window ? lines_.window[at][line.slot] : summary_in_line(line, word);
  }

  /// Marks the value word as full, and returns its summary word.
  GRUNDY_HD GRUNDY_ALWAYS_INLINE LineWord mark_full(const Line& line, Index value_word) {
    const Index word = value_word / 64;
    const LineWord full = summary(line, word) | LineWord{1} << (value_word % 64);
    if (word - first_ < Window) lines_.window[word - first_][line.slot] = full;
    summary_in_line(line, word) = full;
    return full;
  }

  /// Moves the hint on after summary word `word` has become `full`.
  GRUNDY_HD GRUNDY_ALWAYS_INLINE void advance_hint(const Line& line, Index word, LineWord full) {
    if (lines_.hint[line.slot] != word) return;
    while (full == ~LineWord{0}) full = summary(line, ++word);
    lines_.hint[line.slot] = word;
    hint_of<kStagedLineStride>(line.values) = word;
  }

  StagedLines<Slots, Window>& lines_;
  Line row_;
  Line column_;
  Line diagonal_;
  Index first_;
};

}  // namespace grundy
