#include "grundy/kernels/tile.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/rule.hpp"

#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/own_line.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;

// ---- terminal sets ------------------------------------------------------------------------------

TEST(TerminalView, ContainsTheTerminalCellsOfTheRule) {
  RandomCase random(41);
  for (int i = 0; i < support::cases(400); ++i) {
    const Rule rule = random.rule();
    const std::vector<Position> listed = rule.terminal_cells();
    const std::set<Position> set(listed.begin(), listed.end());
    for (std::uint64_t x = 0; x < 33; ++x)
      for (std::uint64_t y = 0; y < 33; ++y)
        ASSERT_EQ(rule.view().contains(x, y), set.contains({x, y}))
            << x << ',' << y << " of " << rule.name();
  }
}

TEST(TerminalView, MayMeetEveryTileThatHoldsATerminalCell) {
  RandomCase random(42);
  for (int i = 0; i < support::cases(400); ++i) {
    const Rule rule = random.rule();
    for (const Position& p : rule.terminal_cells())
      for (std::uint64_t x0 = 0; x0 <= p.x; ++x0)
        for (std::uint64_t y0 = 0; y0 <= p.y; ++y0)
          ASSERT_TRUE(rule.view().may_meet(x0, y0)) << x0 << ',' << y0 << " of " << rule.name();
  }
}

TEST(TerminalView, CannotMeetTilesBeyondAllTerminalCells) {
  RandomCase random(43);
  for (int i = 0; i < support::cases(400); ++i) {
    const Rule rule = random.rule();
    Position last;
    for (const Position& p : rule.terminal_cells())
      last = {std::max(last.x, p.x), std::max(last.y, p.y)};
    for (std::uint64_t other = 0; other < 40; ++other) {
      ASSERT_FALSE(rule.view().may_meet(last.x + 1, other)) << other << " of " << rule.name();
      ASSERT_FALSE(rule.view().may_meet(other, last.y + 1)) << other << " of " << rule.name();
    }
  }
}

// ---- where the tiles are ------------------------------------------------------------------------

// How often the tiles of a grid cover each cell, by x, then y.
std::vector<std::vector<int>> coverage(const TileGrid& grid) {
  std::vector<std::vector<int>> times(grid.extent.rows, std::vector<int>(grid.extent.cols));
  for (std::uint64_t i = 0; i < grid.tile_rows(); ++i) {
    EXPECT_LT(grid.first_tile_col(i), grid.tile_cols()) << "no tile in tile row " << i;
    for (std::uint64_t j = grid.first_tile_col(i); j < grid.tile_cols(); ++j) {
      const TileBounds tile = grid.tile(i, j);
      EXPECT_TRUE(tile.x0 < tile.x1 && tile.x1 <= grid.extent.rows) << i << ',' << j;
      EXPECT_TRUE(tile.y0 < tile.y1 && tile.y1 <= grid.extent.cols) << i << ',' << j;
      EXPECT_TRUE(tile.x1 - tile.x0 <= grid.side && tile.y1 - tile.y0 <= grid.side)
          << i << ',' << j;
      if (testing::Test::HasFailure()) return times;
      for (std::uint64_t x = tile.x0; x < tile.x1; ++x)
        for (std::uint64_t y = tile.y0; y < tile.y1; ++y) ++times[x][y];
    }
  }
  return times;
}

TEST(TileGrid, CoversEveryComputedCellOnce) {
  for (std::uint64_t rows = 1; rows <= 20; ++rows) {
    for (std::uint64_t cols = 1; cols <= 20; ++cols) {
      for (const std::uint64_t side : {1U, 2U, 3U, 7U, 8U, 19U, 20U, 21U, 1000U}) {
        for (const bool upper_half : {false, true}) {
          const auto times = coverage({{rows, cols}, side, upper_half});
          ASSERT_FALSE(HasFailure()) << rows << " x " << cols << ", side " << side;
          for (std::uint64_t x = 0; x < rows; ++x) {
            for (std::uint64_t y = 0; y < cols; ++y) {
              // Of an upper half, also the rest of the tiles on the main diagonal.
              const int expected = upper_half && y / side < x / side ? 0 : 1;
              ASSERT_EQ(times[x][y], expected)
                  << x << ',' << y << " of " << rows << " x " << cols << ", side " << side;
            }
          }
        }
      }
    }
  }
}

TEST(TileGrid, WorksUpToTheLargestTables) {
  const TileGrid grid{{1U << 31U, 1U << 31U}, 128, true};
  EXPECT_EQ(grid.tile_rows(), 1U << 24U);
  EXPECT_EQ(grid.tile_cols(), 1U << 24U);
  const TileBounds last = grid.tile((1U << 24U) - 1, (1U << 24U) - 1);
  EXPECT_EQ(last.x0, (1U << 31U) - 128);
  EXPECT_EQ(last.y1, 1U << 31U);
}

// ---- computing tiles ----------------------------------------------------------------------------

