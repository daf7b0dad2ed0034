// Runs of cells along one line, for processors that work ahead of what they wait for. Host only.
//
// A processor looks ahead past cells that are not done, but may not read memory ahead of a write
// whose place it does not know, and a cell writes where its search ends. So what can be read early
// is read early: the summaries of the next cell before this one's value is entered, which cannot
// change them, and two value words at a time, of which the first that is not full counts, without a
// branch that nobody can predict.
//
// What is known of a whole block of runs is found once: most summary words of a line that is not
// full have a bit left, but few have one that is left on all lines of some cell of the block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"
#include "grundy/kernels/line_set.hpp"

namespace grundy {

/// Value words that no search in a block of runs has to look at, as summary words: those that are
/// full on all lines across the runs or on all their diagonals. Words only get fuller, so what is
/// covered stays covered while the block is computed.
class CoveredWords {
 public:
  /// Looks at summary words first <= s < last: from the least hint of the runs' lines on, and up to
  /// that of the largest x+y in the block. Those before mean nothing afterwards.
  void find(std::span<LineWord* const> across, std::span<LineWord* const> diagonals,
            std::uint64_t first, std::uint64_t last) {
    words_.resize(last);
    for (std::uint64_t s = first; s < last; ++s)
      words_[s] = full_on_all(across, s) | full_on_all(diagonals, s);
  }

  /// Nothing is known of the block.
  void find_nothing(std::uint64_t last) { words_.assign(last, 0); }

  [[nodiscard]] LineWord operator[](std::uint64_t s) const { return words_[s]; }
  [[nodiscard]] std::uint64_t last() const { return words_.size(); }

 private:
  static LineWord full_on_all(std::span<LineWord* const> lines, std::uint64_t s) {
    LineWord full = ~LineWord{0};
    for (LineWord* line : lines) full &= summary_word(line, s);
    return full;
  }

  std::vector<LineWord> words_;
};

/// If `used` is full, takes the other word and its first value instead.
GRUNDY_ALWAYS_INLINE void take_other_if_full(LineWord& used, std::uint64_t& value,
                                             LineWord other_used, std::uint64_t other_value) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
  // Compilers make a branch of it, wrong every other time.
  asm("cmp $-1, %0\n\tcmove %2, %0\n\tcmove %3, %1"
      : "+&r"(used), "+r"(value)
      : "r"(other_used), "r"(other_value)
      : "cc");
#else
  if (used == ~LineWord{0}) {
    used = other_used;
    value = other_value;
  }
#endif
}

/// What compute_run() does between cells: nothing.
struct NothingMeanwhile {
  static void first_step() {}
  static void second_step() {}
};

