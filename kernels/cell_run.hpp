// Runs of cells along one line, for processors that work ahead of what they wait for. Host only.
//
// A processor looks ahead past cells that are not done, but may not read memory ahead of a write
// whose place it does not know, and a cell writes where its search ends. So what can be read early
// is read early: the summaries of the next cell before this one's value is entered, which cannot
// change them, and two value words at a time, of which the first that is not full counts, without a
// branch that nobody can predict.
#pragma once

#include <cstddef>
#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/bits.hpp"
#include "grundy/kernels/line_set.hpp"

namespace grundy {

/// If `used` is full, takes the other word and its index instead.
GRUNDY_ALWAYS_INLINE void take_other_if_full(LineWord& used, std::uint64_t& at, LineWord other_used,
                                             std::uint64_t other_at) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
  // Compilers make a branch of it, wrong every other time.
  asm("cmp $-1, %0\n\tcmove %2, %0\n\tcmove %3, %1"
      : "+&r"(used), "+r"(at)
      : "r"(other_used), "r"(other_at)
      : "cc");
#else
  if (used == ~LineWord{0}) {
    used = other_used;
    at = other_at;
  }
#endif
}

/// What compute_run() does between cells: nothing.
struct NothingMeanwhile {
  static constexpr bool kHasWork = false;
};

/// Values of consecutive cells of one line, entered on their lines, into out[0], out[out_step], ...
/// None of the cells is terminal. The run goes along a row to the right (`kDown` false) or along a
/// column downwards: `along` is that line, `across` are the lines that cross it in the cells, and
/// the diagonals are diagonals[0], [1], ... in a row, [0], [-1], ... in a column. No line of
/// `across` is `along`. The search starts at the hint of `along`. `least_sum` is x+y of the first
/// cell, the least of the run.
///
/// In the course of four cells, `meanwhile`, if it has work, is to do one first_step() and one
/// second_step(): work that has nothing to do with these cells, for a processor to do while it
/// waits for them. The count is a multiple of four then.
template <bool kDown, typename Meanwhile>
inline void compute_run(LineWord* along, LineWord* const* across, LineWord* const* diagonals,
                        std::ptrdiff_t count, std::uint32_t* out, std::ptrdiff_t out_step,
                        std::uint64_t summary_words, std::uint64_t least_sum,
                        Meanwhile& meanwhile) {
  constexpr std::ptrdiff_t kStep = kDown ? -1 : 1;
  constexpr LineWord kFull = ~LineWord{0};
  const std::uint64_t first_word = summary_words + 1;
  const std::uint64_t first_value = 64 * first_word;
  // Every line of the run has this word, since it is wide enough for the value x+y. Beyond it other
  // lines may begin, which other threads write to.
  const std::uint64_t certain_word = first_word + least_sum / 64;
  std::uint64_t byte = along[summary_words];
  std::uint64_t along_window = summary_window(along, byte);
  std::uint64_t next_byte = 0;
  std::uint64_t next_open = 0;
  /// The first window of cell j that has an open word.
  const auto look_ahead = [&](std::ptrdiff_t j) GRUNDY_ALWAYS_INLINE_LAMBDA {
    const LineWord* const cross = across[j];
    const LineWord* const diagonal = diagonals[j * kStep];
    next_byte = byte;
    next_open = ~(summary_window(cross, byte) | summary_window(diagonal, byte) | along_window);
    while (next_open == 0) {
      next_byte += 8;
      next_open = ~(summary_window(along, next_byte) | summary_window(cross, next_byte) |
                    summary_window(diagonal, next_byte));
    }
  };
  look_ahead(0);
  const auto compute = [&](std::ptrdiff_t j, bool has_next) GRUNDY_ALWAYS_INLINE_LAMBDA {
    std::uint64_t open = next_open;
    std::uint64_t from = next_byte;
    std::uint64_t word = 8 * from + first_word;
    if (has_next) look_ahead(j + 1);
    LineWord* const cross = across[j];
    LineWord* const diagonal = diagonals[j * kStep];
    const auto used_values = [&](std::uint64_t at) { return along[at] | cross[at] | diagonal[at]; };
    // Where no word of the window is left, the one behind it is next in any case. A lower word
    // instead does no harm, since all that come before the second are full.
    const std::uint64_t others = open & (open - 1);
    const std::uint64_t next = word + lowest_bit_or_64(others);
    const std::uint64_t second = next < certain_word ? next : certain_word;
    std::uint64_t at = word + lowest_bit(open);
    LineWord used = used_values(at);
    take_other_if_full(used, at, used_values(second), second);
    if (used == kFull) [[unlikely]] {
      open = second == next ? others & (others - 1) : others;
      do {
        while (open == 0) {
          from += 8;
          word += 64;
          open = ~(summary_window(along, from) | summary_window(cross, from) |
                   summary_window(diagonal, from));
        }
        at = word + lowest_bit(open);
        used = used_values(at);
        open &= open - 1;
      } while (used == kFull);
    }
    const LineWord bit = ~used & (used + 1);
    const auto enter = [&](LineWord* line) {
      const LineWord now = line[at] | bit;
      line[at] = now;
      if (now == kFull) [[unlikely]] {
        mark_full(line, summary_words, at - first_word);
        return true;
      }
      return false;
    };
    enter(cross);
    enter(diagonal);
    out[kDown ? j * out_step : j] =
        static_cast<std::uint32_t>(64 * at + lowest_bit(bit) - first_value);
    if (enter(along)) {
      byte = along[summary_words];
      along_window = summary_window(along, byte);
      if (has_next) look_ahead(j + 1);
    }
  };
  if constexpr (Meanwhile::kHasWork) {
    for (std::ptrdiff_t j = 0; j < count; j += 4) {
      compute(j, true);
      meanwhile.first_step();
      compute(j + 1, true);
      compute(j + 2, true);
      meanwhile.second_step();
      compute(j + 3, j + 4 < count);
    }
  } else {
    for (std::ptrdiff_t j = 0; j + 1 < count; ++j) compute(j, true);
    compute(count - 1, false);
  }
}

}  // namespace grundy
