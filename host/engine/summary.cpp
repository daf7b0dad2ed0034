#include "grundy/engine/summary.hpp"

#include <algorithm>

#include "grundy/engine/digest_run.hpp"
#include "grundy/kernels/digest.hpp"

namespace grundy {

Summary summarize(const TileView& view) {
  // The inner loop follows the values in memory, in whichever direction that is.
  const bool by_columns = view.y_stride != 1;
  const TileView walk = by_columns ? view.transposed() : view;
  Summary sum;
  sum.cells = std::uint64_t{view.rows} * view.cols;
  for (std::uint32_t i = 0; i < walk.rows; ++i) {
    const std::uint32_t* values = walk.values + static_cast<std::ptrdiff_t>(i) * walk.x_stride;
    std::uint32_t zeros = 0;
    std::uint32_t ones = 0;
    for (std::uint32_t j = 0; j < walk.cols; ++j) {
      const std::uint32_t g = values[static_cast<std::ptrdiff_t>(j) * walk.y_stride];
      zeros += g == 0 ? 1U : 0U;
      ones += g == 1 ? 1U : 0U;
      sum.max_value = std::max(sum.max_value, g);
    }
    sum.zeros += zeros;
    sum.ones += ones;
    const std::uint64_t a = walk.x0 + i;
    if (walk.y_stride == 1) {
      sum.digest +=
          by_columns ? digest_run(walk.y0 + (a << 32U), 1, values, walk.cols)
                     : digest_run(a + (walk.y0 << 32U), std::uint64_t{1} << 32U, values, walk.cols);
    } else {
      for (std::uint32_t j = 0; j < walk.cols; ++j)
        sum.digest += cell_digest(view.x0 + j, view.y0 + i,
                                  values[static_cast<std::ptrdiff_t>(j) * walk.y_stride]);
    }
  }
  return sum;
}

void SummarySink::consume(const FinishedTile& tile) {
  for_each_view(tile, [this](const TileView& view) {
    const Summary sum = summarize(view);
    cells_.fetch_add(sum.cells, std::memory_order_relaxed);
    zeros_.fetch_add(sum.zeros, std::memory_order_relaxed);
    ones_.fetch_add(sum.ones, std::memory_order_relaxed);
    digest_.fetch_add(sum.digest, std::memory_order_relaxed);
    std::uint32_t seen = max_value_.load(std::memory_order_relaxed);
    while (seen < sum.max_value &&
           !max_value_.compare_exchange_weak(seen, sum.max_value, std::memory_order_relaxed)) {
    }
  });
}

Summary SummarySink::result() const {
  return {cells_.load(), zeros_.load(), ones_.load(), max_value_.load(), digest_.load()};
}

}  // namespace grundy
