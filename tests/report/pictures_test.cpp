#include "grundy/report/pictures.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/definition.hpp"

namespace grundy {
namespace {

std::vector<std::uint32_t> table_of(const Rule& rule, const Extent& extent) {
  std::vector<std::uint32_t> values;
  for (const auto& row : support::values_by_definition(rule.terminal_cells(), extent))
    values.insert(values.end(), row.begin(), row.end());
  return values;
}

/// Has the means take all cells of a table.
void take(BlockMeans& means, const std::vector<std::uint32_t>& values, const Extent& extent) {
  means.consume(
      {{0, 0, static_cast<std::uint32_t>(extent.rows), static_cast<std::uint32_t>(extent.cols),
        values.data(), static_cast<std::ptrdiff_t>(extent.cols), 1},
       {}});
}

const Series& series_of(const Figure& figure, const std::string& label) {
  const auto& all = figure.panels.at(0).series;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Series& one) { return one.label == label; });
  if (found == all.end()) throw std::out_of_range("no series " + label);
  return *found;
}

/// The positions of points; across is y.
std::set<Position> positions_of(const Series& series) {
  std::set<Position> positions;
  for (std::size_t i = 0; i < series.x.size(); ++i)
    positions.insert(
        {static_cast<std::uint64_t>(series.y[i]), static_cast<std::uint64_t>(series.x[i])});
  EXPECT_EQ(positions.size(), series.x.size()) << series.label;
  return positions;
}

std::set<Position> with_value(const Rule& rule, std::uint64_t limit, std::uint32_t value) {
  std::set<Position> positions;
  const auto values = table_of(rule, {limit, limit});
  for (std::uint64_t k = 0; k < values.size(); ++k)
    if (values[k] == value) positions.insert({k / limit, k % limit});
  return positions;
}

TEST(DrawTable, GivesEachBlockTheColourOfItsMean) {
  const Extent extent{250, 330};
  const auto values = table_of(Rule::extended(), extent);
  for (const bool mark_zeros : {false, true}) {
    for (const CellNumber number : {CellNumber::kValue, CellNumber::kExcess}) {
      const PictureGrid grid = picture_grid({0, 0, extent}, 120);
      EXPECT_EQ(grid.blocks.block, (Extent{3, 3}));
      BlockMeans means(grid.blocks, number);
      take(means, values, extent);
      const Figure figure = draw_table(means, range_of(means), grid,
                                       {Rule::extended(), number, mark_zeros}, {120, {}});
      const Image& image = figure.panels.at(0).image.value();
      ASSERT_EQ(image.rows, 84U);
      ASSERT_EQ(image.cols, 110U);
      std::set<std::uint32_t> marks;
      for (std::uint64_t i = 0; i < image.rows; ++i)
        for (std::uint64_t j = 0; j < image.cols; ++j) {
          const std::uint32_t pixel = image.pixels[i * image.cols + j];
          const ColourBar& bar = figure.panels[0].bar.value();
          if (mark_zeros && means.has_zero(i, j))
            marks.insert(pixel);
          else
            ASSERT_EQ(pixel, to_rgb24(sequential_colour((means.mean(i, j) - bar.low) /
                                                        (bar.high - bar.low))));
        }
      EXPECT_EQ(marks.size(), mark_zeros ? 1U : 0U);
      EXPECT_EQ(figure.panels[0].series.size(), mark_zeros ? 1U : 0U);
    }
  }
}

TEST(DrawTable, OfOneCellAndOfOneRow) {
  for (const Extent extent : {Extent{1, 1}, Extent{1, 3000}, Extent{3000, 1}}) {
    const PictureGrid grid = picture_grid({0, 0, extent}, 300);
    BlockMeans means(grid.blocks, CellNumber::kValue);
    take(means, table_of(Rule::classic(), extent), extent);
    const Figure figure = draw_table(means, range_of(means), grid, {}, {300, {}});
    EXPECT_GT(draw_picture(figure, PictureFormat::kPng).size(), 1000U);
  }
}

TEST(DrawTable, TakesTheTitleThatIsGiven) {
  const PictureGrid grid = picture_grid({0, 0, {3, 3}}, 300);
  BlockMeans means(grid.blocks, CellNumber::kValue);
  take(means, table_of(Rule::classic(), {3, 3}), {3, 3});
  EXPECT_NE(draw_table(means, range_of(means), grid, {}, {300, {}}).title.find("classic"),
            std::string::npos);
  EXPECT_EQ(draw_table(means, range_of(means), grid, {}, {300, "Own"}).title, "Own");
  EXPECT_EQ(draw_table(means, range_of(means), grid, {}, {300, ""}).title, "");
}

