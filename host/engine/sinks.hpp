// Sinks that collect from finished tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// Counts how often each value occurs.
class HistogramSink final : public TileSink {
 public:
  void consume(const FinishedTile& tile) override;

  /// counts[v] cells have value v; up to the largest value that occurs. Only once all tiles are in.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

 private:
  using Counts = std::vector<std::uint64_t>;

  // One partial histogram for each consume() at work at the same time, so that they do not wait
  // for each other.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Counts>> partials_;
  std::vector<Counts*> idle_;
};

/// Tells how many further cells are done.
class CountCells final : public TileSink {
 public:
  explicit CountCells(std::function<void(std::uint64_t cells)> done) : done_(std::move(done)) {}

  void consume(const FinishedTile& tile) override {
    for_each_view(tile,
                  [this](const TileView& view) { done_(std::uint64_t{view.rows} * view.cols); });
  }

 private:
  std::function<void(std::uint64_t cells)> done_;
};

/// Collects the positions of one value: in a Grundy table about one in each row.
class PositionSink final : public TileSink {
 public:
  explicit PositionSink(std::uint32_t value) : value_(value) {}

  void consume(const FinishedTile& tile) override;

  /// In order of (x,y). Only once all tiles are in.
  [[nodiscard]] std::vector<Position> positions() const;

 private:
  std::uint32_t value_;
  std::mutex mutex_;
  std::vector<Position> positions_;
};

}  // namespace grundy
