// In which order the tiles of a table are computed, and who waits for whom.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "grundy/kernels/tile.hpp"

namespace grundy {

/// Hands out work to any number of threads. A tile needs the tiles left of it and above it; a row
/// of tiles is a band. The work is cut into units, a few consecutive tiles of one band, and units
/// are taken in a fixed order in which every unit comes after those it needs: whoever waits, waits
/// for a thread that is at work, so there is no deadlock however many threads there are.
///
/// The order goes through groups of neighbouring bands, within a group through blocks of columns,
/// within a block down the bands. So threads work close together: the lines of a block stay in
/// their caches, and only a few blocks of the table are unfinished at a time, which bounds what a
/// sink that assembles larger pieces has to hold.
class TileSchedule {
 public:
  TileSchedule(const TileGrid& grid, unsigned threads);

  /// Consecutive tiles of one band: tile row `band`, tile columns first <= j < last.
  struct Unit {
    std::uint64_t band;
    std::uint64_t first;
    std::uint64_t last;
  };

  /// Takes the next unit; false when none is left or the schedule was abandoned.
  bool take(Unit& unit);

  /// Waits until the tiles that tile (band,j) needs are finished, then true; false if the schedule
  /// was abandoned.
  bool wait_for_inputs(std::uint64_t band, std::uint64_t j);

  /// The next tile of the band is computed; publishes this thread's writes to those who wait for
  /// it.
  void finish(std::uint64_t band);

  /// Wakes everyone and ends the work; may be called by several threads.
  void abandon();
  [[nodiscard]] bool abandoned() const { return abandoned_.load(std::memory_order_relaxed); }

 private:
  bool wait_for_progress(std::uint64_t band, std::uint64_t tiles);

  TileGrid grid_;
  std::uint64_t bands_;
  std::uint64_t bands_per_group_;
  std::uint64_t tiles_per_unit_ = 4;
  std::uint64_t blocks_;  // of columns
  std::uint64_t units_;
  std::atomic<std::uint64_t> next_unit_{0};
  std::atomic<bool> abandoned_{false};
  // Finished tile columns of each band, with kAbandoned added to wake whoever waits. An int,
  // because that is what the operating system can wait on directly.
  static constexpr int kAbandoned = 1 << 30;
  std::vector<std::atomic<int>> progress_;
};

}  // namespace grundy