TEST(DrawPPositions, ShowsThoseOfEachRule) {
  const std::vector<Rule> rules{Rule::classic(), Rule::extended(), Rule::parse("cells:3,4")};
  const Figure figure = draw_p_positions(rules, 40, {});
  for (const Rule& rule : rules)
    EXPECT_EQ(positions_of(series_of(figure, rule.name())), with_value(rule, 40, 0));
}

TEST(DrawLevels, ShowsThePositionsOfEachValue) {
  const Figure figure = draw_levels(Rule::extended(), 4, 50, {});
  for (unsigned v = 0; v < 4; ++v)
    EXPECT_EQ(positions_of(series_of(figure, "G = " + std::to_string(v))),
              with_value(Rule::extended(), 50, v));
}

TEST(DrawExceptions, ShowsBothKindsAndWhatBothSetsHave) {
  for (const char* name : {"extended", "triangle:4"}) {
    const Rule rule = Rule::parse(name);
    const std::uint64_t limit = 60;
    const LevelEquivalence result = compare_levels(
        rule, limit, [](std::uint64_t) {}, std::stop_token());
    const Figure figure = draw_exceptions(rule, limit, result.ones, {});
    const auto ones = with_value(rule, limit, 1);
    const auto p = with_value(Rule::classic(), limit, 0);
    std::set<Position> both;
    std::set<Position> ones_only;
    std::set<Position> p_only;
    std::set_intersection(ones.begin(), ones.end(), p.begin(), p.end(),
                          std::inserter(both, both.end()));
    std::set_difference(ones.begin(), ones.end(), p.begin(), p.end(),
                        std::inserter(ones_only, ones_only.end()));
    std::set_difference(p.begin(), p.end(), ones.begin(), ones.end(),
                        std::inserter(p_only, p_only.end()));
    EXPECT_EQ(positions_of(series_of(figure, "both")), both);
    EXPECT_EQ(positions_of(series_of(figure, std::string("G = 1 of ") + name + " only")),
              ones_only);
    EXPECT_EQ(positions_of(series_of(figure, "P of classic only")), p_only);
    if (rule == Rule::extended()) {
      EXPECT_EQ(series_of(figure, "x, y < 8").x, (std::vector<double>{7.5, 7.5, -0.5}));
      EXPECT_NE(figure.note.find("x ≥ 8 or y ≥ 8"), std::string::npos);
    } else {
      EXPECT_NE(figure.note.find("do not stop"), std::string::npos);
    }
  }
}

TEST(DrawExceptions, OfClassicAreAllButOneSet) {
  // The two sets have nothing in common.
  const LevelEquivalence result = compare_levels(
      Rule::classic(), 20, [](std::uint64_t) {}, std::stop_token());
  const Figure figure = draw_exceptions(Rule::classic(), 20, result.ones, {});
  EXPECT_TRUE(series_of(figure, "both").x.empty());
  EXPECT_EQ(positions_of(series_of(figure, "P of classic only")),
            with_value(Rule::classic(), 20, 0));
}

TEST(DrawExceptions, OnLogarithmicAxesSaysWhatIsLeftOut) {
  const LevelEquivalence result = compare_levels(
      Rule::extended(), 100, [](std::uint64_t) {}, std::stop_token());
  const Figure figure = draw_exceptions(Rule::extended(), 100, result.ones, {}, Scale::kLog);
  EXPECT_NE(figure.note.find("x = 0 or y = 0"), std::string::npos);
  for (const Series& one : figure.panels.at(0).series)
    if (one.line)
      for (std::size_t i = 0; i < one.x.size(); ++i) {
        EXPECT_GT(one.x[i], 0) << one.label;
        EXPECT_GT(one.y[i], 0) << one.label;
      }
  EXPECT_GT(draw_picture(figure, PictureFormat::kPng).size(), 1000U);
}

TEST(PicturesOfSets, RefuseWhatNobodyCouldSee) {
  EXPECT_THROW(draw_levels(Rule::classic(), 0, 10, {}), UsageError);
  EXPECT_THROW(draw_levels(Rule::classic(), kFigureStyles + 1, 10, {}), UsageError);
  EXPECT_THROW(draw_levels(Rule::classic(), 2, kMostPictured / 2 + 1, {}), UsageError);
  EXPECT_THROW(draw_p_positions({Rule::classic()}, kMostPictured + 1, {}), UsageError);
  EXPECT_THROW(draw_p_positions({Rule::triangle(1U << 20U)}, 2000, {}), UsageError);
  EXPECT_THROW(draw_levels(Rule::triangle(1U << 20U), 1, 2000, {}), UsageError);
  EXPECT_THROW(draw_p_positions(std::vector<Rule>(kMostPicturedRules + 1, Rule::classic()), 10, {}),
               UsageError);
  Equivalence many;
  many.exception_count = kMostPictured + 1;
  EXPECT_THROW(draw_exceptions(Rule::classic(), 10, many, {}), UsageError);
}

}  // namespace
}  // namespace grundy
