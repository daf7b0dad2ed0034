#include "grundy/engine/summed_tile.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/digest_run.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/kernels/digest.hpp"

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;

/// Lines of a table in memory of their own.
class Lines {
 public:
  explicit Lines(const ComputedPart& part)
      : block_(LineMap::words_needed(part.extent, part.upper_half, kLineStride)),
        map_(part.extent, part.upper_half, kLineStride, block_.data()) {}

  [[nodiscard]] TableLines lines() const { return map_.lines(); }

 private:
  std::vector<LineWord> block_;
  LineMap map_;
};

TEST(SummedTile, GivesTheValuesAndTheSummaryOfAComputedTile) {
  std::uint64_t summed = 0;
  for (int i = 0; i < support::cases(60); ++i) {
    RandomCase random(4700 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(260);
    const ComputedPart part(rule, extent);
    const TileGrid grid{part.extent, 4 * random.between(1, 20), part.upper_half};
    SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", tiles of " + std::to_string(grid.side));
    const Lines expected_lines(part);
    const Lines lines(part);
    std::vector<std::uint32_t> expected(grid.side * grid.side);
    std::vector<std::uint32_t> values(grid.side * grid.side);
    for (std::uint64_t band = 0; band < grid.tile_rows(); ++band) {
      for (std::uint64_t j = grid.first_tile_col(band); j < grid.tile_cols(); ++j) {
        const TileBounds tile = grid.tile(band, j);
        compute_tile(expected_lines.lines(), rule.view(), part.upper_half, tile, expected.data(),
                     grid.side);
        if (!can_sum_tile(part, rule.view(), tile)) {
          compute_tile(lines.lines(), rule.view(), part.upper_half, tile, values.data(), grid.side);
          continue;
        }
        ++summed;
        const Summary sum = compute_summed_tile(lines.lines(), tile, values.data(), grid.side);
        for (std::uint64_t x = 0; x < tile.x1 - tile.x0; ++x)
          for (std::uint64_t y = 0; y < tile.y1 - tile.y0; ++y)
            ASSERT_EQ(values[x * grid.side + y], expected[x * grid.side + y]) << x << ',' << y;
        SummarySink sink;
        sink.consume(hand_out(part, tile, expected.data(), grid.side));
        ASSERT_EQ(sum, sink.result());
      }
    }
  }
#ifdef __AVX2__
  EXPECT_GT(summed, 0U);
#else
  EXPECT_EQ(summed, 0U);
#endif
}

TEST(SummedTile, IsNotForTilesThatItWouldGetWrong) {
  const Rule rule = Rule::extended();
  const ComputedPart part(rule, {128, 200});
  EXPECT_FALSE(can_sum_tile(part, rule.view(), {0, 64, 0, 64})) << "terminal cells";
  EXPECT_FALSE(can_sum_tile(part, rule.view(), {64, 128, 64, 128})) << "on the main diagonal";
  EXPECT_FALSE(can_sum_tile(part, rule.view(), {0, 64, 128, 192})) << "no row 128: no mirror image";
  EXPECT_FALSE(can_sum_tile(part, rule.view(), {0, 10, 64, 127})) << "63 columns";
  const Rule lopsided = Rule::parse("cells:0,0;0,1");
  const ComputedPart full(lopsided, {128, 128});
  EXPECT_FALSE(can_sum_tile(full, lopsided.view(), {0, 64, 64, 128})) << "not symmetric";
}

TEST(DigestRun, IsTheSumOfTheDigestsOfItsCells) {
  for (int i = 0; i < support::cases(2000); ++i) {
    RandomCase random(4800 + static_cast<std::uint64_t>(i));
    const std::uint64_t limit = std::uint64_t{1} << random.between(4, 32);
    const std::uint64_t count = random.below(100);
    const auto coordinate = [&] {
      return random.coin() ? random.below(limit)
                           : limit - 1 - random.below(limit < 200 ? limit : 200);
    };
    const std::uint64_t x = coordinate();
    const std::uint64_t y = coordinate();
    const bool along_y = random.coin();
    if ((along_y ? y : x) + count > std::uint64_t{1} << 32U) continue;
    std::vector<std::uint32_t> values(count);
    std::uint64_t expected = 0;
    for (std::uint64_t j = 0; j < count; ++j) {
      values[j] = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32U));
      expected += along_y ? cell_digest(x, y + j, values[j]) : cell_digest(x + j, y, values[j]);
    }
    ASSERT_EQ(
        digest_run(x + (y << 32U), along_y ? std::uint64_t{1} << 32U : 1, values.data(), count),
        expected)
        << x << ',' << y << ' ' << count << (along_y ? " along y" : " along x");
  }
}

}  // namespace
}  // namespace grundy
