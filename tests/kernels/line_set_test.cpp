#include "grundy/kernels/line_set.hpp"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/own_line.hpp"

namespace grundy {
namespace {

// A line and, beside it, which values it should have.
class CheckedLine {
 public:
  CheckedLine(std::uint64_t summary_words, std::uint64_t values)
      : summary_words_(summary_words), line_(summary_words, values), has_(values) {}

  LineWord* line() { return line_.line(); }
  [[nodiscard]] const support::OwnLine& all_words() const { return line_; }
  [[nodiscard]] std::uint64_t hint() { return hint_of(line()); }
  [[nodiscard]] bool has(std::uint64_t value) const { return value < has_.size() && has_[value]; }

  void use(std::uint64_t value) {
    use_value(line(), value / 64, LineWord{1} << value % 64);
    has_.at(value) = true;
  }
  void use_range(std::uint64_t first, std::uint64_t last, std::uint64_t step = 1) {
    for (std::uint64_t value = first; value < last; value += step) use(value);
  }
  // The line was given this value by the code under test.
  void expect_also(std::uint64_t value) { has_.at(value) = true; }

  // Whether values, summary and hint are what line_set.hpp says.
  [[nodiscard]] testing::AssertionResult matches_model() {
    const std::uint64_t value_words = (has_.size() + 63) / 64;
    std::uint64_t full_at_the_start = 0;
    for (std::uint64_t word = 0; word < 64 * summary_words_; ++word) {
      LineWord expected = 0;
      for (std::uint64_t bit = 0; bit < 64; ++bit)
        expected |= LineWord{has(64 * word + bit)} << bit;
      if (word < value_words && value_word(line(), word) != expected)
        return testing::AssertionFailure() << "value word " << word << " is wrong";
      const bool full = expected == ~LineWord{0};
      if (((summary_word(line(), word / 64) >> word % 64 & 1U) != 0) != full)
        return testing::AssertionFailure()
               << "value word " << word << (full ? " is not" : " is") << " marked as full";
      if (full && full_at_the_start == word) ++full_at_the_start;
    }
    // A hint that lags behind gives the right values, slowly.
    if (hint() != full_at_the_start / 64)
      return testing::AssertionFailure()
             << "hint " << hint() << " instead of " << full_at_the_start / 64;
    return testing::AssertionSuccess();
  }

 private:
  std::uint64_t summary_words_;
  support::OwnLine line_;
  std::vector<bool> has_;
};

// A row, a column and a diagonal that cross.
struct CheckedCell {
  explicit CheckedCell(std::uint64_t values)
      : CheckedCell(summary_words_for(values), values, values, values) {}
  CheckedCell(std::uint64_t summary, std::uint64_t row_values, std::uint64_t column_values,
              std::uint64_t diagonal_values)
      : row(summary, row_values),
        column(summary, column_values),
        diagonal(summary, diagonal_values) {}

  CellLines lines() { return {row.line(), column.line(), diagonal.line()}; }

  [[nodiscard]] std::uint64_t mex() const {
    std::uint64_t value = 0;
    while (row.has(value) || column.has(value) || diagonal.has(value)) ++value;
    return value;
  }

