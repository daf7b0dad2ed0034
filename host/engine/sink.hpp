// Where finished tiles go.
#pragma once

#include <utility>
#include <vector>

#include "grundy/engine/tile.hpp"

namespace grundy {

/// Consumes the tiles of one table, each once, in no particular order.
///
/// consume() is called by the engine's threads, several at a time, and computing goes on in the
/// other threads meanwhile: implementations are thread-safe, and one that is slow or waits holds
/// the calling thread back, so that unconsumed tiles never pile up. What consume() throws stops
/// the computation and comes out of Engine::compute.
class TileSink {
 public:
  TileSink() = default;
  TileSink(const TileSink&) = delete;
  TileSink& operator=(const TileSink&) = delete;
  virtual ~TileSink() = default;

  virtual void consume(const FinishedTile& tile) = 0;
};

/// Hands each tile to several sinks in turn; they must outlive it.
class TileFanout final : public TileSink {
 public:
  explicit TileFanout(std::vector<TileSink*> sinks) : sinks_(std::move(sinks)) {}

  void consume(const FinishedTile& tile) override {
    for (TileSink* sink : sinks_) sink->consume(tile);
  }

 private:
  std::vector<TileSink*> sinks_;
};

/// Calls `visit(view)` for each view of a tile that is not empty.
template <typename Visit>
void for_each_view(const FinishedTile& tile, Visit visit) {
  if (!tile.cells.empty()) visit(tile.cells);
  if (!tile.mirror.empty()) visit(tile.mirror);
}

}  // namespace grundy
