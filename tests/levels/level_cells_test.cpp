#include "grundy/levels/level_cells.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

std::vector<LevelCell> listed(const Rule& rule, unsigned first, unsigned last,
                              std::uint64_t limit) {
  LevelCells cells(rule, first, last, limit);
  std::vector<LevelCell> all;
  for (const auto* some = &cells.next(); !some->empty(); some = &cells.next())
    all.insert(all.end(), some->begin(), some->end());
  EXPECT_EQ(cells.steps_done(), limit);
  EXPECT_TRUE(cells.next().empty());
  return all;
}

TEST(LevelCells, AreThoseOfTheTableInOrder) {
  support::RandomCase random(101);
  for (int round = 0; round < support::cases(300); ++round) {
    const Rule rule = random.rule();
    const std::uint64_t limit = random.between(1, 60);
    const auto last = static_cast<unsigned>(random.below(round % 8 == 0 ? 64 : 4));
    const auto first = static_cast<unsigned>(random.below(last + 1));
    const auto values = support::values_by_definition(rule.terminal_cells(), {limit, limit});
    std::vector<LevelCell> expected;
    for (std::uint64_t x = 0; x < limit; ++x)
      for (std::uint64_t y = 0; y < limit; ++y)
        if (values[x][y] >= first && values[x][y] <= last)
          expected.push_back({{x, y}, static_cast<std::uint8_t>(values[x][y])});
    const auto before = [](const LevelCell& a, const LevelCell& b) {
      const auto smaller = [](const LevelCell& c) { return std::min(c.position.x, c.position.y); };
      if (smaller(a) != smaller(b)) return smaller(a) < smaller(b);
      return a.value != b.value ? a.value < b.value : a.position < b.position;
    };
    std::sort(expected.begin(), expected.end(), before);
    const std::vector<LevelCell> found = listed(rule, first, last, limit);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), before)) << rule.name();
    ASSERT_EQ(found, expected) << rule.name() << ", " << first << '-' << last << " below " << limit;
  }
}

TEST(LevelCells, IncludeTerminalCellsFarFromEverythingElse) {
  const Rule rule = Rule::parse("cells:9000,9001;20000,3;59999,59999");
  for (const Position p : {Position{9000, 9001}, {20000, 3}, {59999, 59999}}) {
    const auto cells = listed(rule, 0, 0, 60'000);
    EXPECT_EQ(std::count(cells.begin(), cells.end(), LevelCell{p, 0}), 1);
    const auto fewer = listed(rule, 0, 0, std::max(p.x, p.y));
    EXPECT_EQ(std::count(fewer.begin(), fewer.end(), LevelCell{p, 0}), 0);
  }
}

TEST(LevelCells, RefusesOtherRanges) {
  for (const auto& [first, last] : {std::pair{2U, 1U}, {0U, 64U}, {64U, 64U}, {0U, ~0U}})
    EXPECT_TRUE(support::throws_naming<UsageError>(
        "63", [&, f = first, l = last] { LevelCells(Rule::classic(), f, l, 10); }));
}

}  // namespace
}  // namespace grundy
