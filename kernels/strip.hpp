// The values of some consecutive waves of slanted tiles (slant.hpp), as they lie in memory.
#pragma once

#include <cstdint>

#include "grundy/game/position.hpp"
#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/slant.hpp"

namespace grundy {

/// Where the values of some consecutive waves go: a row for each row of the table from x0 on, an
/// entry for each step. Row x holds its columns in order, and each row is shifted by its
/// SlantedGrid::row_start().
struct ValueStrip {
  std::uint32_t* values =
      nullptr;  // of cell (x, y) at index (x - x0) * stride + row_start(x) + y - t0
  std::int64_t x0 = 0;
  std::int64_t t0 = 0;
  std::uint64_t stride = 0;
};

/// A computed cell and what it stands for in the table.
struct StripCell {
  Position position;  // in the table
  std::uint32_t value = 0;
  bool in_table = false;  // false: no cell, the rest means nothing
  bool mirrored =
      false;  // the cell with x and y exchanged is in the table too, with the same value
};

/// The cells of a strip that were computed for it, by an index below size().
struct StripCells {
  SlantedGrid grid;
  ValueStrip strip;
  std::int64_t rows = 0;         // of the strip
  std::uint32_t log2_steps = 0;  // the strip holds 2^log2_steps steps of each
  bool transposed = false;       // the grid is that of the table with x and y exchanged

  [[nodiscard]] GRUNDY_HD std::uint64_t size() const {
    return static_cast<std::uint64_t>(rows) << log2_steps;
  }

  [[nodiscard]] GRUNDY_HD StripCell operator[](std::uint64_t index) const {
    const auto row = static_cast<std::int64_t>(index >> log2_steps);
    const std::uint64_t step = index & ((std::uint64_t{1} << log2_steps) - 1);
    const std::int64_t x = strip.x0 + row;
    const std::int64_t y = strip.t0 + static_cast<std::int64_t>(step) - grid.row_start(x);
    StripCell cell;
    cell.in_table = x < static_cast<std::int64_t>(grid.extent.rows) && grid.computes(x, y);
    if (!cell.in_table) return cell;
    cell.value = strip.values[static_cast<std::uint64_t>(row) * strip.stride + step];
    const Position at{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
    cell.position = transposed ? Position{at.y, at.x} : at;
    cell.mirrored = grid.upper_half && x != y && at.y < grid.extent.rows;
    return cell;
  }
};

/// A position at which one of two tables has the value looked for, or both have.
struct LevelHit {
  Position position;
  bool mirrored = false;
  bool in_first = false;
  bool in_second = false;
};

}  // namespace grundy
