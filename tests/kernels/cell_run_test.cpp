#include "grundy/kernels/cell_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/own_line.hpp"
#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::OwnLine;
using support::RandomCase;

// The lines of a run of cells.
struct RunLines {
  RunLines(std::uint64_t values, std::size_t cells)
      : summary_words(summary_words_for(values)),
        along(summary_words, values),
        across(cells, along),
        diagonals(cells, along) {}

  friend bool operator==(const RunLines&, const RunLines&) = default;

  std::uint64_t summary_words;
  OwnLine along;
  std::vector<OwnLine> across;
  std::vector<OwnLine> diagonals;
};

std::vector<LineWord*> addresses(std::vector<OwnLine>& lines) {
  std::vector<LineWord*> found;
  for (OwnLine& line : lines) found.push_back(line.line());
  return found;
}

// Enters values of a word, none or several.
void fill(OwnLine& line, std::uint64_t word, LineWord bits) { use_value(line.line(), word, bits); }

// Fills value words first <= word < last.
void fill_words(OwnLine& line, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t word = first; word < last; ++word) fill(line, word, ~LineWord{0});
}

// Of the first `taken` words every cell has most full, on one of its lines or on several together;
// a stretch of them may be full on the line of the run.
RunLines random_lines(RandomCase& random, std::uint64_t values, std::size_t cells,
                      std::uint64_t taken) {
  RunLines lines(values, cells);
  const std::uint64_t open_of = 1 + random.below(400);  // a word in so many has a hole
  const std::uint64_t stretch = random.below(taken + 1);
  const std::uint64_t stretch_end = random.coin() ? stretch + random.below(taken + 1) : stretch;
  for (std::uint64_t word = 0; word < taken; ++word) {
    if (random.below(3) == 0 || (stretch <= word && word < stretch_end)) {
      fill(lines.along, word, ~LineWord{0});
      continue;
    }
    const LineWord some = random.generator()();
    fill(lines.along, word, some);
    for (std::size_t j = 0; j < cells; ++j) {
      const LineWord hole = random.below(open_of) == 0 ? LineWord{1} << random.below(64) : 0;
      const std::uint64_t kind = random.below(3);
      const LineWord on_across = kind == 0 ? ~LineWord{0} : kind == 1 ? 0 : random.generator()();
      fill(lines.across[j], word, on_across & ~hole);
      fill(lines.diagonals[j], word, (kind == 0 ? 0 : ~on_across | ~some) & ~hole);
    }
  }
  return lines;
}

// What is known of the run's lines beforehand.
enum class Known { kNothing, kEverything };

template <bool kDown>
std::vector<std::uint32_t> values_by_run(RunLines& lines, std::uint64_t least_sum, Known known) {
  const auto cells = static_cast<std::ptrdiff_t>(lines.across.size());
  std::vector<LineWord*> across = addresses(lines.across);
  std::vector<LineWord*> diagonals = addresses(lines.diagonals);
  if (kDown) std::reverse(diagonals.begin(), diagonals.end());
  LineWord* const along = lines.along.line();
  CoveredWords covered;
  if (known == Known::kEverything)
    covered.find(across, diagonals, hint_of(along), lines.summary_words);
  else
    covered.find_nothing(lines.summary_words);
  std::vector<std::uint32_t> values(lines.across.size());
  NothingMeanwhile nothing;
  compute_run<kDown>(along, across.data(), kDown ? &diagonals.back() : &diagonals[0], cells,
                     values.data(), 1, least_sum, covered, nothing);
  return values;
}

std::vector<std::uint32_t> values_one_by_one(RunLines& lines) {
  std::vector<std::uint32_t> values;
  for (std::size_t j = 0; j < lines.across.size(); ++j) {
    CellInPlace cell({lines.along.line(), lines.across[j].line(), lines.diagonals[j].line()});
    values.push_back(solve_cell(cell, 0));
  }
  return values;
}

