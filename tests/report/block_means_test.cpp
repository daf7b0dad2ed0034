#include "grundy/report/block_means.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/report/pictures.hpp"

#include "dataset/table_files.hpp"
#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::TemporaryFolder;
using support::Values;

/// Block (i,j) of the region, cell by cell.
struct Naive {
  double mean = 0;
  bool zero = false;

  Naive(const Values& table, const BlockGrid& grid, CellNumber number, std::uint64_t i,
        std::uint64_t j) {
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (std::uint64_t x = grid.region.x0; x < grid.region.x1(); ++x)
      for (std::uint64_t y = grid.region.y0; y < grid.region.y1(); ++y) {
        if ((x - grid.region.x0) / grid.block.rows != i) continue;
        if ((y - grid.region.y0) / grid.block.cols != j) continue;
        const std::int64_t value = table.at(x, y);
        sum +=
            number == CellNumber::kValue ? value : value - static_cast<std::int64_t>(x > y ? x : y);
        zero = zero || value == 0;
        ++count;
      }
    mean = static_cast<double>(sum) / static_cast<double>(count);
  }
};

void expect_naive(const BlockMeans& means, const Values& table, CellNumber number) {
  for (std::uint64_t i = 0; i < means.grid().rows(); ++i)
    for (std::uint64_t j = 0; j < means.grid().cols(); ++j) {
      const Naive naive(table, means.grid(), number, i, j);
      ASSERT_DOUBLE_EQ(means.mean(i, j), naive.mean) << i << " " << j;
      ASSERT_EQ(means.has_zero(i, j), naive.zero) << i << " " << j;
    }
}

Region random_region(RandomCase& random, const Region& within) {
  const std::uint64_t x0 = random.between(within.x0, within.x1() - 1);
  const std::uint64_t y0 = random.between(within.y0, within.y1() - 1);
  return {x0, y0, {random.between(1, within.x1() - x0), random.between(1, within.y1() - y0)}};
}

TEST(BlockMeans, AreThoseOfTheFileCellByCell) {
  RandomCase random(7100);
  const TemporaryFolder folder;
  for (int round = 0; round < 24; ++round) {
    const std::string path = folder.file(std::to_string(round) + ".h5");
    Rule rule = random.rule();
    Extent extent = random.extent(700);
    DatasetOptions options;
    options.half = round % 3 == 0;
    if (options.half) {
      rule = Rule::triangle(random.below(5));
      if (extent.rows > extent.cols) std::swap(extent.rows, extent.cols);
    }
    const Values table = support::engine_values(rule, extent);
    if (round % 3 == 1) options.window = random_region(random, {0, 0, extent});
    if (options.window) {
      SummarySink summary;
      HistogramSink histogram;
      TileFanout sums({&summary, &histogram});
      RegionSink window(*options.window, sums);
      DatasetWriter writer(path, rule, extent, "test", options);
      TileFanout all({&window, &writer});
      support::feed(all, table, 0, extent.rows);
      writer.publish(summary.result(), histogram.counts());
    } else {
      support::write_table(path, rule, table, options);
    }
    const DatasetReader reader(path);
    for (int part = 0; part < 4; ++part) {
      ReadTilesOptions reading;
      reading.threads = static_cast<unsigned>(random.between(1, 3));
      if (part > 0) reading.region = random_region(random, reader.info().region);
      std::atomic<std::uint64_t> progress{0};
      reading.progress = [&progress](std::uint64_t cells) { progress += cells; };
      const Region region = reading.region.value_or(reader.info().region);
      const CellNumber number = random.coin() ? CellNumber::kValue : CellNumber::kExcess;
      BlockMeans means({region, {random.between(1, 90), random.between(1, 90)}}, number);
      ASSERT_TRUE(read_tiles(reader, means, {}, reading));
      SCOPED_TRACE(testing::Message() << "round " << round << ", part " << part);
      expect_naive(means, table, number);
      EXPECT_EQ(progress, region.extent.cells());
      EXPECT_EQ(means.impossible(), std::nullopt);
    }
  }
}

TEST(BlockMeans, NameAPositionWhoseValueIsImpossible) {
  const std::vector<std::uint32_t> values{0, 1, 1, 3, 2, 1};
  BlockMeans means({{0, 0, {2, 3}}, {2, 3}}, CellNumber::kValue);
  means.consume({{0, 0, 2, 3, values.data(), 3, 1}, {}});
  EXPECT_EQ(means.impossible(), (Position{1, 0}));
}

TEST(BlockMeans, RefuseBlocksWhoseSumsCouldOverflow) {
  constexpr std::uint64_t kSide = std::uint64_t{1} << 31U;
  EXPECT_THROW(BlockMeans({{0, 0, {kSide, kSide}}, {kSide, kSide}}, CellNumber::kValue),
               UsageError);
  constexpr std::uint64_t kLess = std::uint64_t{1} << 20U;
  EXPECT_NO_THROW(BlockMeans({{0, 0, {kLess, kLess}}, {kLess, kLess}}, CellNumber::kValue));
}

TEST(PictureGrid, IsSquareAndAsLargeAsFits) {
  const auto expect = [](const Extent& extent, const Extent& block, const Extent& pixels) {
    SCOPED_TRACE(testing::Message() << extent.rows << " x " << extent.cols);
    const PictureGrid grid = picture_grid({5, 7, extent}, 1000);
    EXPECT_EQ(grid.blocks.block, block);
    EXPECT_EQ(grid.pixels, pixels);
  };
  expect({1, 1}, {1, 1}, {1000, 1000});
  expect({1000, 1000}, {1, 1}, {1, 1});
  expect({999, 1001}, {2, 2}, {1, 1});
  expect({600, 400}, {1, 1}, {1, 1});
  expect({65536, 65536}, {66, 66}, {1, 1});
  expect({10, 20}, {1, 1}, {50, 50});
  // Very long: the short side has a sixth, in blocks or pixels of its own.
  expect({10, 100'000}, {1, 100}, {16, 1});
  expect({100'000, 1}, {100, 1}, {1, 166});
  expect({1000, 100'000}, {7, 100}, {1, 1});
}

TEST(PictureGrid, CoversTheRegionWithinThePixels) {
  RandomCase random(7200);
  for (int i = 0; i < 2000; ++i) {
    const auto pixels = static_cast<unsigned>(
        random.between(PictureOptions::kLeastPixels, PictureOptions::kMostPixels));
    const Extent extent{random.between(1, std::uint64_t{1} << random.between(0, 31)),
                        random.between(1, std::uint64_t{1} << random.between(0, 31))};
    const PictureGrid grid = picture_grid({0, 0, extent}, pixels);
    SCOPED_TRACE(testing::Message() << extent.rows << " x " << extent.cols << ", " << pixels);
    EXPECT_GE(grid.blocks.rows() * grid.blocks.block.rows, extent.rows);
    EXPECT_GE(grid.blocks.cols() * grid.blocks.block.cols, extent.cols);
    EXPECT_LE(std::max(grid.width(), grid.height()), pixels);
    EXPECT_GE(std::max(grid.width(), grid.height()), pixels / 2);
    EXPECT_GE(std::min(grid.width(), grid.height()), pixels / kLongestShape / 2);
  }
}

}  // namespace
}  // namespace grundy
