#include "grundy/dataset/chunk_grid.hpp"

#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::RandomCase;

TEST(ChunkGrid, EveryStoredPositionIsInOneChunk) {
  RandomCase random(771);
  for (int round = 0; round < support::cases(300); ++round) {
    ChunkGrid grid{{random.below(50), random.below(50), random.extent(40)}, random.extent(20), 2};
    if (random.coin()) {
      grid.region.x0 = grid.region.y0 = 0;
      grid.half = grid.region.extent.rows <= grid.region.extent.cols;
    }
    SCOPED_TRACE(support::to_text(grid.region.extent) + " by " + support::to_text(grid.chunk));
    std::set<Position> positions;
    std::uint64_t chunks = 0;
    for (std::uint64_t i = 0; i < grid.rows(); ++i) {
      for (std::uint64_t j = 0; j < grid.cols(); ++j) {
        const Region part = grid.positions(i, j);
        EXPECT_TRUE(grid.region.contains(part));
        std::uint64_t stored = 0;
        for (std::uint64_t x = part.x0; x < part.x1(); ++x) {
          for (std::uint64_t y = part.y0; y < part.y1(); ++y) {
            EXPECT_TRUE(positions.insert({x, y}).second);
            if (!grid.half || y >= x) ++stored;
          }
        }
        EXPECT_EQ(grid.stored_cells(i, j), stored);
        EXPECT_EQ(j >= grid.first_col(i), stored > 0) << i << ',' << j;
        if (stored > 0) ++chunks;
      }
    }
    EXPECT_EQ(positions.size(), grid.region.extent.cells());
    EXPECT_EQ(grid.stored_chunks(), chunks);
  }
}

TEST(ChunkGrid, VisitsTheChunksOfAPart) {
  RandomCase random(772);
  for (int round = 0; round < support::cases(300); ++round) {
    ChunkGrid grid{{random.below(9), random.below(9), random.extent(40)}, random.extent(12), 4};
    const Extent within{random.between(1, grid.region.extent.rows),
                        random.between(1, grid.region.extent.cols)};
    const Region part{grid.region.x0 + random.below(grid.region.extent.rows - within.rows + 1),
                      grid.region.y0 + random.below(grid.region.extent.cols - within.cols + 1),
                      within};
    std::set<std::pair<std::uint64_t, std::uint64_t>> expected;
    for (std::uint64_t i = 0; i < grid.rows(); ++i) {
      for (std::uint64_t j = 0; j < grid.cols(); ++j) {
        const Region common = intersection(grid.positions(i, j), part);
        if (common.extent.rows > 0 && common.extent.cols > 0) expected.emplace(i, j);
      }
    }
    std::set<std::pair<std::uint64_t, std::uint64_t>> visited;
    for_each_chunk(grid, part, [&](std::uint64_t i, std::uint64_t j) {
      EXPECT_TRUE(visited.emplace(i, j).second);
    });
    EXPECT_EQ(visited, expected);
  }
}

}  // namespace
}  // namespace grundy
