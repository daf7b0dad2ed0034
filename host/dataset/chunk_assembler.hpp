// Puts tiles together to chunks of a file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "grundy/engine/tile.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// A block of the table in stored form: row-major values of `value_bytes` bytes.
struct Chunk {
  std::uint64_t x0 = 0;
  std::uint64_t y0 = 0;
  Extent extent;  // clipped to the table
  std::vector<std::byte> bytes;
};

/// Thread-safe. Every cell must be added exactly once.
class ChunkAssembler {
 public:
  ChunkAssembler(const Extent& table, const Extent& chunk, unsigned value_bytes)
      : table_(table), chunk_(chunk), value_bytes_(value_bytes) {}

  /// Copies the cells of a view and calls complete(std::unique_ptr<Chunk>) for each chunk that has
  /// all its cells now.
  template <typename Complete>
  void add(const TileView& view, Complete complete) {
    for (std::uint64_t i = view.x0 / chunk_.rows; i * chunk_.rows < view.x0 + view.rows; ++i) {
      for (std::uint64_t j = view.y0 / chunk_.cols; j * chunk_.cols < view.y0 + view.cols; ++j) {
        Open& open = find_or_open(i, j);
        if (copy(view, open)) complete(take(i, j));
      }
    }
  }

  /// Chunks that some but not all cells were added to.
  [[nodiscard]] std::size_t open_chunks();

 private:
  struct Open {
    std::unique_ptr<Chunk> chunk;
    std::atomic<std::uint64_t> missing;  // cells
  };
  using Index = std::pair<std::uint64_t, std::uint64_t>;

  Open& find_or_open(std::uint64_t i, std::uint64_t j);
  std::unique_ptr<Chunk> take(std::uint64_t i, std::uint64_t j);
  /// True when that made the chunk complete.
  bool copy(const TileView& view, Open& open) const;

  Extent table_;
  Extent chunk_;
  unsigned value_bytes_;
  std::mutex mutex_;
  std::map<Index, Open> open_;
};

}  // namespace grundy
