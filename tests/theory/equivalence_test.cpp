#include "grundy/theory/equivalence.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/engine.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/rule.hpp"

#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::to_text;

std::vector<Position> positions_by_definition(const Rule& rule, const Extent& extent,
                                              std::uint32_t value) {
  const auto table = support::values_by_definition(rule.terminal_cells(), extent);
  std::vector<Position> found;
  for (std::uint64_t x = 0; x < extent.rows; ++x)
    for (std::uint64_t y = 0; y < extent.cols; ++y)
      if (table[x][y] == value) found.push_back({x, y});
  return found;
}

Equivalence compare_by_definition(const Rule& rule, const Extent& extent) {
  return compare_with_classic_p(positions_by_definition(rule, extent, 1),
                                positions_by_definition(Rule::classic(), extent, 0), extent);
}

// For extents that take the definition too long.
Equivalence compare_by_engine(const Rule& rule, const Extent& extent) {
  const auto engine = make_engine("cpu", {});
  PositionSink ones(1);
  PositionSink zeros(0);
  EXPECT_TRUE(engine->compute(rule, extent, ones, {}));
  EXPECT_TRUE(engine->compute(Rule::classic(), extent, zeros, {}));
  return compare_with_classic_p(ones.positions(), zeros.positions(), extent);
}

constexpr const char* kExtendedExceptions = "0,0;0,3;3,0;3,5;4,4;4,7;5,3;5,7;7,4;7,5";

TEST(Equivalence, ExtendedGameHasTenExceptionsBelowEight) {
  const Equivalence found = compare_by_definition(Rule::extended(), {100, 100});
  EXPECT_EQ(to_text(found.exceptions), kExtendedExceptions);
  EXPECT_EQ(found.threshold, 8U);
  EXPECT_TRUE(found.holds);
}

TEST(Equivalence, ExtendedGameHasNoFurtherExceptions) {
  const std::uint64_t side = support::kSlowBuild ? 500 : 2500;
  const Equivalence found = compare_by_engine(Rule::extended(), {side, side});
  EXPECT_EQ(to_text(found.exceptions), kExtendedExceptions);
  EXPECT_TRUE(found.holds);
}

TEST(Equivalence, TriangleOfSideThreeHasOneToo) {
  const Equivalence found = compare_by_definition(Rule::triangle(3), {100, 100});
  EXPECT_EQ(found.threshold, 11U);  // the last exception has coordinate 10
  EXPECT_TRUE(found.holds);
  EXPECT_EQ(compare_by_engine(Rule::triangle(3), {600, 600}).exceptions, found.exceptions);
}

TEST(Equivalence, LargerTrianglesHaveExceptionsAsFarAsLooked) {
  for (const std::uint64_t k : {4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 20U, 50U}) {
    const Equivalence found = compare_by_engine(Rule::triangle(k), {600, 600});
    EXPECT_FALSE(found.holds) << "triangle:" << k;
    EXPECT_GT(found.threshold, 300U) << "triangle:" << k;
  }
}

TEST(Equivalence, OfTheClassicGameWithItselfFailsEverywhere) {
  const Equivalence found = compare_by_definition(Rule::classic(), {60, 60});
  EXPECT_FALSE(found.holds);
  EXPECT_GT(found.exceptions.size(), 60U);
}

TEST(Equivalence, OfTinyExtentsHoldsOnlyWhenTheLastHalfIsFree) {
  for (std::uint64_t rows = 1; rows <= 18; ++rows) {
    for (std::uint64_t cols = 1; cols <= 18; ++cols) {
      const Equivalence found = compare_by_definition(Rule::extended(), {rows, cols});
      std::vector<Position> expected;
      for (const Position& p :
           {Position{0, 0}, {0, 3}, {3, 0}, {3, 5}, {4, 4}, {4, 7}, {5, 3}, {5, 7}, {7, 4}, {7, 5}})
        if (p.x < rows && p.y < cols) expected.push_back(p);
      std::uint64_t largest = 0;
      for (const Position& p : expected) largest = std::max({largest, p.x, p.y});
      SCOPED_TRACE(to_text(Extent{rows, cols}));
      EXPECT_EQ(to_text(found.exceptions), to_text(expected));
      EXPECT_EQ(found.threshold, largest + 1);
      EXPECT_EQ(found.holds, 2 * (largest + 1) <= std::max(rows, cols));
    }
  }
}

TEST(Equivalence, OfEqualSetsHoldsFromZeroOn) {
  const std::vector<Position> some{{1, 2}, {2, 1}, {3, 5}};
  for (const auto& positions : {std::vector<Position>{}, some}) {
    const Equivalence found = compare_with_classic_p(positions, positions, {10, 10});
    EXPECT_TRUE(found.exceptions.empty());
    EXPECT_EQ(found.threshold, 0U);
    EXPECT_TRUE(found.holds);
  }
}

TEST(Equivalence, ExceptionsAreThoseOfEitherSetInOrder) {
  const std::vector<Position> ones{{0, 3}, {1, 2}, {4, 4}};
  const std::vector<Position> classic_p{{0, 0}, {1, 2}, {3, 5}, {5, 3}};
  const Equivalence found = compare_with_classic_p(ones, classic_p, {20, 20});
  EXPECT_EQ(to_text(found.exceptions), "0,0;0,3;3,5;4,4;5,3");
  EXPECT_EQ(found.threshold, 6U);
  EXPECT_EQ(compare_with_classic_p(classic_p, ones, {20, 20}).exceptions, found.exceptions);
}

TEST(Equivalence, LastExceptionDecidesOnTheLongerSide) {
  const auto holds = [](Position exception, Extent extent) {
    return compare_with_classic_p({exception}, {}, extent).holds;
  };
  EXPECT_TRUE(holds({4, 0}, {10, 10}));
  EXPECT_FALSE(holds({5, 0}, {10, 10}));
  EXPECT_FALSE(holds({0, 5}, {10, 10}));
  EXPECT_TRUE(holds({1, 9}, {2, 20}));
  EXPECT_FALSE(holds({1, 10}, {2, 20}));
}

}  // namespace
}  // namespace grundy
