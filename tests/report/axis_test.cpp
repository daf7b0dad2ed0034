#include "grundy/report/axis.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks)
    if (!tick.text.empty()) all.push_back(tick.text);
  return all;
}

using Texts = std::vector<std::string>;

TEST(AxisTicks, AreRoundNumbers) {
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLinear}, 0, 10, 5)),
            (Texts{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLinear}, -0.1, 0.32, 5)),
            (Texts{"−0.1", "0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLog}, 0.02, 300)), (Texts{"0.1", "1", "10", "100"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLog}, 15, 120)), (Texts{"20", "50", "100"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLog}, 1e-7, 1e7, 4)),
            (Texts{"10⁻⁶", "0.001", "1", "1000", "10⁶"}));
  const Axis sizes{"N", Scale::kLog, std::nullopt, std::nullopt, true};
  EXPECT_EQ(texts(axis_ticks(sizes, 250, 2100)), (Texts{"256", "512", "1024", "2048"}));
}

TEST(AxisTicks, OfCoordinatesAreWholeNumbersInFull) {
  Axis axis{"x"};
  axis.whole_numbers = true;
  EXPECT_EQ(texts(axis_ticks(axis, -0.5, 2.5)), (Texts{"0", "1", "2"}));
  EXPECT_EQ(texts(axis_ticks(axis, -0.5, 0.5)), (Texts{"0"}));
  EXPECT_EQ(texts(axis_ticks(axis, 3999999999.5, 4000000010, 5)),
            (Texts{"4000000000", "4000000005", "4000000010"}));
}

TEST(AxisTicks, LieInTheRangeInOrderAndAreFew) {
  RandomCase random(4300);
  for (int i = 0; i < 1000; ++i) {
    Axis axis;
    axis.scale = random.coin() ? Scale::kLog : Scale::kLinear;
    axis.powers_of_two = random.coin();
    const double low = std::exp(static_cast<double>(random.below(200)) / 10 - 10);
    const double high = low * (1.01 + static_cast<double>(random.below(1'000'000)) / 100);
    const auto ticks = axis_ticks(axis, low, high);
    SCOPED_TRACE(std::to_string(low) + " to " + std::to_string(high));
    double before = -std::numeric_limits<double>::infinity();
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.at, low * (1 - 1e-8));
      EXPECT_LE(tick.at, high * (1 + 1e-8));
      EXPECT_GT(tick.at, before);
      before = tick.at;
    }
    EXPECT_LE(texts(ticks).size(), 12U);
  }
}

}  // namespace
}  // namespace grundy
