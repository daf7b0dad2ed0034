// How the stored part of a table is cut into chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "grundy/game/block_grid.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// The chunks of a table file, chunk (i,j) with elements from (i * chunk.rows, j * chunk.cols) on.
/// Every chunk has chunk.cells() elements; those beyond the region are never looked at.
struct ChunkGrid {
  Region region;  // the positions stored
  Extent chunk;
  unsigned value_bytes = 2;
  bool half = false;  // only y >= x

  [[nodiscard]] BlockGrid blocks() const { return {region, chunk}; }
  [[nodiscard]] std::uint64_t rows() const { return blocks().rows(); }
  [[nodiscard]] std::uint64_t cols() const { return blocks().cols(); }
  [[nodiscard]] std::uint64_t chunks() const { return blocks().blocks(); }
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk.cells() * value_bytes; }

  /// The positions of chunk (i,j), clipped to the region.
  [[nodiscard]] Region positions(std::uint64_t i, std::uint64_t j) const {
    return blocks().positions(i, j);
  }

  /// How many of those are stored: of a chunk below the main diagonal of half storage, none.
  [[nodiscard]] std::uint64_t stored_cells(std::uint64_t i, std::uint64_t j) const {
    const Region part = positions(i, j);
    if (!half || part.x1() <= part.y0 + 1) return part.extent.cells();
    std::uint64_t cells = 0;
    for (std::uint64_t x = part.x0; x < std::min(part.x1(), part.y1()); ++x)
      cells += part.y1() - std::max(x, part.y0);
    return cells;
  }

  /// How many chunks have anything to store.
  [[nodiscard]] std::uint64_t stored_chunks() const {
    if (!half) return chunks();
    std::uint64_t chunks = 0;
    for (std::uint64_t i = 0; i < rows(); ++i) chunks += cols() - std::min(cols(), first_col(i));
    return chunks;
  }

  /// Place of chunk (i,j) in a list of all, row by row.
  [[nodiscard]] std::size_t index(std::uint64_t i, std::uint64_t j) const { return i * cols() + j; }

  /// The first chunk of row i with anything to store.
  [[nodiscard]] std::uint64_t first_col(std::uint64_t i) const {
    return half ? i * chunk.rows / chunk.cols : 0;
  }

  friend bool operator==(const ChunkGrid&, const ChunkGrid&) = default;
};

/// Calls visit(i, j) for every chunk with anything to store that has positions of `part`, which
/// lies within the region.
template <typename Visit>
void for_each_chunk(const ChunkGrid& grid, const Region& part, Visit visit) {
  if (part.empty()) return;
  const std::uint64_t last_i = (part.x1() - 1 - grid.region.x0) / grid.chunk.rows;
  const std::uint64_t last_j = (part.y1() - 1 - grid.region.y0) / grid.chunk.cols;
  for (std::uint64_t i = (part.x0 - grid.region.x0) / grid.chunk.rows; i <= last_i; ++i) {
    const std::uint64_t first_j = (part.y0 - grid.region.y0) / grid.chunk.cols;
    for (std::uint64_t j = std::max(first_j, grid.first_col(i)); j <= last_j; ++j) visit(i, j);
  }
}

}  // namespace grundy
