#include "grundy/engine/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/line_map.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"

#include "support/collected_table.hpp"
#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::agrees;
using support::CollectedTable;
using support::compute_table;
using support::RandomCase;
using support::throws_naming;
using support::to_text;
using support::Watchdog;

// ---- against the definition ---------------------------------------------------------------------

TEST(ReferenceEngine, AgreesWithTheDefinitionWrittenAnotherWay) {
  for (int i = 0; i < support::cases(80); ++i) {
    RandomCase random(2000 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(45);
    SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", seed " + std::to_string(2000 + i));
    const auto expected = support::values_by_definition(rule.terminal_cells(), extent);
    ASSERT_TRUE(agrees(*compute_table("reference", rule, extent),
                       [&](std::uint64_t x, std::uint64_t y) { return expected[x][y]; }));
  }
}

// The cpu engine with these options gives, cell for cell, what the reference engine gives.
void expect_cpu_agrees(const Rule& rule, const Extent& extent, const EngineOptions& options) {
  SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", " + std::to_string(options.threads) +
               " threads, tiles of " + std::to_string(options.tile_side));
  const auto expected = compute_table("reference", rule, extent);
  ASSERT_TRUE(agrees(*compute_table("cpu", rule, extent, options), *expected));
}

TEST(CpuEngine, AgreesWithTheReferenceOnRandomRulesAndRectangles) {
  const Watchdog watchdog;
  for (int i = 0; i < support::cases(400); ++i) {
    RandomCase random(3000 + static_cast<std::uint64_t>(i));
    SCOPED_TRACE("seed " + std::to_string(3000 + i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(random.below(4) == 0 ? 10 : 90);
    const auto threads = static_cast<unsigned>(random.between(1, 5));
    expect_cpu_agrees(rule, extent, {threads, random.below(41)});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CpuEngine, AgreesWithTheReferenceOnLongStrips) {
  // Values beyond 4096 = 64 * 64: more than one summary word, and hints far from the start.
  const Watchdog watchdog;
  for (const char* text : {"classic", "extended", "cells:0,1;2,2;7,3"}) {
    for (const std::uint64_t width : {1U, 5U}) {
      const std::uint64_t length = support::kSlowBuild && width > 1 ? 1500 : 4600;
      expect_cpu_agrees(Rule::parse(text), {width, length}, {3, 0});
      expect_cpu_agrees(Rule::parse(text), {length, width}, {3, 0});
    }
  }
}

TEST(CpuEngine, AgreesWithTheReferenceWhereOneTileHoldsTheTable) {
  for (const char* text : {"classic", "cells:1,0"}) {
    expect_cpu_agrees(Rule::parse(text), {1, 1}, {1, 1});
    expect_cpu_agrees(Rule::parse(text), {30, 20}, {4, 30});
    expect_cpu_agrees(Rule::parse(text), {20, 30}, {4, 1000});
  }
}

TEST(CpuEngine, CellsOfALargeTableAreTheMexOfTheirOptions) {
  constexpr std::uint64_t kSide = support::kSlowBuild ? 600 : 3000;  // values up to 4500
  const Watchdog watchdog;
  for (const char* text : {"classic", "extended", "cells:0,3;5,5;9,2"}) {
    const auto table = compute_table("cpu", Rule::parse(text), {kSide, kSide}, {2, 0});
    RandomCase random(71);
    for (int i = 0; i < support::cases(1000); ++i) {
      const std::uint64_t x = 10 + random.below(kSide - 10);
      const std::uint64_t y = 10 + random.below(kSide - 10);
      std::vector<bool> reached(x + y + 1);
      for (std::uint64_t a = 0; a < x; ++a) reached[table->at(a, y)] = true;
      for (std::uint64_t b = 0; b < y; ++b) reached[table->at(x, b)] = true;
      for (std::uint64_t t = 1; t <= std::min(x, y); ++t) reached[table->at(x - t, y - t)] = true;
      const auto mex = std::find(reached.begin(), reached.end(), false) - reached.begin();
      ASSERT_EQ(table->at(x, y), mex) << x << ',' << y << " of " << text;
    }
  }
}

// ---- whole tables -------------------------------------------------------------------------------

TEST(CpuEngine, PPositionsOfALargeClassicTableAreWythoffs) {
  constexpr std::uint64_t kSide = support::kSlowBuild ? 1000 : 5000;
  // floor(n * phi) and n more; the mex of all terms so far, without any arithmetic of phi.
  std::vector<Position> expected{{0, 0}};
  std::vector<bool> used(4 * kSide);
  for (std::uint64_t n = 1, a = 1; a < kSide; ++n) {
    used[a] = used[a + n] = true;
    if (a + n < kSide) {
      expected.push_back({a, a + n});
      expected.push_back({a + n, a});
    }
    while (used[a]) ++a;
  }
  std::sort(expected.begin(), expected.end());
  PositionSink zeros(0);
  ASSERT_TRUE(make_engine("cpu", {2, 0})->compute(Rule::classic(), {kSide, kSide}, zeros, {}));
  EXPECT_EQ(to_text(zeros.positions()), to_text(expected));
}

TEST(CpuEngine, OnesOfExtendedAreClassicPPositionsFromCoordinate8On) {
  constexpr Extent kExtent{700, 700};
  PositionSink zeros(0);
  PositionSink ones(1);
  ASSERT_TRUE(make_engine("cpu", {})->compute(Rule::classic(), kExtent, zeros, {}));
  ASSERT_TRUE(make_engine("cpu", {})->compute(Rule::extended(), kExtent, ones, {}));
  const auto split = [](const std::vector<Position>& positions) {
    std::pair<std::vector<Position>, std::vector<Position>> parts;
    for (const Position& p : positions)
      (p.x >= 8 || p.y >= 8 ? parts.first : parts.second).push_back(p);
    return parts;
  };
  const auto [far_zeros, near_zeros] = split(zeros.positions());
  const auto [far_ones, near_ones] = split(ones.positions());
  EXPECT_EQ(to_text(far_ones), to_text(far_zeros));
  EXPECT_EQ(to_text(near_zeros), "0,0;1,2;2,1;3,5;4,7;5,3;7,4");
  EXPECT_EQ(to_text(near_ones), "0,3;1,2;2,1;3,0;4,4;5,7;7,5");
}

TEST(CpuEngine, GivesTheSameTableForAnyThreadsAndTiles) {
  const Watchdog watchdog;
  constexpr Extent kExtent{support::kSlowBuild ? 150U : 500U, support::kSlowBuild ? 200U : 700U};
  for (const char* text : {"extended", "cells:4,1;0,2"}) {
    SummarySink expected;
    ASSERT_TRUE(make_engine("cpu", {1, 0})->compute(Rule::parse(text), kExtent, expected, {}));
    for (const unsigned threads : {0U, 1U, 2U, 5U, 16U}) {
      for (const std::uint64_t side : {0U, 1U, 31U, 128U, 700U}) {
        SummarySink sum;
        ASSERT_TRUE(
            make_engine("cpu", {threads, side})->compute(Rule::parse(text), kExtent, sum, {}));
        EXPECT_EQ(sum.result().digest, expected.result().digest)
            << threads << " threads, tiles of " << side;
        EXPECT_EQ(sum.result(), expected.result());
      }
    }
  }
}

TEST(CpuEngine, BytesNeededAreThoseOfTheLinesAndOneTileForEachThread) {
  const auto bytes = [](const char* rule, const Extent& extent) {
    return make_engine("cpu", {3, 50})->bytes_needed(Rule::parse(rule), extent);
  };
  constexpr std::uint64_t kTiles = std::uint64_t{3} * 50 * 50 * 4;
  EXPECT_EQ(bytes("classic", {700, 900}),
            LineMap::bytes_needed({700, 900}, true, kLineStride) + kTiles);
  EXPECT_EQ(bytes("classic", {900, 700}),
            LineMap::bytes_needed({700, 900}, true, kLineStride) + kTiles);
  EXPECT_EQ(bytes("cells:1,0", {700, 900}),
            LineMap::bytes_needed({700, 900}, false, kLineStride) + kTiles);
  EXPECT_EQ(bytes("cells:1,0", {900, 700}),
            LineMap::bytes_needed({900, 700}, false, kLineStride) + kTiles);
  // Tiles are cut to the table.
  EXPECT_EQ(bytes("classic", {20, 900}),
            LineMap::bytes_needed({20, 900}, true, kLineStride) + std::uint64_t{3} * 20 * 50 * 4);
}

TEST(CpuEngine, HugeTilesAreRefusedOrCutToTheTable) {
  const auto expected = compute_table("reference", Rule::classic(), {10, 20});
  for (const std::uint64_t side : {std::uint64_t{100'000'000}, std::uint64_t{1} << 31U,
                                   std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    CollectedTable table({10, 20});
    try {
      EXPECT_TRUE(make_engine("cpu", {4, side})->compute(Rule::classic(), {10, 20}, table, {}));
      EXPECT_TRUE(table.complete()) << side;
      EXPECT_TRUE(agrees(table, *expected)) << side;
    } catch (const DeviceError&) {
      EXPECT_EQ(table.tiles(), 0U) << side;
    }
  }
}

TEST(ReferenceEngine, BytesNeededAreThoseOfTheTable) {
  EXPECT_EQ(make_engine("reference", {})->bytes_needed(Rule::classic(), {70, 90}), 70U * 90 * 4);
}

TEST(MakeEngine, RefusesUnknownNames) {
  for (const char* name : {"abacus", "", "CPU", "cpu ", "auto,cpu"}) {
    EXPECT_TRUE(throws_naming<UsageError>("'" + std::string(name) + "'",
                                          [&] { (void)make_engine(name, {}); }));
  }
  EXPECT_TRUE(
      throws_naming<UsageError>("xxx", [] { (void)make_engine(std::string(1'000'000, 'x'), {}); }));
}

TEST(MakeEngine, AutoIsAnEngineThatThisMachineCanUse) {
  const auto engine = make_engine("auto", {});
  EXPECT_EQ(make_engine(engine->name(), {})->name(), engine->name());
  EXPECT_NE(engine->name(), "reference");
  EXPECT_TRUE(agrees(*compute_table("auto", Rule::extended(), {50, 80}),
                     *compute_table("reference", Rule::extended(), {50, 80})));
}

}  // namespace
}  // namespace grundy