TEST(ComputeRun, FindsWhatASearchCellByCellFinds) {
  RandomCase random(61);
  for (int i = 0; i < support::cases(400); ++i) {
    // The words that are taken end anywhere among up to 17 windows of 64 words, sometimes 150.
    const std::size_t cells = 1 + random.below(10);
    const std::uint64_t kind = random.below(20);
    const std::uint64_t words = 1 + random.below(kind == 0 ? 9600 : kind < 5 ? 1100 : 200);
    const std::uint64_t taken = random.below(words);
    const RunLines lines = random_lines(random, 64 * words, cells, taken);
    // The answer of any cell is at most as many values as its fullest lines can have in the way.
    const std::uint64_t least_sum = 64 * words - 1;
    RunLines expected = lines;
    const std::vector<std::uint32_t> values = values_one_by_one(expected);
    for (const Known known : {Known::kNothing, Known::kEverything}) {
      RunLines right = lines;
      ASSERT_EQ(values_by_run<false>(right, least_sum, known), values) << "case " << i;
      ASSERT_EQ(right, expected) << "case " << i;
      RunLines down = lines;
      ASSERT_EQ(values_by_run<true>(down, least_sum, known), values) << "case " << i;
      ASSERT_EQ(down, expected) << "case " << i;
    }
  }
}

TEST(ComputeRun, FindsTheNextWindowHoweverFarItIs) {
  // The first window has a word that is open on the line of the run but on no cell's other lines;
  // then come windows that are full on the line, on all lines across, on one of each cell's, or
  // first on one of each cell's and from the tenth on on the line.
  for (const std::uint64_t windows : {1U, 2U, 61U, 62U, 63U, 64U, 65U, 66U, 129U, 130U}) {
    for (int full_on = 0; full_on < 4; ++full_on) {
      const std::uint64_t end = 64 * (1 + windows);  // the word with the values looked for
      RunLines lines(64 * (end + 1), 5);
      fill_words(lines.along, 1, 64);
      if (full_on == 0) fill_words(lines.along, 64, end);
      if (full_on == 3) fill_words(lines.along, 640, end);
      for (std::size_t j = 0; j < 5; ++j) {
        fill_words(lines.across[j], 0, 1);
        if (full_on == 1) fill_words(lines.across[j], 64, end);
        if (full_on >= 2) fill_words(j % 2 == 0 ? lines.across[j] : lines.diagonals[j], 64, end);
      }
      for (const Known known : {Known::kNothing, Known::kEverything}) {
        RunLines run = lines;
        std::vector<std::uint32_t> expected;
        for (std::uint32_t j = 0; j < 5; ++j)
          expected.push_back(static_cast<std::uint32_t>(64 * end) + j);
        EXPECT_EQ(values_by_run<false>(run, 64 * end, known), expected)
            << windows << " windows, case " << full_on;
      }
    }
  }
}

TEST(ComputeRun, ReadsNothingBeyondTheBlockWhenItsLastCellFillsTheLine) {
  // As in the first row of a table of 4096 columns: the covered words end with the value x+y.
  constexpr std::uint64_t kValues = 4096;
  constexpr std::uint64_t kLastWord = 63;
  RunLines lines(kValues, 1);
  fill_words(lines.along, 0, kLastWord);
  for (std::uint64_t value = 64 * kLastWord; value < kValues - 1; ++value)
    fill(lines.along, kLastWord, LineWord{1} << value % 64);
  LineWord* const across = lines.across[0].line();
  LineWord* const diagonal = lines.diagonals[0].line();
  CoveredWords covered;
  covered.find_nothing(1);
  std::uint32_t value = 0;
  NothingMeanwhile nothing;
  compute_run<false>(lines.along.line(), &across, &diagonal, 1, &value, 1, kValues - 1, covered,
                     nothing);
  EXPECT_EQ(value, kValues - 1);
  EXPECT_EQ(hint_of(lines.along.line()), 1U);
}