  // Whether the search, from the hint of the row or of the column, finds the mex.
  testing::AssertionResult solves(bool from_column = false) {
    const std::uint64_t expected = mex();
    CellInPlace cell(lines());
    const std::uint64_t value = solve_cell(cell, from_column ? column.hint() : row.hint());
    for (CheckedLine* line : {&row, &column, &diagonal}) line->expect_also(value);
    if (value == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "mex " << value << " instead of " << expected;
  }

  void expect_matches_model() {
    EXPECT_TRUE(row.matches_model());
    EXPECT_TRUE(column.matches_model());
    EXPECT_TRUE(diagonal.matches_model());
  }

  CheckedLine row;
  CheckedLine column;
  CheckedLine diagonal;
};

constexpr std::uint64_t kWord = 64;  // values of a value word, value words of a summary word

// Numbers of value words around the ends of summary words.
constexpr std::uint64_t kWordCounts[] = {0,  1,  2,  7,  8,   9,   15,  16,  17,  55,  56, 57,
                                         63, 64, 65, 71, 127, 128, 129, 190, 191, 192, 193};

TEST(LineSize, HasASummaryBitForEachWordAndOneSummaryWordToSpare) {
  for (std::uint64_t values = 1; values < 20'000; ++values) {
    const std::uint64_t value_words = (values + 63) / 64;
    const std::uint64_t summary = summary_words_for(values);
    ASSERT_GE(64 * (summary - 1), value_words);
    ASSERT_LT(64 * (summary - 1), value_words + 64) << "a word too many";
    ASSERT_EQ(line_words(summary, values), summary + 1 + value_words);
  }
}

// ---- one line -----------------------------------------------------------------------------------

TEST(UseValue, KeepsSummaryAndHintForValuesInAnyOrder) {
  std::mt19937_64 random(31);
  for (const std::uint64_t values : {1U, 64U, 100U, 512U, 4096U, 5000U}) {
    std::vector<std::uint64_t> order(values);
    for (std::uint64_t value = 0; value < values; ++value) order[value] = value;
    for (std::uint64_t i = values; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    CheckedLine line(summary_words_for(values), values);
    for (std::uint64_t used = 0; used < values; ++used) {
      line.use(order[used]);
      if (used % 97 == 0 || used + 70 > values) {
        ASSERT_TRUE(line.matches_model()) << used + 1 << " of " << values;
      }
    }
  }
}

TEST(UseValue, HintReachesTheEndOfALineThatIsFilledCompletely) {
  for (const std::uint64_t summary_words : {1U, 2U, 3U}) {
    const std::uint64_t values = kWord * kWord * summary_words;
    CheckedLine line(summary_words_for(values), values);
    line.use_range(0, values);
    EXPECT_TRUE(line.matches_model());
    EXPECT_EQ(line.hint(), summary_words);
  }
}

TEST(UseValue, HintWaitsForTheFirstWordAndThenPassesAllFullOnes) {
  constexpr std::uint64_t kValues = kWord * kWord * 2 + kWord;
  CheckedLine line(summary_words_for(kValues), kValues);
  for (std::uint64_t value = kValues; --value > 0;) line.use(value);
  EXPECT_EQ(line.hint(), 0U);
  EXPECT_TRUE(line.matches_model());
  line.use(0);
  EXPECT_EQ(line.hint(), 2U);
  EXPECT_TRUE(line.matches_model());
}

TEST(UseValue, TwiceChangesNothing) {
  CheckedLine line(summary_words_for(1024), 1024);
  line.use_range(0, 600);
  line.use(1000);
  const support::OwnLine before = line.all_words();
  line.use_range(0, 600);
  line.use(1000);
  EXPECT_EQ(line.all_words(), before);
}

// ---- three lines --------------------------------------------------------------------------------

TEST(SolveCell, IsTheMexOfRandomLines) {
  std::mt19937_64 random(32);
  for (int i = 0; i < support::cases(1000); ++i) {
    CheckedCell cell(4096);
    const std::uint64_t level = random() % 3500;
    const std::uint64_t holes = 2 + random() % 30;
    for (CheckedLine* line : {&cell.row, &cell.column, &cell.diagonal})
      for (std::uint64_t value = 0; value < 3600; ++value)
        if (value < level ? random() % holes != 0 : random() % 4 == 0) line->use(value);
    for (int step = 0; step < 30; ++step)
      ASSERT_TRUE(cell.solves(step % 2 == 0)) << "case " << i << ", step " << step;
    cell.expect_matches_model();
  }
}

TEST(SolveCell, IsTheMexOfLinesMadeOfFullAndAlmostFullWords) {
  std::mt19937_64 random(33);
  for (int i = 0; i < support::cases(400); ++i) {
    CheckedCell cell(kWord * 300);
    const std::uint64_t words = random() % 280;
    const std::uint64_t open = 1 + random() % 100;
    for (CheckedLine* line : {&cell.row, &cell.column, &cell.diagonal}) {
      for (std::uint64_t word = 0; word < words; ++word) {
        const std::uint64_t hole = random() % open == 0 ? random() % 64 : 64;
        for (std::uint64_t bit = 0; bit < 64; ++bit)
          if (bit != hole) line->use(kWord * word + bit);
      }
    }
    for (int step = 0; step < 5; ++step)
      ASSERT_TRUE(cell.solves(step % 2 == 0)) << "case " << i << ", step " << step;
    cell.expect_matches_model();
  }
}

TEST(SolveCell, StepsOverWordsThatAreFullOnOneLine) {
  for (const std::uint64_t full : kWordCounts) {
    for (int which = 0; which < 3; ++which) {
      CheckedCell cell(kWord * 200);
      (which == 0 ? cell.row : which == 1 ? cell.column : cell.diagonal).use_range(0, kWord * full);
      EXPECT_EQ(cell.mex(), kWord * full);
      // The line that is not full has hint 0, and the search works from there as well.
      EXPECT_TRUE(cell.solves(false)) << full << " words";
      EXPECT_TRUE(cell.solves(true)) << full << " words";
      cell.expect_matches_model();
    }
  }
}

TEST(SolveCell, StepsOverWordsThatAreFullOnlyTogether) {
  for (const std::uint64_t full : kWordCounts) {
    CheckedCell cell(kWord * 200);
    cell.row.use_range(0, kWord * full, 3);
    cell.column.use_range(1, kWord * full, 3);
    cell.diagonal.use_range(2, kWord * full, 3);
    EXPECT_TRUE(cell.solves(full % 2 == 0)) << full << " words";
    cell.expect_matches_model();
  }
}

TEST(SolveCell, StepsOverWordsThatAreFullOnOneLineEach) {
  for (const std::uint64_t full : kWordCounts) {
    CheckedCell cell(kWord * 200);
    for (std::uint64_t word = 0; word < full; ++word)
      (word % 3 == 0   ? cell.row
       : word % 3 == 1 ? cell.column
                       : cell.diagonal)
          .use_range(kWord * word, kWord * word + kWord);
    EXPECT_TRUE(cell.solves(full % 2 == 0)) << full << " words";
    cell.expect_matches_model();
  }
}

TEST(SolveCell, FindsAHoleBelowFullWords) {
  for (const std::uint64_t word : kWordCounts) {
    for (const std::uint64_t bit : {0U, 1U, 31U, 63U}) {
      CheckedCell cell(kWord * 200);
      for (CheckedLine* line : {&cell.row, &cell.column, &cell.diagonal}) {
        line->use_range(0, kWord * word + bit);
        line->use_range(kWord * word + bit + 1, kWord * 199);
      }
      EXPECT_EQ(cell.mex(), kWord * word + bit);
      EXPECT_TRUE(cell.solves()) << "hole at " << kWord * word + bit;
      EXPECT_TRUE(cell.solves()) << "above all";
      cell.expect_matches_model();
    }
  }
}

TEST(SolveCell, FindsTheLastValueOfALineAtTheEndOfItsSummary) {
  for (const std::uint64_t summary_words : {1U, 2U, 3U}) {
    const std::uint64_t values = kWord * kWord * summary_words;
    CheckedCell cell(values);
    cell.row.use_range(0, values - 1);
    cell.column.use_range(0, values - 700);
    EXPECT_TRUE(cell.solves());
    EXPECT_EQ(cell.row.hint(), summary_words);
    EXPECT_TRUE(cell.row.has(values - 1));
    cell.expect_matches_model();
  }
}

TEST(SolveCell, ReadsNothingBeyondTheNarrowestLineThatHoldsTheMex) {
  // As in a table: a wide column and a short diagonal. Only a sanitizer sees a step too far.
  CheckedCell cell(summary_words_for(kWord * 150), kWord * 150, kWord * 150, kWord * 70);
  cell.row.use_range(0, kWord * 70 - 1);
  cell.diagonal.use_range(0, kWord * 20);
  EXPECT_EQ(cell.mex(), kWord * 70 - 1);
  EXPECT_TRUE(cell.solves());
  cell.expect_matches_model();
}

TEST(SolveCell, RowAndColumnMayBeTheSameLine) {
  constexpr std::uint64_t kValues = kWord * 130;
  const std::uint64_t summary_words = summary_words_for(kValues);
  CheckedLine line(summary_words, kValues);
  CheckedLine diagonal(summary_words, kValues);
  diagonal.use_range(0, kWord * 3, 2);
  for (std::uint64_t step = 0; step < kValues / 2; ++step) {
    std::uint64_t expected = 0;
    while (line.has(expected) || diagonal.has(expected)) ++expected;
    CellInPlace cell({line.line(), line.line(), diagonal.line()});
    ASSERT_EQ(solve_cell(cell, line.hint()), expected);
    line.expect_also(expected);
    diagonal.expect_also(expected);
  }
  EXPECT_TRUE(line.matches_model());
  EXPECT_TRUE(diagonal.matches_model());
}

TEST(EnterTerminalCell, UsesValueZeroOnAllLinesHoweverOften) {
  CheckedCell cell(200);
  cell.column.use_range(1, 64);  // value 0 completes this word
  for (int i = 0; i < 3; ++i) {
    CellInPlace in_place(cell.lines());
    enter_terminal_cell(in_place);
    for (CheckedLine* line : {&cell.row, &cell.column, &cell.diagonal}) line->expect_also(0);
    cell.expect_matches_model();
  }
  EXPECT_EQ(cell.mex(), kWord);
  EXPECT_TRUE(cell.solves());
}

}  // namespace
}  // namespace grundy
