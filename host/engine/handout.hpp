// From the tile that was computed to the tile that is handed out.
#pragma once

#include <cstdint>

#include "grundy/engine/tile.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/tile.hpp"

namespace grundy {

/// The part of a table that is computed. A symmetric table is computed for y >= x only; when it is
/// taller than wide, its transpose is computed instead, so that rows <= cols always holds there.
struct ComputedPart {
  ComputedPart(const Rule& rule, const Extent& table)
      : upper_half(rule.symmetric()),
        transposed(upper_half && table.rows > table.cols),
        extent(transposed ? Extent{table.cols, table.rows} : table) {}

  bool upper_half;
  bool transposed;
  Extent extent;
};

/// `values` (row-major, `stride` apart) holds the computed cells of `tile`; in a tile on the main
/// diagonal of an upper half the cells below the diagonal are filled in here. The views returned
/// are in the coordinates of the table.
FinishedTile hand_out(const ComputedPart& part, const TileBounds& tile, std::uint32_t* values,
                      std::uint64_t stride);

}  // namespace grundy