TEST(ComputeRun, TakesTheFirstOfTwoWordsAtTheEndOfTheNarrowestLine) {
  // Lines as narrow as in a table, whose last word is the only open one.
  for (const std::uint64_t sum : {63U, 64U, 127U, 1000U, 4095U, 4096U, 4159U, 9000U}) {
    RunLines lines(sum + 1, 1);
    for (std::uint64_t value = 0; value < sum; ++value)
      fill(value % 3 == 0   ? lines.along
           : value % 3 == 1 ? lines.across[0]
                            : lines.diagonals[0],
           value / 64, LineWord{1} << value % 64);
    for (const Known known : {Known::kNothing, Known::kEverything}) {
      RunLines run = lines;
      EXPECT_EQ(values_by_run<false>(run, sum, known),
                std::vector<std::uint32_t>{static_cast<std::uint32_t>(sum)});
    }
  }
}

TEST(CoveredWords, AreFullOnAllLinesAcrossOrOnAllDiagonals) {
  RandomCase random(62);
  CoveredWords covered;  // used again for each block
  std::uint64_t some = 0;
  for (int i = 0; i < support::cases(200); ++i) {
    const std::uint64_t words = 1 + random.below(300);
    const std::size_t cells = 1 + random.below(9);
    RunLines lines(64 * words, cells);
    for (std::uint64_t word = 0; word < words; ++word) {
      // Full on all of them, on all but one, or on any.
      for (auto* family : {&lines.across, &lines.diagonals}) {
        const std::uint64_t kind = random.below(4);
        const std::size_t but_one = random.below(cells);
        for (std::size_t j = 0; j < cells; ++j)
          if (kind == 0 || (kind == 1 && j != but_one) || (kind == 2 && random.coin()))
            fill((*family)[j], word, ~LineWord{0});
      }
    }
    const std::vector<LineWord*> across = addresses(lines.across);
    const std::vector<LineWord*> diagonals = addresses(lines.diagonals);
    const std::uint64_t last = lines.summary_words;
    const std::uint64_t first = random.below(last);
    if (random.below(4) == 0) covered.find_nothing(last + 1);
    covered.find(across, diagonals, first, last);
    ASSERT_EQ(covered.last(), last);
    for (std::uint64_t word = 64 * first; word < words; ++word) {
      const auto is_full = [&](LineWord* line) { return value_word(line, word) == ~LineWord{0}; };
      const bool expected = std::all_of(across.begin(), across.end(), is_full) ||
                            std::all_of(diagonals.begin(), diagonals.end(), is_full);
      ASSERT_EQ((covered[word / 64] >> word % 64 & 1U) != 0, expected) << "word " << word;
      some += expected ? 1 : 0;
    }
    covered.find_nothing(last);
    for (std::uint64_t s = 0; s < last; ++s) ASSERT_EQ(covered[s], 0U);
  }
  EXPECT_GT(some, 0U);
}

struct StepCounter {
  void first_step() { ++first; }
  void second_step() { ++second; }
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

TEST(ComputeRun, TakesBothStepsForEveryFourCells) {
  for (std::size_t cells = 1; cells <= 40; ++cells) {
    RunLines lines(4096, cells);
    const std::vector<LineWord*> across = addresses(lines.across);
    const std::vector<LineWord*> diagonals = addresses(lines.diagonals);
    CoveredWords covered;
    covered.find_nothing(lines.summary_words);
    std::vector<std::uint32_t> values(cells);
    StepCounter steps;
    compute_run<false>(lines.along.line(), across.data(), diagonals.data(),
                       static_cast<std::ptrdiff_t>(cells), values.data(), 1, 4095, covered, steps);
    EXPECT_EQ(steps.first, (cells + 3) / 4);
    EXPECT_EQ(steps.second, (cells + 3) / 4);
  }
}

}  // namespace
}  // namespace grundy