/// Values of consecutive cells of one line, entered on their lines, into out[0], out[out_step], ...
/// None of the cells is terminal. The run goes along a row to the right (`kDown` false) or along a
/// column downwards: `along` is that line, `across` are the lines that cross it in the cells, and
/// the diagonals are diagonals[0], [1], ... in a row, [0], [-1], ... in a column. No line of
/// `across` is `along`. `least_sum` is x+y of the first cell, the least of the run; `covered` is
/// what is known of a block that the run belongs to.
///
/// In the course of every four cells, the last four and less included, `meanwhile` does one
/// first_step() and one second_step(): work that has nothing to do with these cells, for a
/// processor to do while it waits for them.
template <bool kDown, typename Meanwhile>
inline void compute_run(LineWord* along, LineWord* const* across, LineWord* const* diagonals,
                        std::ptrdiff_t count, std::uint32_t* out, std::ptrdiff_t out_step,
                        std::uint64_t least_sum, const CoveredWords& covered,
                        Meanwhile& meanwhile) {
  constexpr std::ptrdiff_t kStep = kDown ? -1 : 1;
  constexpr LineWord kFull = ~LineWord{0};
  // Value words are addressed by their first value, 64 * word, which is also how many bytes from
  // the start of the line they lie, and summary words by bytes before it: nothing is left to
  // multiply.
  static_assert(kLineStride * sizeof(LineWord) == 64);
  const auto at_bytes = [](LineWord* line, std::ptrdiff_t bytes)
                            GRUNDY_ALWAYS_INLINE_LAMBDA -> LineWord& {
    return *reinterpret_cast<LineWord*>(reinterpret_cast<std::byte*>(line) + bytes);
  };
  const auto value_word_at = [&](LineWord* line, std::uint64_t value)
                                 GRUNDY_ALWAYS_INLINE_LAMBDA -> LineWord& {
    return at_bytes(line, static_cast<std::ptrdiff_t>(value));
  };
  // Every line of the run has this word, since it is wide enough for the value x+y. Beyond it other
  // lines may begin, which other threads write to.
  const std::uint64_t certain_value = least_sum / 64 * 64;

  // Windows of 64 value words in which `along` and the block leave something open: the first, and
  // which of the 64 after it, bit i for first + 1 + i. The last of these counts as open, so that
  // there always is a next one.
  std::uint64_t first = 0;
  std::uint64_t first_open = 0;
  std::uint64_t first_word = 0;
  std::ptrdiff_t first_bytes = 0;
  std::uint64_t further = 0;
  const auto open_on_along = [&](std::uint64_t s) {
    return ~(summary_word(along, s) | covered[s]);
  };
  const auto find_windows = [&] {
    first = hint_of(along);
    while ((first_open = open_on_along(first)) == 0) ++first;
    first_word = 64 * first;
    first_bytes = -static_cast<std::ptrdiff_t>(64 * (first + 2));
    further = 0;
    for (std::uint64_t s = std::min(covered.last() - 1, first + 64); s > first; --s)
      further = 2 * further + (open_on_along(s) != 0 ? 1 : 0);
    further |= std::uint64_t{1} << 63;
  };
  find_windows();

  /// The open words of the next window behind that which starts with word `word`.
  const auto look_further = [&](LineWord* cross, LineWord* diagonal,
                                std::uint64_t& word) GRUNDY_ALWAYS_INLINE_LAMBDA {
    std::uint64_t window = word / 64 + 1;
    if (window - first <= 64) window += lowest_bit(further >> (window - first - 1));
    word = 64 * window;
    return open_on_along(window) & ~(summary_word(cross, window) | summary_word(diagonal, window));
  };
  std::uint64_t next_word = 0;
  std::uint64_t next_open = 0;
  /// The first window of cell j that has an open word.
  const auto look_ahead = [&](std::ptrdiff_t j) GRUNDY_ALWAYS_INLINE_LAMBDA {
    LineWord* const cross = across[j];
    LineWord* const diagonal = diagonals[j * kStep];
    next_word = first_word;
    next_open = first_open & ~(at_bytes(cross, first_bytes) | at_bytes(diagonal, first_bytes));
    while (next_open == 0) next_open = look_further(cross, diagonal, next_word);
  };
  look_ahead(0);

  const auto compute = [&](std::ptrdiff_t j, bool has_next) GRUNDY_ALWAYS_INLINE_LAMBDA {
    std::uint64_t open = next_open;
    std::uint64_t word = next_word;
    if (has_next) look_ahead(j + 1);
    LineWord* const cross = across[j];
    LineWord* const diagonal = diagonals[j * kStep];
    const auto used_values = [&](std::uint64_t value) GRUNDY_ALWAYS_INLINE_LAMBDA {
      return value_word_at(along, value) | value_word_at(cross, value) |
             value_word_at(diagonal, value);
    };
    // Where no word of the window is left, the one behind it is next in any case. A lower word
    // instead does no harm, since all that come before the second are full.
    const std::uint64_t others = open & (open - 1);
    const std::uint64_t next = 64 * (word + lowest_bit_or_64(others));
    const std::uint64_t second = next < certain_value ? next : certain_value;
    std::uint64_t value = 64 * (word + lowest_bit(open));
    LineWord used = used_values(value);
    take_other_if_full(used, value, used_values(second), second);
    if (used == kFull) [[unlikely]] {
      open = second == next ? others & (others - 1) : others;
      do {
        while (open == 0) open = look_further(cross, diagonal, word);
        value = 64 * (word + lowest_bit(open));
        used = used_values(value);
        open &= open - 1;
      } while (used == kFull);
    }
    const LineWord bit = ~used & (used + 1);
    const auto enter = [&](LineWord* line) GRUNDY_ALWAYS_INLINE_LAMBDA {
      const LineWord now = value_word_at(line, value) | bit;
      value_word_at(line, value) = now;
      if (now != kFull) [[likely]]
        return false;
      mark_full(line, value / 64);
      return true;
    };
    enter(cross);
    enter(diagonal);
    out[kDown ? j * out_step : j] = static_cast<std::uint32_t>(value + lowest_bit(bit));
    if (enter(along) && has_next) {
      find_windows();
      look_ahead(j + 1);
    }
  };
  std::ptrdiff_t j = 0;
  for (; count - j > 4; j += 4) {
    compute(j, true);
    meanwhile.first_step();
    compute(j + 1, true);
    compute(j + 2, true);
    meanwhile.second_step();
    compute(j + 3, true);
  }
  meanwhile.first_step();
  for (; j + 1 < count; ++j) compute(j, true);
  meanwhile.second_step();
  compute(j, false);
}

}  // namespace grundy
