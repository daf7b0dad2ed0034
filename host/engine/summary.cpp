#include "grundy/engine/summary.hpp"

#include <algorithm>

#include "grundy/engine/digest_run.hpp"
#include "grundy/kernels/digest.hpp"

namespace grundy {

namespace {

/// Counts of consecutive values, for the compiler to do in lanes.
void count(const std::uint32_t* values, std::uint32_t length, Summary& sum) {
  std::uint32_t zeros = 0;
  std::uint32_t ones = 0;
  std::uint32_t largest = 0;
  for (std::uint32_t j = 0; j < length; ++j) {
    const std::uint32_t g = values[j];
    zeros += g == 0 ? 1U : 0U;
    ones += g == 1 ? 1U : 0U;
    largest = std::max(largest, g);
  }
  sum.zeros += zeros;
  sum.ones += ones;
  sum.max_value = std::max(sum.max_value, largest);
}

/// All of the summary but the digest.
Summary counts(const TileView& view) {
  const TileView walk = view.along_memory();
  Summary sum;
  sum.cells = std::uint64_t{view.rows} * view.cols;
  for (std::uint32_t i = 0; i < walk.rows; ++i) {
    const std::uint32_t* values = walk.values + static_cast<std::ptrdiff_t>(i) * walk.x_stride;
    if (walk.y_stride == 1)
      count(values, walk.cols, sum);
    else
      for (std::uint32_t j = 0; j < walk.cols; ++j)
        count(values + static_cast<std::ptrdiff_t>(j) * walk.y_stride, 1, sum);
  }
  return sum;
}

std::uint64_t digest(const TileView& view) {
  const bool by_columns = view.y_stride != 1;
  const TileView walk = view.along_memory();
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < walk.rows; ++i) {
    const std::uint32_t* values = walk.values + static_cast<std::ptrdiff_t>(i) * walk.x_stride;
    const std::uint64_t a = walk.x0 + i;
    if (walk.y_stride == 1) {
      sum += by_columns
                 ? digest_run(walk.y0 + (a << 32U), 1, values, walk.cols)
                 : digest_run(a + (walk.y0 << 32U), std::uint64_t{1} << 32U, values, walk.cols);
    } else {
      for (std::uint32_t j = 0; j < walk.cols; ++j)
        sum += cell_digest(view.x0 + j, view.y0 + i,
                           values[static_cast<std::ptrdiff_t>(j) * walk.y_stride]);
    }
  }
  return sum;
}

}  // namespace

Summary summarize(const TileView& view) {
  Summary sum = counts(view);
  sum.digest = digest(view);
  return sum;
}

void SummarySink::consume(const FinishedTile& tile) {
  Summary sum;
  if (!tile.cells.empty()) sum = counts(tile.cells);
  if (!tile.mirror.empty()) {
    // A whole mirror image has the same values, and so the same counts.
    const bool whole = tile.mirror.rows == tile.cells.cols && tile.mirror.cols == tile.cells.rows &&
                       tile.mirror.values == tile.cells.values;
    sum = sum + (whole ? sum : counts(tile.mirror));
  }
  for_each_view(tile, [&sum](const TileView& view) { sum.digest += digest(view); });
  add(sum);
}

void SummarySink::add(const Summary& sum) {
  cells_.fetch_add(sum.cells, std::memory_order_relaxed);
  zeros_.fetch_add(sum.zeros, std::memory_order_relaxed);
  ones_.fetch_add(sum.ones, std::memory_order_relaxed);
  digest_.fetch_add(sum.digest, std::memory_order_relaxed);
  std::uint32_t seen = max_value_.load(std::memory_order_relaxed);
  while (seen < sum.max_value &&
         !max_value_.compare_exchange_weak(seen, sum.max_value, std::memory_order_relaxed)) {
  }
}

Summary SummarySink::result() const {
  return {cells_.load(), zeros_.load(), ones_.load(), max_value_.load(), digest_.load()};
}

}  // namespace grundy
