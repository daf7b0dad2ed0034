#include "grundy/report/block_means.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {

BlockMeans::BlockMeans(const BlockGrid& grid, CellNumber number)
    : grid_(grid), number_(number), cols_(grid.cols()) {
  const Extent& extent = grid.region.extent;
  const std::uint64_t largest = grid.region.x1() + grid.region.y1();
  const std::uint64_t rows = std::min(grid.block.rows, extent.rows);
  const std::uint64_t cols = std::min(grid.block.cols, extent.cols);
  if (rows > std::numeric_limits<std::int64_t>::max() / largest / cols)
    throw UsageError(
        fmt::format("blocks of {} x {} cells are too large to sum up; a picture of more pixels has "
                    "smaller ones",
                    rows, cols));
  sums_.resize(grid.rows() * cols_);
  has_zero_.resize(sums_.size());
}

void BlockMeans::consume(const FinishedTile& tile) {
  for_each_view(tile, [this](const TileView& view) { add(view); });
}

void BlockMeans::add(const TileView& view) {
  const auto x_first = view.x0 - grid_.region.x0;
  const auto y_first = view.y0 - grid_.region.y0;
  for (std::uint32_t i = 0; i < view.rows; ++i) {
    const std::uint64_t x = view.x0 + i;
    const std::uint64_t row = (x_first + i) / grid_.block.rows * cols_;
    for (std::uint32_t j = 0; j < view.cols;) {
      // The cells of this row that one block has.
      const std::uint64_t block = (y_first + j) / grid_.block.cols;
      const auto end = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(view.cols, (block + 1) * grid_.block.cols - y_first));
      std::int64_t sum = 0;
      bool zero = false;
      bool possible = true;
      for (std::uint64_t y = view.y0 + j; j < end; ++j, ++y) {
        const std::uint32_t value = view.at(i, j);
        sum += value;
        if (number_ == CellNumber::kExcess) sum -= static_cast<std::int64_t>(std::max(x, y));
        zero = zero || value == 0;
        if (value > x + y && possible) {
          possible = false;
          const std::scoped_lock lock(impossible_mutex_);
          impossible_ = {x, y};
        }
      }
      // Another thread may have another tile of the block.
      std::atomic_ref(sums_[row + block]).fetch_add(sum, std::memory_order_relaxed);
      if (zero) std::atomic_ref(has_zero_[row + block]).store(1, std::memory_order_relaxed);
    }
  }
}

double BlockMeans::mean(std::uint64_t i, std::uint64_t j) const {
  return static_cast<double>(sums_[i * cols_ + j]) /
         static_cast<double>(grid_.positions(i, j).extent.cells());
}

}  // namespace grundy
