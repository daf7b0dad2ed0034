// The summary of a table from its finished tiles.
#pragma once

#include <atomic>
#include <cstdint>

#include "grundy/engine/sink.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

/// The summary of the cells of one view.
Summary summarize(const TileView& view);

/// Sums up the tiles it is given.
class SummarySink final : public TileSink {
 public:
  void consume(const FinishedTile& tile) override;

  /// Adds what is known of a tile instead of the tile. Thread-safe.
  void add(const Summary& sum);

  /// Of all tiles consumed so far.
  [[nodiscard]] Summary result() const;

 private:
  std::atomic<std::uint64_t> cells_{0};
  std::atomic<std::uint64_t> zeros_{0};
  std::atomic<std::uint64_t> ones_{0};
  std::atomic<std::uint32_t> max_value_{0};
  std::atomic<std::uint64_t> digest_{0};
};

}  // namespace grundy
