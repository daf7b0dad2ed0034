#include "grundy/engine/strip_views.hpp"

#include <algorithm>

namespace grundy {

std::vector<FinishedTile> finished_tiles(const DevicePlan& plan, std::int64_t epoch,
                                         std::int64_t band, const std::uint32_t* buffer) {
  const SlantedGrid& grid = plan.grid;
  const std::int64_t row_first = band * kBandRows;
  const std::int64_t row_last =
      std::min(row_first + kBandRows, static_cast<std::int64_t>(grid.extent.rows));
  const std::int64_t t0 = plan.waves(epoch).first * grid.width;
  // The columns that row 31 of a band has passed in this epoch, and with it all its rows. A row
  // further up met up to 31 of them in the epoch before.
  const std::int64_t passed = t0 - grid.row_start(row_first) - (kBandRows - 1);
  const std::int64_t col_first = std::max<std::int64_t>(passed, 0);
  const std::int64_t col_last = std::min(passed + (std::int64_t{1} << plan.log2_steps),
                                         static_cast<std::int64_t>(grid.extent.cols));

  std::vector<FinishedTile> tiles;
  const auto add = [&](Range rows, Range cols) {
    if (rows.size() == 0 || cols.size() == 0) return;
    const auto stride = static_cast<std::ptrdiff_t>(plan.stride());
    const std::ptrdiff_t at = (rows.first - plan.rows(epoch).first) * stride + plan.carry +
                              (grid.row_start(rows.first) + cols.first - t0);
    // Each row starts one step later than the row above it.
    const TileView view{static_cast<std::uint64_t>(rows.first),
                        static_cast<std::uint64_t>(cols.first),
                        static_cast<std::uint32_t>(rows.size()),
                        static_cast<std::uint32_t>(cols.size()),
                        buffer + at,
                        stride + 1,
                        1};
    tiles.push_back(finished_tile(plan.part, view));
  };
  if (!grid.upper_half) {
    add({row_first, row_last}, {col_first, col_last});
    return tiles;
  }
  // The triangle on the main diagonal row by row, then the columns beyond it.
  for (std::int64_t x = row_first; x < row_last; ++x) {
    const std::int64_t first = std::max(col_first, x);
    const std::int64_t last = std::min(col_last, row_last);
    if (first == x && first < last) {
      add({x, x + 1}, {x, x + 1});
      add({x, x + 1}, {x + 1, last});
    } else {
      add({x, x + 1}, {first, last});
    }
  }
  add({row_first, row_last}, {std::max(col_first, row_last), col_last});
  return tiles;
}

}  // namespace grundy
