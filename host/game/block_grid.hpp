// How a region of positions is cut into blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "grundy/game/position.hpp"

namespace grundy {

/// A region cut into equal blocks from its first position on; those at its end are clipped to it.
struct BlockGrid {
  Region region;
  Extent block;

  [[nodiscard]] std::uint64_t rows() const {
    return (region.extent.rows + block.rows - 1) / block.rows;
  }
  [[nodiscard]] std::uint64_t cols() const {
    return (region.extent.cols + block.cols - 1) / block.cols;
  }
  [[nodiscard]] std::uint64_t blocks() const { return rows() * cols(); }

  /// The positions of block (i,j).
  [[nodiscard]] Region positions(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t x0 = region.x0 + i * block.rows;
    const std::uint64_t y0 = region.y0 + j * block.cols;
    return {
        x0, y0, {std::min(block.rows, region.x1() - x0), std::min(block.cols, region.y1() - y0)}};
  }
};

}  // namespace grundy
