// Puts tiles together to chunks of a file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "grundy/dataset/chunk_buffers.hpp"
#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/engine/tile.hpp"

namespace grundy {

/// Chunk (i,j) of a grid in stored form: row-major values of grid.value_bytes bytes. Elements that
/// are not stored, beyond the region or in the other half, are the fill value.
struct Chunk {
  std::uint64_t i = 0;
  std::uint64_t j = 0;
  ChunkBuffers::Buffer bytes;
};

/// Thread-safe. Every cell that is stored must be added exactly once; others may be added too.
class ChunkAssembler {
 public:
  /// `done`: for each chunk, row by row, whether it is in the file and its cells are to be left
  /// out. Buffers for chunks of the grid.
  ChunkAssembler(const ChunkGrid& grid, ChunkBuffers& buffers, std::vector<bool> done)
      : grid_(grid), buffers_(buffers), done_(std::move(done)) {}

  /// Copies the cells of a view and calls complete(Chunk) for each chunk that has all its cells
  /// now.
  template <typename Complete>
  void add(const TileView& view, Complete complete) {
    const Region cells = intersection({view.x0, view.y0, {view.rows, view.cols}}, grid_.region);
    for_each_chunk(grid_, cells, [&](std::uint64_t i, std::uint64_t j) {
      if (done_[grid_.index(i, j)]) return;
      const Region part = intersection(cells, grid_.positions(i, j));
      if (grid_.half && part.x0 >= part.y1()) return;  // all below the main diagonal
      Open& open = find_or_open(i, j);
      if (copy(view, part, open)) complete(take(i, j));
    });
  }

  /// Chunks that some but not all cells were added to.
  [[nodiscard]] std::size_t open_chunks();

 private:
  struct Open {
    Chunk chunk;
    std::atomic<std::uint64_t> missing;  // cells
  };
  using Index = std::pair<std::uint64_t, std::uint64_t>;

  Open& find_or_open(std::uint64_t i, std::uint64_t j);
  Chunk take(std::uint64_t i, std::uint64_t j);
  /// True when that made the chunk complete.
  bool copy(const TileView& view, const Region& part, Open& open) const;

  ChunkGrid grid_;
  ChunkBuffers& buffers_;
  std::vector<bool> done_;
  std::mutex mutex_;
  std::map<Index, Open> open_;
};

}  // namespace grundy
