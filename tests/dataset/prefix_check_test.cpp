#include "grundy/dataset/prefix_check.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <set>
#include <span>
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

// Not inlined: the compiler would see malloc and free, and warn that they do not match new and
// delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocated_bytes += size;
  if (void* memory = std::malloc(size)) return memory;
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

// The first failure of a table, row by row.
std::optional<PrefixCheck::Failure> check(const Rule& rule, const Extent& extent,
                                          const ValueTable& table) {
  PrefixCheck prefix_check(rule, extent);
  for (std::uint64_t x = 0; x < extent.rows; ++x)
    if (auto failure = prefix_check.check_row(x, table[x])) return failure;
  return std::nullopt;
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
    const auto failure = check(rule, extent, table);
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

TEST(PrefixCheck, AnnouncesTheMemoryItTakes) {
  for (const Extent extent : {Extent{1, 1},
                              {1, 9000},
                              {9000, 1},
                              {2, 7000},
                              {7000, 2},
                              {300, 2500},
                              {2500, 300},
                              {1200, 1200},
                              {64, 64}}) {
    const std::size_t before = allocated_bytes;
    const PrefixCheck prefix_check(Rule::classic(), extent);
    const auto taken = static_cast<double>(allocated_bytes - before);
    const auto announced = static_cast<double>(PrefixCheck::bytes_needed(extent));
    EXPECT_LE(taken, 1.02 * announced + 4096) << to_text(extent);
    EXPECT_GE(taken, 0.9 * announced - 4096) << to_text(extent);
  }
}

TEST(PrefixCheck, AnnouncesWhatNoMachineHas) {
  // More bits than 64 bits can count.
  const std::uint64_t side = std::uint64_t{1} << 31U;
  EXPECT_GT(PrefixCheck::bytes_needed({side, side}), std::uint64_t{1} << 60U);
  EXPECT_GT(PrefixCheck::bytes_needed({1, 2 * side - 1}), std::uint64_t{1} << 60U);
  EXPECT_GT(PrefixCheck::bytes_needed({2 * side - 1, 1}), std::uint64_t{1} << 33U);
}

TEST(PrefixSet, TellsWhatItHolds) {
  RandomCase random(714);
  for (int round = 0; round < support::cases(200); ++round) {
    const std::uint64_t width = random.between(1, 300);
    PrefixSet set(width);
    std::set<std::uint64_t> expected;
    for (std::uint64_t i = random.below(2 * width); i > 0; --i) {
      const std::uint64_t value = random.coin() ? random.below(width) : random.below(width) / 8;
      set.insert(value);
      expected.insert(value);
    }
    std::uint64_t complete_below = 0;
    while (expected.contains(complete_below)) ++complete_below;
    EXPECT_EQ(set.complete_below(), complete_below);
    for (std::uint64_t value = 0; value < width; ++value) {
      EXPECT_EQ(set.contains(value), expected.contains(value));
      EXPECT_EQ((set.word(value / 64) >> value % 64 & 1) != 0, expected.contains(value));
    }
  }
}

}  // namespace
}  // namespace grundy
