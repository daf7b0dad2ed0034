#include "grundy/engine/strip_views.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/collected_table.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::CollectedTable;
using support::RandomCase;
using support::to_text;

// What names a cell of the computed part.
std::uint32_t value_of(std::int64_t x, std::int64_t y) {
  return static_cast<std::uint32_t>(x * 1000 + y);
}

// The strip of an epoch as a GPU leaves it, with what it carries over from the epoch before.
std::vector<std::uint32_t> filled_strip(const DevicePlan& plan, std::int64_t epoch) {
  std::vector<std::uint32_t> buffer(plan.strip_bytes / 4, 0xCBCB'CBCB);
  const Range rows = plan.rows(epoch);
  const std::int64_t t0 = plan.waves(epoch).first * plan.grid.width;
  for (std::int64_t x = rows.first; x < rows.last; ++x) {
    for (std::uint64_t at = 0; at < plan.stride(); ++at) {
      const std::int64_t y =
          t0 - plan.carry + static_cast<std::int64_t>(at) - plan.grid.row_start(x);
      if (plan.grid.computes(x, y))
        buffer[static_cast<std::uint64_t>(x - rows.first) * plan.stride() + at] = value_of(x, y);
    }
  }
  return buffer;
}

TEST(StripViews, TilesOfAllEpochsHoldEveryCellOnceWithItsValue) {
  RandomCase random(81);
  for (int i = 0; i < support::cases(200); ++i) {
    const Rule rule = random.coin() ? Rule::classic() : Rule::parse("cells:1,0");
    const Extent extent = random.extent(220);
    const DevicePlan plan(ComputedPart(rule, extent), rule,
                          {true, random.between(1, 400), random.coin() ? 8U : 32U});
    SCOPED_TRACE(rule.name() + " " + to_text(extent) + ", epochs of " +
                 std::to_string(1U << plan.log2_steps));
    CollectedTable table(extent);
    for (std::int64_t epoch = 0; epoch < plan.epochs; ++epoch) {
      const std::vector<std::uint32_t> buffer = filled_strip(plan, epoch);
      const Range bands = plan.bands(epoch);
      for (std::int64_t band = bands.first; band < bands.last; ++band)
        for (const FinishedTile& tile : finished_tiles(plan, epoch, band, buffer.data()))
          table.consume(tile);
    }
    ASSERT_TRUE(table.complete());
    ASSERT_TRUE(agrees(table, [&](std::uint64_t x, std::uint64_t y) {
      std::uint64_t row = plan.part.transposed ? y : x;
      std::uint64_t column = plan.part.transposed ? x : y;
      if (plan.part.upper_half && column < row) std::swap(row, column);
      return value_of(static_cast<std::int64_t>(row), static_cast<std::int64_t>(column));
    }));
  }
}

}  // namespace
}  // namespace grundy
