#include "grundy/engine/tile_schedule.hpp"

#include <algorithm>

namespace grundy {
namespace {

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Twice as many bands as threads, so that the bands at the ends of a block keep nobody idle, and
/// then such that their rows are a multiple of those of a file's chunk: a sink that assembles those
/// has few of them unfinished.
std::uint64_t bands_per_group(const TileGrid& grid, unsigned threads) {
  constexpr std::uint64_t kChunkRows = 512;
  const std::uint64_t bands = std::max(4U, 2 * threads);
  constexpr std::uint64_t kLeastSide = 64;  // of tiles that are not made small for a test
  if (grid.side < kLeastSide || kChunkRows % grid.side != 0) return bands;
  const std::uint64_t multiple = kChunkRows / grid.side;
  return ceil_div(bands, multiple) * multiple;
}

}  // namespace

TileSchedule::TileSchedule(const TileGrid& grid, unsigned threads)
    : grid_(grid),
      bands_(grid.tile_rows()),
      bands_per_group_(std::min(bands_, bands_per_group(grid, threads))),
      blocks_(ceil_div(grid.tile_cols(), tiles_per_unit_)),
      units_(ceil_div(bands_, bands_per_group_) * bands_per_group_ * blocks_),
      progress_(bands_) {
  for (std::uint64_t band = 0; band < bands_; ++band)
    progress_[band].store(static_cast<int>(grid.first_tile_col(band)), std::memory_order_relaxed);
}

bool TileSchedule::take(Unit& unit) {
  while (!abandoned()) {
    const std::uint64_t n = next_unit_.fetch_add(1, std::memory_order_relaxed);
    if (n >= units_) return false;
    const std::uint64_t group = n / (bands_per_group_ * blocks_);
    const std::uint64_t block = n / bands_per_group_ % blocks_;
    unit.band = group * bands_per_group_ + n % bands_per_group_;
    if (unit.band >= bands_) continue;
    unit.first = std::max(block * tiles_per_unit_, grid_.first_tile_col(unit.band));
    unit.last = std::min((block + 1) * tiles_per_unit_, grid_.tile_cols());
    if (unit.first < unit.last) return true;
  }
  return false;
}

bool TileSchedule::wait_for_inputs(std::uint64_t band, std::uint64_t j) {
  // The tile above stands for all tiles above and for the one above and left.
  return wait_for_progress(band, j) && (band == 0 || wait_for_progress(band - 1, j + 1));
}

bool TileSchedule::wait_for_progress(std::uint64_t band, std::uint64_t tiles) {
  std::atomic<int>& progress = progress_[band];
  for (;;) {
    const int seen = progress.load(std::memory_order_acquire);
    if (seen >= kAbandoned) return false;
    if (static_cast<std::uint64_t>(seen) >= tiles) return true;
    progress.wait(seen, std::memory_order_acquire);
  }
}

void TileSchedule::finish(std::uint64_t band) {
  progress_[band].fetch_add(1, std::memory_order_release);
  progress_[band].notify_all();
}

void TileSchedule::abandon() {
  if (abandoned_.exchange(true)) return;
  for (std::atomic<int>& progress : progress_) {
    progress.fetch_add(kAbandoned, std::memory_order_relaxed);
    progress.notify_all();
  }
}

}  // namespace grundy
