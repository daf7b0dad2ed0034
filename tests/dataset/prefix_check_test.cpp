#include "grundy/dataset/prefix_check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace {

// Bytes asked of operator new, by all threads of this program.
std::atomic<std::size_t> allocated_bytes{0};

}  // namespace

// All of them, since a sanitizer's own would not match the others. Not inlined: the compiler would
// see malloc and free, and warn that they do not match new and delete.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  allocated_bytes += size;
  return std::malloc(size);
}
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;
using support::ValueTable;
using testing::HasSubstr;

/// A whole table, and its transpose, for parts to point into.
struct FlatTable {
  FlatTable(const Extent& extent_in, const ValueTable& table) : extent(extent_in) {
    for (std::uint64_t x = 0; x < extent.rows; ++x)
      values.insert(values.end(), table[x].begin(), table[x].end());
    for (std::uint64_t y = 0; y < extent.cols; ++y)
      for (std::uint64_t x = 0; x < extent.rows; ++x) transposed.push_back(table[x][y]);
  }

  Extent extent;
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> transposed;
};

/// The part of the cells a0 <= a < a1, b0 <= b < b1, all of them stored.
PrefixPart part_of(FlatTable& table, bool half, std::uint64_t a0, std::uint64_t a1,
                   std::uint64_t b0, std::uint64_t b1) {
  const auto [rows, cols] = table.extent;
  PrefixPart part;
  part.a0 = a0;
  part.b0 = b0;
  part.extent = {a1 - a0, b1 - b0};
  part.stored = {a0, b0, part.extent};
  part.transposed = b0 >= cols;
  part.stride = part.transposed ? rows : cols;
  part.values = (part.transposed ? table.transposed : table.values).data() + a0 * part.stride + b0;
  if (half && !part.transposed && b0 < rows) {
    part.images = table.values.data() + b0 * cols + a0;
    part.image_stride = cols;
    part.image_stored = {a0, b0, {a1 - a0, std::min(b1, rows) - b0}};
  }
  return part;
}

/// The first failure of a table that is checked in parts of about this side.
std::optional<PrefixCheck::Failure> check(const Rule& rule, const Extent& extent,
                                          const ValueTable& table, std::uint64_t side = 17) {
  FlatTable flat(extent, table);
  PrefixCheck prefix_check(rule, extent);
  const auto [rows, cols] = prefix_check.cells();
  for (std::uint64_t a = 0; a < rows; a += side) {
    const std::uint64_t a1 = std::min(rows, a + side);
    for (std::uint64_t b = prefix_check.half() ? a : 0; b < cols;) {
      std::uint64_t b1 = std::min(cols, b + side);
      if (b < extent.cols) b1 = std::min(b1, extent.cols);  // beyond are images
      prefix_check.check(part_of(flat, prefix_check.half(), a, a1, b, b1));
      b = b1;
    }
  }
  return prefix_check.failure();
}

std::set<std::uint32_t> option_values(const ValueTable& table, std::uint64_t x, std::uint64_t y) {
  std::set<std::uint32_t> values;
  for (std::uint64_t i = 0; i < x; ++i) values.insert(table[i][y]);
  for (std::uint64_t j = 0; j < y; ++j) values.insert(table[x][j]);
  for (std::uint64_t t = 1; t <= std::min(x, y); ++t) values.insert(table[x - t][y - t]);
  return values;
}

// What the failure has to say about a wrong value at a cell whose options are right.
std::string expected_reason(const Rule& rule, const ValueTable& table, Position cell,
                            std::uint32_t wrong) {
  if (rule.is_terminal(cell)) return "terminal";
  if (wrong > cell.x + cell.y) return "more than x+y";
  if (option_values(table, cell.x, cell.y).contains(wrong)) return "has that value too";
  return "no option has the smaller value " + std::to_string(table[cell.x][cell.y]);
}

TEST(PrefixCheck, AcceptsRightTables) {
  RandomCase random(711);
  for (int round = 0; round < support::cases(160); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(70);
    const auto table = support::values_by_definition(rule.terminal_cells(), extent);
    const auto failure = check(rule, extent, table, random.between(1, 80));
    EXPECT_FALSE(failure) << rule.name() << ", " << to_text(extent) << ": "
                          << to_text(failure->cell) << ' ' << failure->reason;
  }
}

