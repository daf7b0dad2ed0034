#include "grundy/engine/handout.hpp"

#include <algorithm>

namespace grundy {

FinishedTile hand_out(const ComputedPart& part, const TileBounds& tile, std::uint32_t* values,
                      std::uint64_t stride) {
  const std::uint64_t rows = tile.x1 - tile.x0;
  const auto step = static_cast<std::ptrdiff_t>(stride);
  FinishedTile finished{{tile.x0, tile.y0, static_cast<std::uint32_t>(rows),
                         static_cast<std::uint32_t>(tile.y1 - tile.y0), values, step, 1},
                        {}};
  if (part.upper_half && tile.x0 == tile.y0) {
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < i; ++j) values[i * stride + j] = values[j * stride + i];
  } else if (part.upper_half) {
    // Column y is also row y, if the table has that row.
    TileView mirrored = finished.cells;
    mirrored.cols =
        static_cast<std::uint32_t>(std::clamp(part.extent.rows, tile.y0, tile.y1) - tile.y0);
    finished.mirror = mirrored.transposed();
  }
  if (part.transposed) {
    finished.cells = finished.cells.transposed();
    finished.mirror = finished.mirror.transposed();
  }
  return finished;
}

}  // namespace grundy
