// A terminal set as the kernels see it.
#pragma once

#include <cstdint>

#include "grundy/game/position.hpp"
#include "grundy/kernels/annotate.hpp"

namespace grundy {

/// The cells with x+y < corner, and those in the sorted list. Does not own the list.
struct TerminalView {
  std::uint64_t corner = 1;         // at least 1: (0,0) never has a move
  const Position* cells = nullptr;  // sorted by x, then y
  std::uint64_t count = 0;
  Extent bounds;  // the smallest extent from (0,0) that contains every listed cell

  /// Whether a tile whose lowest cell is (x0,y0) can hold a terminal cell.
  [[nodiscard]] GRUNDY_HD bool may_meet(std::uint64_t x0, std::uint64_t y0) const {
    return x0 + y0 < corner || (x0 < bounds.rows && y0 < bounds.cols);
  }

  [[nodiscard]] GRUNDY_HD bool contains(std::uint64_t x, std::uint64_t y) const {
    if (x + y < corner) return true;
    std::uint64_t low = 0;
    std::uint64_t high = count;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const Position& cell = cells[middle];
      if (cell.x < x || (cell.x == x && cell.y < y)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < count && cells[low].x == x && cells[low].y == y;
  }
};

}  // namespace grundy
