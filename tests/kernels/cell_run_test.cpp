#include "grundy/kernels/cell_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;

// The lines of a run of cells, with as many words as lines of so many values have, so that an
// address sanitizer sees every step beyond them.
struct RunLines {
  using Line = std::vector<LineWord>;

  RunLines(std::uint64_t values, std::size_t cells)
      : summary_words(summary_words_for(values)),
        along(line_words(summary_words, values)),
        across(cells, along),
        diagonals(cells, along) {}

  friend bool operator==(const RunLines&, const RunLines&) = default;

  void fill(Line& line, std::uint64_t word, LineWord bits) const {
    line[summary_words + 1 + word] |= bits;
    if (line[summary_words + 1 + word] == ~LineWord{0}) mark_full(line.data(), summary_words, word);
  }

  std::uint64_t summary_words;
  Line along;
  std::vector<Line> across;
  std::vector<Line> diagonals;
};

// Of the first `taken` words every cell has most full, on one of its lines or on several together.
RunLines random_lines(RandomCase& random, std::uint64_t values, std::size_t cells,
                      std::uint64_t taken) {
  RunLines lines(values, cells);
  const std::uint64_t open_of = 1 + random.below(400);  // a word in so many has a hole
  for (std::uint64_t word = 0; word < taken; ++word) {
    if (random.below(3) == 0) {
      lines.fill(lines.along, word, ~LineWord{0});
      continue;
    }
    const LineWord some = random.generator()();
    lines.fill(lines.along, word, some);
    for (std::size_t j = 0; j < cells; ++j) {
      const LineWord hole = random.below(open_of) == 0 ? LineWord{1} << random.below(64) : 0;
      const std::uint64_t kind = random.below(3);
      const LineWord on_across = kind == 0 ? ~LineWord{0} : kind == 1 ? 0 : random.generator()();
      lines.fill(lines.across[j], word, on_across & ~hole);
      lines.fill(lines.diagonals[j], word, (kind == 0 ? 0 : ~on_across | ~some) & ~hole);
    }
  }
  return lines;
}

template <bool kDown>
std::vector<std::uint32_t> values_by_run(RunLines& lines, std::uint64_t least_sum) {
  const auto cells = static_cast<std::ptrdiff_t>(lines.across.size());
  std::vector<LineWord*> across;
  std::vector<LineWord*> diagonals;
  for (auto& line : lines.across) across.push_back(line.data());
  for (auto& line : lines.diagonals) diagonals.push_back(line.data());
  if (kDown) std::reverse(diagonals.begin(), diagonals.end());
  std::vector<std::uint32_t> values(lines.across.size());
  NothingMeanwhile nothing;
  compute_run<kDown>(lines.along.data(), across.data(), kDown ? &diagonals.back() : &diagonals[0],
                     cells, values.data(), 1, lines.summary_words, least_sum, nothing);
  return values;
}

std::vector<std::uint32_t> values_one_by_one(RunLines& lines) {
  std::vector<std::uint32_t> values;
  for (std::size_t j = 0; j < lines.across.size(); ++j) {
    CellInPlace cell({lines.along.data(), lines.across[j].data(), lines.diagonals[j].data()},
                     lines.summary_words);
    values.push_back(solve_cell(cell, 0));
  }
  return values;
}

TEST(ComputeRun, FindsWhatASearchCellByCellFinds) {
  RandomCase random(61);
  for (int i = 0; i < support::cases(400); ++i) {
    // Up to 17 windows of 64 words, the words that are taken ending anywhere among them.
    const std::size_t cells = 1 + random.below(6);
    const std::uint64_t words = 1 + random.below(random.below(4) == 0 ? 1100 : 200);
    const std::uint64_t taken = random.below(words);
    const RunLines lines = random_lines(random, 64 * words, cells, taken);
    // The answer of any cell is at most as many values as its fullest lines can have in the way.
    const std::uint64_t least_sum = 64 * words - 1;
    RunLines expected = lines;
    const std::vector<std::uint32_t> values = values_one_by_one(expected);
    RunLines right = lines;
    ASSERT_EQ(values_by_run<false>(right, least_sum), values) << "case " << i;
    ASSERT_EQ(right, expected) << "case " << i;
    RunLines down = lines;
    ASSERT_EQ(values_by_run<true>(down, least_sum), values) << "case " << i;
    ASSERT_EQ(down, expected) << "case " << i;
  }
}

}  // namespace
}  // namespace grundy
