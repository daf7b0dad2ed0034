#include "grundy/engine/handout.hpp"

#include <algorithm>

namespace grundy {

FinishedTile finished_tile(const ComputedPart& part, const TileView& computed) {
  FinishedTile finished{computed, {}};
  if (part.upper_half && computed.x0 != computed.y0) {
    // Column y is also row y, if the table has that row.
    const std::uint64_t y1 = computed.y0 + computed.cols;
    TileView mirrored = computed;
    mirrored.cols =
        static_cast<std::uint32_t>(std::clamp(part.extent.rows, computed.y0, y1) - computed.y0);
    finished.mirror = mirrored.transposed();
  }
  if (part.transposed) {
    finished.cells = finished.cells.transposed();
    finished.mirror = finished.mirror.transposed();
  }
  return finished;
}

FinishedTile hand_out(const ComputedPart& part, const TileBounds& tile, std::uint32_t* values,
                      std::uint64_t stride) {
  const std::uint64_t rows = tile.x1 - tile.x0;
  if (part.upper_half && tile.x0 == tile.y0)
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < i; ++j) values[i * stride + j] = values[j * stride + i];
  return finished_tile(part, {tile.x0, tile.y0, static_cast<std::uint32_t>(rows),
                              static_cast<std::uint32_t>(tile.y1 - tile.y0), values,
                              static_cast<std::ptrdiff_t>(stride), 1});
}

}  // namespace grundy
