// What one line says about a table: counts and the digest.
#pragma once

#include <atomic>
#include <cstdint>

#include "grundy/engine/sink.hpp"

namespace grundy {

struct Summary {
  std::uint64_t cells = 0;
  std::uint64_t zeros = 0;  // cells of value 0
  std::uint64_t ones = 0;   // and of value 1
  std::uint32_t max_value = 0;
  std::uint64_t digest = 0;  // kernels/digest.hpp

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// The summary of the cells of one view.
Summary summarize(const TileView& view);

/// Sums up the tiles it is given.
class SummarySink final : public TileSink {
 public:
  void consume(const FinishedTile& tile) override;

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
