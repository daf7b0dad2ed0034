// A part of a table for sinks.
#pragma once

#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// The cells of a view that lie in the region; an empty view if there are none.
inline TileView clip(const TileView& view, const Region& region) {
  const Region part = intersection({view.x0, view.y0, {view.rows, view.cols}}, region);
  TileView clipped = view;
  clipped.x0 = part.x0;
  clipped.y0 = part.y0;
  clipped.rows = static_cast<std::uint32_t>(part.extent.rows);
  clipped.cols = static_cast<std::uint32_t>(part.extent.cols);
  if (!clipped.empty())
    clipped.values += static_cast<std::ptrdiff_t>(part.x0 - view.x0) * view.x_stride +
                      static_cast<std::ptrdiff_t>(part.y0 - view.y0) * view.y_stride;
  return clipped;
}

/// Hands on what lies in the region; the other sink must outlive it.
class RegionSink final : public TileSink {
 public:
  RegionSink(const Region& region, TileSink& sink) : region_(region), sink_(sink) {}

  void consume(const FinishedTile& tile) override {
    const FinishedTile clipped{clip(tile.cells, region_), clip(tile.mirror, region_)};
    if (!clipped.cells.empty() || !clipped.mirror.empty()) sink_.consume(clipped);
  }

 private:
  Region region_;
  TileSink& sink_;
};

}  // namespace grundy
