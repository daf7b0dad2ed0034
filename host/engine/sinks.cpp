#include "grundy/engine/sinks.hpp"

#include <algorithm>

namespace grundy {

void HistogramSink::consume(const FinishedTile& tile) {
  Counts* counts = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) {
      partials_.push_back(std::make_unique<Counts>());
      idle_.push_back(partials_.back().get());
    }
    counts = idle_.back();
    idle_.pop_back();
  }
  for_each_view(tile, [counts](const TileView& view) {
    for (std::uint32_t i = 0; i < view.rows; ++i) {
      for (std::uint32_t j = 0; j < view.cols; ++j) {
        const std::uint32_t value = view.at(i, j);
        if (value >= counts->size()) counts->resize(value + 1);
        ++(*counts)[value];
      }
    }
  });
  const std::scoped_lock lock(mutex_);
  idle_.push_back(counts);
}

std::vector<std::uint64_t> HistogramSink::counts() const {
  Counts sum;
  for (const auto& partial : partials_) {
    sum.resize(std::max(sum.size(), partial->size()));
    for (std::size_t value = 0; value < partial->size(); ++value) sum[value] += (*partial)[value];
  }
  return sum;
}

void PositionSink::consume(const FinishedTile& tile) {
  std::vector<Position> found;
  for_each_view(tile, [&](const TileView& view) {
    for (std::uint32_t i = 0; i < view.rows; ++i)
      for (std::uint32_t j = 0; j < view.cols; ++j)
        if (view.at(i, j) == value_) found.push_back({view.x0 + i, view.y0 + j});
  });
  if (found.empty()) return;
  const std::scoped_lock lock(mutex_);
  positions_.insert(positions_.end(), found.begin(), found.end());
}

std::vector<Position> PositionSink::positions() const {
  std::vector<Position> sorted = positions_;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace grundy
