// Finished tiles: what engines hand out and sinks consume.
#pragma once

#include <cstddef>
#include <cstdint>

#include "grundy/game/position.hpp"

namespace grundy {

/// The Grundy values of the cells x0 <= x < x0+rows, y0 <= y < y0+cols, in global coordinates.
/// A view: the values belong to whoever handed it out, and only for the duration of that call.
struct TileView {
  std::uint64_t x0 = 0;
  std::uint64_t y0 = 0;
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  const std::uint32_t* values = nullptr;
  std::ptrdiff_t x_stride = 0;  // distance in `values` between (x,y) and (x+1,y)
  std::ptrdiff_t y_stride = 1;  // and between (x,y) and (x,y+1)

  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }

  /// Value of cell (x0+i, y0+j).
  [[nodiscard]] std::uint32_t at(std::uint32_t i, std::uint32_t j) const {
    return values[static_cast<std::ptrdiff_t>(i) * x_stride +
                  static_cast<std::ptrdiff_t>(j) * y_stride];
  }

  /// The same values seen with x and y exchanged.
  [[nodiscard]] TileView transposed() const {
    return {y0, x0, cols, rows, values, y_stride, x_stride};
  }

  /// Seen so that the values of a row are neighbours in memory, if either way does it.
  [[nodiscard]] TileView along_memory() const { return y_stride == 1 ? *this : transposed(); }
};

/// One finished piece of a table. Every cell of the table is in exactly one view of one finished
/// tile. For a symmetric table the engine computes a tile once and hands it out with its mirror
/// image, where that lies in the table: `mirror` views the same values, transposed, or is empty.
struct FinishedTile {
  TileView cells;
  TileView mirror;
};

}  // namespace grundy
