#include "grundy/kernels/slant.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

// Calls visit(grid) for small tables of many shapes, cut in every way.
template <typename Visit>
void for_each_grid(Visit visit) {
  for (const std::uint64_t rows : {1U, 2U, 31U, 32U, 33U, 64U, 100U})
    for (const std::uint64_t cols : {1U, 5U, 31U, 32U, 33U, 70U, 130U})
      for (const std::uint32_t width : {1U, 4U, 8U, 16U, 32U})
        for (const bool upper_half : {false, true})
          if (!upper_half || rows <= cols) {
            SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", width " << width
                                            << (upper_half ? ", upper half" : ""));
            visit(SlantedGrid{{rows, cols}, upper_half, width});
            if (testing::Test::HasFailure()) return;
          }
}

// The tile of a cell.
std::int64_t tile_of(const SlantedGrid& grid, std::int64_t x, std::int64_t y) {
  return (y + x % kBandRows) / grid.width;
}

TEST(SlantedGrid, EveryCellIsInATileOfItsBandAndOfTheRightWave) {
  for_each_grid([](const SlantedGrid& grid) {
    for (std::int64_t x = 0; x < static_cast<std::int64_t>(grid.extent.rows); ++x) {
      for (std::int64_t y = grid.upper_half ? x : 0;
           y < static_cast<std::int64_t>(grid.extent.cols); ++y) {
        ASSERT_TRUE(grid.computes(x, y));
        const std::int64_t band = x / kBandRows;
        const std::int64_t tile = tile_of(grid, x, y);
        const Range tiles = grid.tiles(band);
        ASSERT_TRUE(tiles.first <= tile && tile < tiles.last) << x << ',' << y;
        const std::int64_t wave = (grid.row_start(x) + y) / grid.width;
        ASSERT_EQ(wave, tile + grid.lag() * band);
        ASSERT_LT(wave, grid.waves());
      }
      ASSERT_FALSE(grid.computes(x, -1));
      ASSERT_FALSE(grid.computes(x, static_cast<std::int64_t>(grid.extent.cols)));
      if (grid.upper_half) {
        ASSERT_FALSE(grid.computes(x, x - 1));
      }
    }
  });
}

TEST(SlantedGrid, WhatACellNeedsIsInEarlierWavesOrFurtherLeftInItsBand) {
  for_each_grid([](const SlantedGrid& grid) {
    for (std::int64_t x = kBandRows; x < static_cast<std::int64_t>(grid.extent.rows); ++x) {
      for (std::int64_t y = 0; y < static_cast<std::int64_t>(grid.extent.cols); ++y) {
        if (!grid.computes(x, y)) continue;
        // The cell above it in the last row of the band above: all others there come before it.
        const std::int64_t above = x / kBandRows * kBandRows - 1;
        const std::int64_t tile = tile_of(grid, x, y);
        const std::int64_t tile_above = tile_of(grid, above, y);
        ASSERT_LT(tile_above + grid.lag() * (x / kBandRows - 1),
                  tile + grid.lag() * (x / kBandRows))
            << x << ',' << y;
        ASSERT_LT(tile_above, grid.tiles_needed_above(tile)) << x << ',' << y;
        ASSERT_LE(grid.tiles_needed_above(tile), grid.tiles(x / kBandRows - 1).last);
      }
    }
  });
}

TEST(SlantedGrid, WavesHoldEveryTileOnceWhereverTheyAreCut) {
  for_each_grid([](const SlantedGrid& grid) {
    for (const std::int64_t epoch : {1, 3, 1000}) {
      std::vector<std::int64_t> next;
      for (std::int64_t band = 0; band < grid.bands(); ++band)
        next.push_back(grid.tiles(band).first);
      for (std::int64_t wave = 0; wave < grid.waves(); wave += epoch) {
        const Range waves{wave, wave + epoch};
        const Range bands = grid.bands_in(waves);
        for (std::int64_t band = 0; band < grid.bands(); ++band) {
          const Range tiles = grid.tiles_in(waves, band);
          ASSERT_EQ(band >= bands.first && band<bands.last, tiles.size()> 0)
              << "band " << band << ", waves from " << wave;
          if (tiles.size() == 0) continue;
          auto& expected = next[static_cast<std::size_t>(band)];
          ASSERT_EQ(tiles.first, expected);
          expected = tiles.last;
        }
      }
      for (std::int64_t band = 0; band < grid.bands(); ++band)
        ASSERT_EQ(next[static_cast<std::size_t>(band)], grid.tiles(band).last);
      ASSERT_EQ(grid.bands_in({grid.waves(), grid.waves() + 5}).size(), 0);
    }
  });
}

TEST(SlantedGrid, NarrowTilesMakeFewerSteps) {
  constexpr std::uint64_t kSide = 65536;
  const auto steps = [](std::uint32_t width) {
    const SlantedGrid grid{{kSide, kSide}, true, width};
    return static_cast<double>(grid.waves() * width) / kSide;
  };
  EXPECT_NEAR(steps(32), 3.0, 0.01);
  EXPECT_NEAR(steps(16), 2.5, 0.01);
  EXPECT_NEAR(steps(8), 2.25, 0.01);
}

}  // namespace
}  // namespace grundy