// Lines that are all wide enough for every value of the table, each in its own memory.
class WideLines {
 public:
  WideLines(const Extent& extent, bool symmetric)
      : main_diagonal_(extent.rows - 1), summary_words_(summary_words_for(values_of(extent))) {
    const std::uint64_t shared = std::max(extent.rows, extent.cols);
    memory_.assign(2 * shared + extent.rows + extent.cols - 1,
                   support::OwnLine(summary_words_, values_of(extent)));
    auto take = [next = memory_.begin()](std::uint64_t count,
                                         std::vector<LineWord*>& lines) mutable {
      for (; count > 0; --count) lines.push_back((next++)->line());
    };
    take(shared, rows_);
    take(shared, columns_);
    take(extent.rows + extent.cols - 1, diagonals_);
    if (symmetric) columns_ = rows_;
  }

  [[nodiscard]] TableLines lines() const {
    return {rows_.data(), columns_.data(), diagonals_.data(), main_diagonal_, summary_words_};
  }

 private:
  static std::uint64_t values_of(const Extent& extent) { return extent.rows + extent.cols - 1; }

  std::vector<support::OwnLine> memory_;
  std::vector<LineWord*> rows_;
  std::vector<LineWord*> columns_;
  std::vector<LineWord*> diagonals_;
  std::uint64_t main_diagonal_;
  std::uint64_t summary_words_;
};

// The tiles of a grid in random order, each after those it needs.
std::vector<Position> random_valid_order(const TileGrid& grid, RandomCase& random) {
  std::vector<std::uint64_t> next_col(grid.tile_rows());
  for (std::uint64_t i = 0; i < next_col.size(); ++i) next_col[i] = grid.first_tile_col(i);
  std::vector<Position> order;
  while (true) {
    std::vector<std::uint64_t> ready;
    for (std::uint64_t i = 0; i < next_col.size(); ++i)
      if (next_col[i] < grid.tile_cols() && (i == 0 || next_col[i - 1] > next_col[i]))
        ready.push_back(i);
    if (ready.empty()) return order;
    const std::uint64_t i = ready[random.below(ready.size())];
    order.push_back({i, next_col[i]++});
  }
}

constexpr std::uint32_t kUntouched = 0xdead'beef;

TEST(ComputeTile, GivesTheValuesOfTheDefinitionInAnyValidOrder) {
  for (int i = 0; i < support::cases(150); ++i) {
    RandomCase random(1000 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const bool upper_half = rule.symmetric() && random.coin();
    // Some tiles have several strips of columns and blocks of rows.
    const bool large = random.below(12) == 0;
    Extent extent = random.extent(large ? 210 : upper_half || random.coin() ? 45 : 70);
    if (upper_half && extent.rows > extent.cols) std::swap(extent.rows, extent.cols);
    const TileGrid grid{extent, large ? random.between(65, 200) : random.between(1, 50),
                        upper_half};
    SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", tiles of " + std::to_string(grid.side) +
                 (upper_half ? ", upper half" : "") + ", seed " + std::to_string(1000 + i));

    const auto expected = support::values_by_definition(rule.terminal_cells(), extent);
    const WideLines lines(extent, upper_half);
    for (const auto& [tile_row, tile_col] : random_valid_order(grid, random)) {
      const TileBounds tile = grid.tile(tile_row, tile_col);
      const std::uint64_t width = tile.y1 - tile.y0;
      const std::uint64_t stride = width + random.below(3);
      std::vector<std::uint32_t> values((tile.x1 - tile.x0) * stride, kUntouched);
      compute_tile(lines.lines(), rule.view(), upper_half, tile, values.data(), stride);
      for (std::uint64_t k = 0; k < values.size(); ++k) {
        const std::uint64_t x = tile.x0 + k / stride;
        const std::uint64_t y = tile.y0 + k % stride;
        const bool computed = k % stride < width && !(upper_half && y < x);
        ASSERT_EQ(values[k], computed ? expected[x][y] : kUntouched) << "at " << x << ',' << y;
      }
    }
  }
}

TEST(ComputeOpenCell, GivesTheSameValueFromTheHintOfTheRowAndOfTheColumn) {
  // Lines become long enough for hints above 0: 8 full value words hold 512 values.
  constexpr Extent kExtent{12, 900};
  for (const bool from_column : {false, true}) {
    const WideLines lines(kExtent, false);
    const WideLines swapped_lines({kExtent.cols, kExtent.rows}, false);
    const Rule rule = Rule::classic();
    for (std::uint64_t x = 0; x < kExtent.rows; ++x) {
      for (std::uint64_t y = 0; y < kExtent.cols; ++y) {
        if (rule.is_terminal({x, y})) {
          compute_cell(lines.lines(), rule.view(), x, y);
          compute_cell(swapped_lines.lines(), rule.view(), y, x);
          continue;
        }
        ASSERT_EQ(compute_open_cell(lines.lines(), x, y, from_column),
                  compute_open_cell(swapped_lines.lines(), y, x, from_column))
            << x << ',' << y;
      }
    }
  }
}

}  // namespace
}  // namespace grundy
