#include "grundy/engine/device_plan.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "grundy/engine/line_map.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/kernels/staged_lines.hpp"

#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::throws_naming;
using support::to_text;

DevicePlan plan_for(const Rule& rule, const Extent& extent,
                    const DevicePlan::Request& request = {}) {
  return {ComputedPart(rule, extent), rule, request};
}

TEST(DevicePlan, EpochsHoldEveryCellOnce) {
  RandomCase random(71);
  for (int i = 0; i < 200; ++i) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(400);
    const DevicePlan plan =
        plan_for(rule, extent, {random.coin(), random.below(500), random.coin() ? 8U : 32U});
    SCOPED_TRACE(rule.name() + " " + to_text(extent));
    std::uint64_t cells = 0;
    for (std::int64_t epoch = 0; epoch < plan.epochs; ++epoch) {
      cells += plan.cells(epoch);
      ASSERT_LE(plan.bands(epoch).size(), plan.most_bands);
    }
    ASSERT_EQ(cells, extent.cells());
    ASSERT_EQ(plan.cells(plan.epochs), 0U);
  }
}

TEST(DevicePlan, CountsTheLineSetsAndTwoStrips) {
  for (const char* text : {"classic", "cells:1,0"}) {
    const Rule rule = Rule::parse(text);
    const DevicePlan plan = plan_for(rule, {5000, 7000});
    const std::uint64_t lines =
        8 * LineMap::words_needed({5000, 7000}, rule.symmetric(), kStagedLineStride);
    EXPECT_EQ(plan.line_bytes, lines);
    EXPECT_GT(plan.bytes(), lines + 2 * plan.strip_bytes);
    EXPECT_EQ(plan.strip_bytes,
              static_cast<std::uint64_t>(plan.most_bands) * kBandRows * plan.stride() * 4);
  }
}

TEST(DevicePlan, LineSetsOfALargeClassicSquareTakeThreeEighthsOfAByteACell) {
  constexpr std::uint64_t kSide = 262144;
  const DevicePlan plan = plan_for(Rule::classic(), {kSide, kSide});
  EXPECT_NEAR(static_cast<double>(plan.line_bytes) / (kSide * kSide), 0.375, 0.01);
  EXPECT_LT(static_cast<double>(plan.bytes()) / (kSide * kSide), 0.45);
}

TEST(DevicePlan, StripsStayInsideTheirBuffer) {
  RandomCase random(72);
  for (int i = 0; i < 100; ++i) {
    const Rule rule = random.rule();
    const DevicePlan plan = plan_for(rule, random.extent(300), {random.coin(), random.below(300)});
    for (std::int64_t epoch = 0; epoch < plan.epochs; ++epoch) {
      const Range rows = plan.rows(epoch);
      ASSERT_LE(static_cast<std::uint64_t>(rows.size()) * plan.stride() * 4, plan.strip_bytes);
      ASSERT_EQ(plan.strip(epoch, nullptr).x0, rows.first);
    }
  }
}

TEST(LargestSquare, FitsWhereTheNextDoesNot) {
  for (const char* text : {"classic", "cells:1,0"}) {
    const Rule rule = Rule::parse(text);
    for (const std::uint64_t bytes :
         {std::uint64_t{1} << 28U, std::uint64_t{1} << 30U, std::uint64_t{140} << 30U}) {
      const std::uint64_t side = largest_square(rule, bytes, {});
      EXPECT_LE(plan_for(rule, {side, side}).bytes(), bytes);
      EXPECT_GT(plan_for(rule, {side + 1, side + 1}).bytes(), bytes);
    }
  }
}

TEST(LargestSquare, IsNoneWithoutMemory) { EXPECT_EQ(largest_square(Rule::classic(), 0, {}), 0U); }

TEST(DevicePlan, RefusesSidesBeyondItsCoordinates) {
  EXPECT_TRUE(throws_naming<DeviceError>("1073741824", [] {
    (void)plan_for(Rule::classic(), {1, std::uint64_t{1} << 30U});
  }));
}

}  // namespace
}  // namespace grundy
