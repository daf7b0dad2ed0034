// A table region as a picture sees it: block by block.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "grundy/engine/sink.hpp"
#include "grundy/game/block_grid.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// A number that a cell has.
enum class CellNumber {
  kValue,  // G(x,y)
  kExcess  // G(x,y) - max(x,y)
};

/// The mean over each block of the cells that come, and whether a value of 0 is among them.
/// Thread-safe; 9 bytes a block.
class BlockMeans final : public TileSink {
 public:
  /// Throws UsageError when a block is so large that its sum could exceed 64 bits.
  BlockMeans(const BlockGrid& grid, CellNumber number);

  /// Tiles outside the region, or parts of them, are an error of the caller.
  void consume(const FinishedTile& tile) override;

  [[nodiscard]] const BlockGrid& grid() const { return grid_; }
  /// Once all cells have come.
  [[nodiscard]] double mean(std::uint64_t i, std::uint64_t j) const;
  [[nodiscard]] bool has_zero(std::uint64_t i, std::uint64_t j) const {
    return has_zero_[i * cols_ + j] != 0;
  }
  /// A position whose value exceeds x + y, which none can, if one came.
  [[nodiscard]] std::optional<Position> impossible() const { return impossible_; }

 private:
  void add(const TileView& view);

  BlockGrid grid_;
  CellNumber number_;
  std::uint64_t cols_;
  std::vector<std::int64_t> sums_;
  std::vector<std::uint8_t> has_zero_;
  std::mutex impossible_mutex_;
  std::optional<Position> impossible_;
};

}  // namespace grundy
