#include "grundy/report/figure.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

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
            (Texts{"-0.1", "0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLog}, 0.02, 300)), (Texts{"0.1", "1", "10", "100"}));
  EXPECT_EQ(texts(axis_ticks({"", Scale::kLog}, 15, 120)), (Texts{"20", "50", "100"}));
  const Axis sizes{"N", Scale::kLog, std::nullopt, std::nullopt, true};
  EXPECT_EQ(texts(axis_ticks(sizes, 250, 2100)), (Texts{"256", "512", "1024", "2048"}));
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

Figure example() {
  Figure figure;
  figure.title = "Title";
  figure.note = "note";
  for (const Scale scale : {Scale::kLinear, Scale::kLog})
    figure.panels.push_back({"panel",
                             {"x", scale},
                             {"y", scale},
                             {{"a", {1, 2, 3}, {10, 20, 15}, 0}, {"b", {1, 3}, {12, 13}, 1}}});
  return figure;
}

std::uint32_t big_endian(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U |
         std::uint32_t{bytes[at + 2]} << 8U | bytes[at + 3];
}

TEST(DrawPng, GivesAPngOfThePanelsSideBySide) {
  const auto png = draw_png(example(), 2);
  ASSERT_GT(png.size(), 1000U);
  const std::vector<std::uint8_t> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  EXPECT_TRUE(std::equal(signature.begin(), signature.end(), png.begin()));
  EXPECT_EQ(big_endian(png, 16), 2U * 2 * 360);
  EXPECT_GT(big_endian(png, 20), 2U * 300);
}

TEST(DrawPng, DrawsTheSameTwice) { EXPECT_EQ(draw_png(example()), draw_png(example())); }

TEST(DrawPng, ShowsEverySeriesAndLabel) {
  const auto png = draw_png(example());
  Figure other = example();
  other.panels[0].series.pop_back();
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[1].series[0].y[1] += 1;
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[1].y.label = "z";
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[0].series[0].dashed = true;
  EXPECT_NE(draw_png(other), png);
}

TEST(DrawPng, LeavesOutWhatAnAxisCannotShow) {
  Figure figure = example();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (Panel& panel : figure.panels)
    panel.series[0] = {"a", {nan, 1, 2, infinity, 3}, {1, 10, 20, 3, 15}, 0};
  EXPECT_EQ(draw_png(figure), draw_png(example()));
  figure.panels[1].series[0] = {"a", {-1, 0, 1, 2, 3, 4}, {5, 6, 10, 20, 15, -1}, 0};
  EXPECT_EQ(draw_png(figure), draw_png(example()));
}

TEST(DrawPng, DrawsPanelsWithoutPointsOrWithOne) {
  Figure figure;
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    figure.panels.push_back({"", {"x", scale}, {"y", scale}, {}});
    figure.panels.push_back({"", {"x", scale}, {"y", scale}, {{"one", {5}, {5}, 3}}});
  }
  EXPECT_GT(draw_png(figure).size(), 1000U);
}

TEST(DrawPng, RefusesWhatIsNoPicture) {
  EXPECT_THROW(draw_png({}), UsageError);
  Figure figure = example();
  figure.panels[0].x.low = 5;
  figure.panels[0].x.high = 5;
  EXPECT_THROW(draw_png(figure), UsageError);
}

}  // namespace
}  // namespace grundy
