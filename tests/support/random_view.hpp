// Views of random values, laid out in memory in all ways that a view can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grundy/engine/tile.hpp"

#include "support/random_case.hpp"

namespace grundy::support {

/// Owns what its view shows. The cells between those of the view hold values that do not belong.
class RandomView {
 public:
  /// Sides from 1 to longest_side; `values` below that limit.
  RandomView(RandomCase& random, std::uint64_t longest_side, std::uint64_t values) {
    view_.x0 = random.below(1U << 20U);
    view_.y0 = random.below(1U << 20U);
    view_.rows = static_cast<std::uint32_t>(random.between(1, longest_side));
    view_.cols = static_cast<std::uint32_t>(random.between(1, longest_side));
    const auto gap = static_cast<std::ptrdiff_t>(random.between(1, 2));  // between neighbours
    const auto padding = static_cast<std::ptrdiff_t>(random.below(3));   // at the end of a line
    const bool by_columns = random.coin();
    const std::ptrdiff_t line = gap * (by_columns ? view_.rows : view_.cols) + padding;
    view_.x_stride = by_columns ? gap : line;
    view_.y_stride = by_columns ? line : gap;
    memory_.assign(static_cast<std::size_t>(line) * (by_columns ? view_.cols : view_.rows),
                   0x7fff'ffff);
    for (std::uint32_t i = 0; i < view_.rows; ++i)
      for (std::uint32_t j = 0; j < view_.cols; ++j)
        memory_[static_cast<std::size_t>(i * view_.x_stride + j * view_.y_stride)] =
            static_cast<std::uint32_t>(random.below(values));
    view_.values = memory_.data();
  }

  RandomView(const RandomView&) = delete;
  RandomView& operator=(const RandomView&) = delete;
  RandomView(RandomView&&) = default;
  RandomView& operator=(RandomView&&) = default;
  ~RandomView() = default;

  [[nodiscard]] const TileView& view() const { return view_; }

 private:
  std::vector<std::uint32_t> memory_;
  TileView view_;
};

}  // namespace grundy::support
