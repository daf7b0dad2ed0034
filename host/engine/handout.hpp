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
  ComputedPart(bool symmetric, const Extent& table)
      : upper_half(symmetric),
        transposed(upper_half && table.rows > table.cols),
        extent(transposed ? Extent{table.cols, table.rows} : table) {}
  ComputedPart(const Rule& rule, const Extent& table) : ComputedPart(rule.symmetric(), table) {}

  bool upper_half;
  bool transposed;
  Extent extent;
};

/// The tile to hand out for `computed`, cells of the computed part. Of an upper half these are all
/// of a square on the main diagonal, or none on it or below it but one cell alone; then the tile
/// has the mirror image too. The views returned are in the coordinates of the table.
FinishedTile finished_tile(const ComputedPart& part, const TileView& computed);

/// The same for a tile of a grid whose computed cells are in `values` (row-major, `stride` apart);
/// in a tile on the main diagonal of an upper half the cells below it are filled in here.
FinishedTile hand_out(const ComputedPart& part, const TileBounds& tile, std::uint32_t* values,
                      std::uint64_t stride);

}  // namespace grundy
