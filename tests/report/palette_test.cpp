#include "grundy/report/palette.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace grundy {
namespace {

/// Y of CIE XYZ: how light a colour is in grey print.
double luminance(const Colour& c) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

TEST(SequentialColour, GrowsLighterFromStepToStep) {
  constexpr int kSteps = 1000;
  for (int i = 1; i <= kSteps; ++i)
    ASSERT_GT(luminance(sequential_colour(static_cast<double>(i) / kSteps)),
              luminance(sequential_colour((i - 1.0) / kSteps)))
        << i;
  EXPECT_LT(luminance(sequential_colour(0)), 0.05);
  EXPECT_GT(luminance(sequential_colour(1)), 0.75);
}

TEST(SequentialColour, EqualStepsLookEquallyDifferent) {
  constexpr int kSteps = 200;
  const auto distance = [](int i) {
    const auto a = sequential_oklab((i - 1.0) / kSteps);
    const auto b = sequential_oklab(static_cast<double>(i) / kSteps);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  for (int i = 2; i <= kSteps; ++i) ASSERT_NEAR(distance(i), distance(1), 1e-9) << i;
}

TEST(SequentialColour, IsWithinTheColoursOfScreensAndNotCutOff) {
  for (int i = 0; i <= 200; ++i) {
    const Colour colour = sequential_colour(i / 200.0);
    for (const double part : {colour.red, colour.green, colour.blue}) {
      ASSERT_GT(part, 0) << i;
      ASSERT_LT(part, 1) << i;
    }
  }
}

TEST(SequentialColour, OfWhatLiesOutsideIsTheEnd) {
  EXPECT_EQ(to_rgb24(sequential_colour(-3)), to_rgb24(sequential_colour(0)));
  EXPECT_EQ(to_rgb24(sequential_colour(1.5)), to_rgb24(sequential_colour(1)));
}

TEST(FromOklab, KnowsTheCornersOfSrgb) {
  // Values published with the colour space: white, and pure red.
  EXPECT_EQ(to_rgb24(from_oklab({1, 0, 0})), 0xffffffU);
  EXPECT_EQ(to_rgb24(from_oklab({0, 0, 0})), 0x000000U);
  EXPECT_EQ(to_rgb24(from_oklab({0.627955, 0.224863, 0.125846})), 0xff0000U);
}

TEST(ToRgb24, Rounds) {
  EXPECT_EQ(to_rgb24({0, 0.5, 1}), 0x0080ffU);
  EXPECT_EQ(to_rgb24({0.499 / 255, 0.501 / 255, 254.4 / 255}), 0x0001feU);
}

}  // namespace
}  // namespace grundy