// Every wrong value at every cell: smaller and larger ones, those of options, those above x+y.
void expect_all_mutations_found(const Rule& rule, const Extent& extent) {
  ValueTable table = support::values_by_definition(rule.terminal_cells(), extent);
  ASSERT_FALSE(check(rule, extent, table)) << rule.name();
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = 0; y < extent.cols; ++y) {
      std::vector<std::uint32_t> wrong_values{0x7fff, 0xffff, 0x10000, 0x7fff'ffff, 0xffff'ffff};
      for (std::uint32_t value = 0; value < x + y + 3; ++value) wrong_values.push_back(value);
      const std::uint32_t right = table[x][y];
      for (const std::uint32_t wrong : wrong_values) {
        if (wrong == right) continue;
        table[x][y] = wrong;
        const auto failure = check(rule, extent, table);
        table[x][y] = right;
        ASSERT_TRUE(failure) << rule.name() << ", " << to_text(extent) << ": " << wrong << " at "
                             << x << ',' << y << " passes";
        EXPECT_EQ(to_text(failure->cell), to_text(Position{x, y})) << rule.name();
        EXPECT_THAT(failure->reason, HasSubstr(expected_reason(rule, table, {x, y}, wrong)));
        EXPECT_THAT(failure->reason, HasSubstr(std::to_string(wrong) + " is stored"));
      }
    }
  }
}

TEST(PrefixCheck, NamesTheCellOfEveryWrongValue) {
  for (const char* rule : {"classic", "extended", "triangle:5", "cells:0,3;2,2;4,1"}) {
    expect_all_mutations_found(Rule::parse(rule), {10, 10});
    expect_all_mutations_found(Rule::parse(rule), {3, 14});
    expect_all_mutations_found(Rule::parse(rule), {14, 3});
  }
  RandomCase random(712);
  for (int round = 0; round < support::cases(40); ++round)
    expect_all_mutations_found(random.rule(), random.extent(9));
}

TEST(PrefixCheck, FindsWrongValuesBeyondTheFirstWords) {
  // Values of several hundred bits: words, summaries of words, and what lies between them.
  const Extent extent{150, 400};
  RandomCase random(713);
  for (const char* name : {"classic", "cells:0,1;7,3;20,20"}) {
    const Rule rule = Rule::parse(name);
    ValueTable table = support::values_by_definition(rule.terminal_cells(), extent);
    ASSERT_FALSE(check(rule, extent, table));
    for (int round = 0; round < support::cases(80); ++round) {
      const Position cell{random.between(100, 149), random.between(300, 399)};
      const auto wrong = static_cast<std::uint32_t>(random.below(cell.x + cell.y + 1));
      const std::uint32_t right = table[cell.x][cell.y];
      if (wrong == right) continue;
      table[cell.x][cell.y] = wrong;
      const auto failure = check(rule, extent, table);
      table[cell.x][cell.y] = right;
      ASSERT_TRUE(failure) << wrong << " instead of " << right << " passes";
      EXPECT_EQ(to_text(failure->cell), to_text(cell));
      EXPECT_THAT(failure->reason, HasSubstr(expected_reason(rule, table, cell, wrong)));
    }
  }
}

TEST(PrefixCheck, TakesAnotherRuleForWrong) {
  const Extent extent{20, 20};
  const auto classic = support::values_by_definition(Rule::classic().terminal_cells(), extent);
  const auto extended = support::values_by_definition(Rule::extended().terminal_cells(), extent);
  const auto as_extended = check(Rule::extended(), extent, classic);
  ASSERT_TRUE(as_extended);
  EXPECT_EQ(to_text(as_extended->cell), "0,1");  // 1 in the classic game, terminal in the other
  const auto as_classic = check(Rule::classic(), extent, extended);
  ASSERT_TRUE(as_classic);
  EXPECT_EQ(to_text(as_classic->cell), "0,1");
}

