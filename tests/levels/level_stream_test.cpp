#include "grundy/levels/level_stream.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"
#include "grundy/theory/beatty.hpp"
#include "grundy/theory/closed_form_set.hpp"

#include "support/collected_table.hpp"
#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/level_cells.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::cases;
using support::LevelCell;
using support::RandomCase;
using support::stream_cells;
using support::table_cells;

std::vector<LevelCell> cells_by_definition(const Rule& rule, unsigned levels, std::uint64_t limit) {
  const auto table = support::values_by_definition(rule.terminal_cells(), {limit, limit});
  return table_cells(
      rule, [&](std::uint64_t x, std::uint64_t y) { return table[x][y]; }, levels, limit);
}

std::vector<LevelCell> misere_by_definition(const Rule& rule, std::uint64_t limit) {
  std::vector<LevelCell> cells;
  for (const Position& p : support::misere_p_by_definition(rule.terminal_cells(), {limit, limit}))
    cells.emplace_back(p.x, p.y, 0);
  return cells;
}

TEST(LevelStream, MatchesTheDefinitionForRandomTerminalSets) {
  RandomCase random(51);
  for (int round = 0; round < cases(600); ++round) {
    const Rule rule = random.rule();
    const std::uint64_t limit = random.between(1, 70);
    const auto levels = static_cast<unsigned>(random.between(1, round % 8 == 0 ? 64 : 5));
    ASSERT_EQ(stream_cells(rule, Play::kNormal, levels, limit),
              cells_by_definition(rule, levels, limit))
        << rule.name() << ", " << levels << " levels, limit " << limit;
  }
}

TEST(LevelStream, MatchesTheDefinitionOfMisereForRandomTerminalSets) {
  RandomCase random(52);
  for (int round = 0; round < cases(300); ++round) {
    const Rule rule = random.rule();
    const std::uint64_t limit = random.between(1, 70);
    ASSERT_EQ(stream_cells(rule, Play::kMisere, 1, limit), misere_by_definition(rule, limit))
        << rule.name() << ", limit " << limit;
  }
}

TEST(LevelStream, MatchesTheEngineOnLargerSquares) {
  RandomCase random(53);
  const std::uint64_t limit = support::kSlowBuild ? 300 : 1500;
  std::vector<Rule> rules{Rule::classic(), Rule::extended(), Rule::triangle(3), Rule::triangle(50)};
  while (rules.size() < 10) rules.push_back(random.rule());
  for (const Rule& rule : rules) {
    const auto table = support::compute_table("cpu", rule, {limit, limit});
    const auto expected = table_cells(
        rule, [&](std::uint64_t x, std::uint64_t y) { return table->at(x, y); }, 64, limit);
    ASSERT_EQ(stream_cells(rule, Play::kNormal, 64, limit), expected) << rule.name();
  }
}

TEST(LevelStream, LimitOnlyCutsOff) {
  RandomCase random(54);
  for (int round = 0; round < cases(100); ++round) {
    const Rule rule = random.rule();
    const std::uint64_t limit = random.between(1, 12'000);
    auto longer = stream_cells(rule, Play::kNormal, 2, 12'000);
    std::erase_if(longer, [limit](const LevelCell& cell) {
      return std::max(std::get<0>(cell), std::get<1>(cell)) >= limit;
    });
    ASSERT_EQ(stream_cells(rule, Play::kNormal, 2, limit), longer) << rule.name() << ' ' << limit;
  }
}

// Terminal sets that reach far, where steps with terminal cells and without alternate.
TEST(LevelStream, MatchesTheDefinitionWithTerminalCellsFarOut) {
  RandomCase random(55);
  for (int round = 0; round < cases(60); ++round) {
    std::vector<Position> cells;
    for (int i = 0; i < 30; ++i) cells.push_back({random.below(150), random.below(150)});
    const Rule rule = Rule::cells(cells);
    ASSERT_EQ(stream_cells(rule, Play::kNormal, 3, 110), cells_by_definition(rule, 3, 110))
        << rule.name();
  }
}

TEST(LevelStream, TakesTheLargestTriangle) {
  const Rule rule = Rule::triangle(Rule::kMaxTriangle);
  EXPECT_TRUE(stream_cells(rule, Play::kNormal, 3, 500'000).empty());
  // The first row of level 1 begins where the triangle ends.
  const auto cells = stream_cells(rule, Play::kNormal, 2, Rule::kMaxTriangle + 3);
  ASSERT_FALSE(cells.empty());
  EXPECT_EQ(cells.front(), LevelCell(0, Rule::kMaxTriangle + 1, 1));
}

TEST(LevelStream, MatchesTheClosedFormsOverManyBatches) {
  const std::uint64_t limit = support::kSlowBuild ? 100'000 : 3'000'000;
  for (const Rule& rule : {Rule::classic(), Rule::extended()}) {
    std::vector<Position> found = rule.terminal_cells();
    for (const auto& [x, y, v] : stream_cells(rule, Play::kNormal, 1, limit))
      found.push_back({x, y});
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, closed_form(rule, Play::kNormal, 0)->inside({limit, limit})) << rule.name();
  }
}

TEST(LevelStream, RefusesWhatItCannotDo) {
  using support::throws_naming;
  const Rule rule = Rule::classic();
  const auto make = [&rule](Play play, unsigned levels, std::uint64_t limit) {
    return [&rule, play, levels, limit] { LevelStream(rule, play, levels, limit); };
  };
  EXPECT_TRUE(throws_naming<UsageError>("1 to 64", make(Play::kNormal, 0, 10)));
  EXPECT_TRUE(throws_naming<UsageError>("1 to 64", make(Play::kNormal, 65, 10)));
  EXPECT_TRUE(throws_naming<UsageError>("1 to 1", make(Play::kMisere, 2, 10)));
  EXPECT_TRUE(throws_naming<UsageError>("limit of 0", make(Play::kNormal, 1, 0)));
  for (const std::uint64_t limit : {kClosedFormLimit, ~std::uint64_t{0}})
    EXPECT_TRUE(throws_naming<DeviceError>("memory", make(Play::kNormal, 64, limit)));
}

}  // namespace
}  // namespace grundy