TEST(PrefixCheck, RefusesCellsBeforeTheirTurn) {
  for (const char* name : {"classic", "cells:0,1"}) {
    const Rule rule = Rule::parse(name);
    const Extent extent{40, 50};
    FlatTable table(extent, support::values_by_definition(rule.terminal_cells(), extent));
    const bool half = rule.symmetric();
    const auto check_tiles = [&](const std::vector<Position>& tiles) {
      PrefixCheck prefix_check(rule, extent);
      for (const Position& tile : tiles)
        prefix_check.check(
            part_of(table, half, 10 * tile.x, 10 * tile.x + 10, 10 * tile.y, 10 * tile.y + 10));
      return !prefix_check.failure();
    };
    if (half) {
      EXPECT_TRUE(check_tiles({{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}}));
    } else {
      EXPECT_TRUE(check_tiles({{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
    }
    EXPECT_THROW(check_tiles({{0, 1}}), std::logic_error);          // before the one to the left
    EXPECT_THROW(check_tiles({{1, 1}}), std::logic_error);          // before those above
    EXPECT_THROW(check_tiles({{0, 0}, {1, 1}}), std::logic_error);  // only the diagonal
    EXPECT_THROW(check_tiles({{0, 0}, {0, 2}}), std::logic_error);  // one left out
    EXPECT_THROW(check_tiles({{0, 0}, {0, 1}, {0, 1}}), std::logic_error);  // twice
    EXPECT_THROW(check_tiles({{0, 0}, {0, 1}, {0, 2}, {1, 2}}), std::logic_error);
  }
}

TEST(PrefixCheck, ComputesWhatIsNotStored) {
  RandomCase random(715);
  for (int round = 0; round < support::cases(60); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(50);
    const auto right = support::values_by_definition(rule.terminal_cells(), extent);
    FlatTable table(extent, right);
    std::fill(table.values.begin(), table.values.end(), 12345U);
    PrefixCheck prefix_check(rule, extent);
    if (prefix_check.half() && extent.rows > extent.cols) continue;
    PrefixPart part;
    part.extent = extent;
    part.values = table.values.data();
    part.stride = extent.cols;
    prefix_check.check(part);
    EXPECT_FALSE(prefix_check.failure());
    for (std::uint64_t x = 0; x < extent.rows; ++x)
      for (std::uint64_t y = prefix_check.half() ? x : 0; y < extent.cols; ++y)
        ASSERT_EQ(table.values[x * extent.cols + y], right[x][y])
            << rule.name() << ", " << to_text(extent) << ": " << to_text(Position{x, y});
  }
}

TEST(PrefixCheck, AnnouncesTheMemoryItTakes) {
  for (const char* name : {"classic", "cells:0,1"}) {
    for (const Extent extent : {Extent{1, 1},
                                {1, 9000},
                                {9000, 1},
                                {2, 7000},
                                {7000, 2},
                                {300, 2500},
                                {2500, 300},
                                {1200, 1200},
                                {64, 64}}) {
      const Rule rule = Rule::parse(name);
      const std::size_t before = allocated_bytes;
      const PrefixCheck prefix_check(rule, extent);
      const std::uint64_t cells_of_rule = rule.view().count * sizeof(Position);
      const std::uint64_t taken =
          allocated_bytes - before - cells_of_rule + prefix_check.line_bytes();
      EXPECT_EQ(taken, PrefixCheck::bytes_needed(rule, extent)) << name << ", " << to_text(extent);
    }
  }
  // What the documentation says of large squares.
  const std::uint64_t side = 65536;
  EXPECT_NEAR(static_cast<double>(PrefixCheck::bytes_needed(Rule::classic(), {side, side})),
              0.385 * side * side, 0.01 * side * side);
  EXPECT_NEAR(
      static_cast<double>(PrefixCheck::bytes_needed(Rule::parse("cells:0,1"), {side, side})),
      0.77 * side * side, 0.02 * side * side);
}

TEST(PrefixCheck, AnnouncesWhatNoMachineHas) {
  // More bits than 64 bits can count.
  const std::uint64_t side = std::uint64_t{1} << 31U;
  for (const char* name : {"classic", "cells:0,1"}) {
    const Rule rule = Rule::parse(name);
    EXPECT_GT(PrefixCheck::bytes_needed(rule, {side, side}), std::uint64_t{1} << 60U);
    EXPECT_GT(PrefixCheck::bytes_needed(rule, {1, 2 * side - 1}), std::uint64_t{1} << 59U);
    EXPECT_GT(PrefixCheck::bytes_needed(rule, {2 * side - 1, 1}), std::uint64_t{1} << 59U);
  }
}

TEST(PrefixLine, TellsWhatItHolds) {
  RandomCase random(714);
  for (int round = 0; round < support::cases(200); ++round) {
    const std::uint64_t largest = random.below(9000);
    std::vector<std::uint64_t> words(PrefixLine::value_words(largest));
    std::vector<std::uint64_t> full(PrefixLine::full_words(largest));
    PrefixLine line{words.data(), full.data(), 0};
    std::set<std::uint64_t> expected;
    const auto insert = [&](std::uint64_t value) {
      line.insert(value);
      expected.insert(value);
    };
    // A gap in a run from 0 on, filled in the end or not, and some others.
    const std::uint64_t gap = random.below(largest + 1);
    for (std::uint64_t v = 0; v <= std::min(largest, gap + random.below(500)); ++v)
      if (v != gap) insert(v);
    for (std::uint64_t i = random.below(50); i > 0; --i) insert(random.below(largest + 1));
    if (random.coin()) insert(gap);
    std::uint64_t first_open = 0;
    for (std::uint64_t word = words.size(); word-- > 0;) {
      bool is_full = true;
      for (std::uint64_t v = 64 * word; v < 64 * word + 64; ++v)
        is_full = is_full && expected.contains(v);
      EXPECT_EQ((full[word / 64] >> word % 64 & 1) != 0, is_full);
      if (!is_full) first_open = word;
    }
    EXPECT_EQ(line.first_open, first_open);
    for (std::uint64_t value = 0; value <= largest; ++value)
      EXPECT_EQ(line.contains(value), expected.contains(value));
  }
}

}  // namespace
}  // namespace grundy
