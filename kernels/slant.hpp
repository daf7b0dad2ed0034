// How the GPU cuts a table: bands of 32 rows, and in a band slanted tiles.
//
// A warp walks along a band, a thread for each row, every thread one column behind the thread above
// it: so the cells of a step lie on one anti-diagonal, and all threads have work in every step.
// `width` steps are a tile:
//
//   row 0     . . a a a a b b b b . .
//   row 1     . a a a a b b b b . .          width 4: tile a and, right of it, tile b
//   row 2     a a a a b b b b . .
//
// A tile needs the tile left of it and, of the band above, the tiles up to the columns of its own
// first row. Tile k of band b belongs to wave k + lag * b; all it needs lies in lower waves, so the
// tiles of a wave are independent of each other. Step `s` of a tile in wave w happens at time
// width * w + s: a cell (x,y) has the time y + x % 32 + width * lag * (x / 32). About N + lag * N /
// 32 * width steps for a table of side N: 2N and a bit for narrow tiles, 3N for those 32 wide.
#pragma once

#include <cstdint>

#include "grundy/game/position.hpp"
#include "grundy/kernels/annotate.hpp"

namespace grundy {

/// Rows of a band, threads that work on it, and the largest width of its tiles.
inline constexpr std::uint32_t kBandRows = 32;

/// How tiles follow each other.
///   waves  a launch for each wave, a block for each of its tiles
///   bands  one launch: a block takes a band, works along it, and follows the band above it by
///          that band's count of finished tiles
enum class Schedule : std::uint8_t { kWaves, kBands };

/// The faster one by the model of docs/cuda.md.
inline constexpr Schedule kDefaultSchedule = Schedule::kBands;

/// Width of the tiles of a schedule: wide tiles make few launches, narrow ones let a band follow
/// closely.
constexpr std::uint32_t tile_width(Schedule schedule) {
  return schedule == Schedule::kWaves ? 32 : 8;
}

/// A range of numbers: first <= i < last, empty if last <= first.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] GRUNDY_HD std::int64_t size() const { return last > first ? last - first : 0; }
};

/// The bands, tiles and waves of one table. With `upper_half` only the cells y >= x are computed,
/// and rows <= cols is required.
struct SlantedGrid {
  Extent extent;
  bool upper_half = false;
  std::uint32_t width = kBandRows;  // a power of two, at most kBandRows

  /// Waves from a tile to the one below it.
  [[nodiscard]] GRUNDY_HD std::int64_t lag() const { return (kBandRows - 2 + width) / width + 1; }
  [[nodiscard]] GRUNDY_HD std::int64_t bands() const {
    return static_cast<std::int64_t>((extent.rows + kBandRows - 1) / kBandRows);
  }
  /// The tiles of a band.
  [[nodiscard]] GRUNDY_HD Range tiles(std::int64_t band) const {
    const auto cols = static_cast<std::int64_t>(extent.cols);
    return {upper_half ? band * kBandRows / width : 0, (cols + kBandRows - 2) / width + 1};
  }
  [[nodiscard]] GRUNDY_HD std::int64_t waves() const {
    return tiles(0).last + lag() * (bands() - 1);
  }
  /// The bands that have tiles in these waves.
  [[nodiscard]] GRUNDY_HD Range bands_in(const Range& waves) const {
    // Band b has them from wave first_of(b) = tiles(b).first + lag * b to lag * b + tiles(b).last.
    const std::int64_t apart = lag() + (upper_half ? kBandRows / width : 0);
    const std::int64_t finished = waves.first - tiles(0).last;
    const std::int64_t first = finished < 0 ? 0 : finished / lag() + 1;
    const std::int64_t last = (waves.last - 1) / apart + 1;
    return {first, last < bands() ? last : bands()};
  }
  /// The tiles of a band in these waves.
  [[nodiscard]] GRUNDY_HD Range tiles_in(const Range& waves, std::int64_t band) const {
    const Range all = tiles(band);
    const std::int64_t first = waves.first - lag() * band;
    const std::int64_t last = waves.last - lag() * band;
    return {first > all.first ? first : all.first, last < all.last ? last : all.last};
  }
  /// How many tiles of the band above tile k of a band needs; that band has no more than it has.
  [[nodiscard]] GRUNDY_HD std::int64_t tiles_needed_above(std::int64_t k) const {
    const std::int64_t needed = k + lag();
    return needed < tiles(0).last ? needed : tiles(0).last;
  }
  /// The time of the first cell of row x, in column 0.
  [[nodiscard]] GRUNDY_HD std::int64_t row_start(std::int64_t x) const {
    return x % kBandRows + x / kBandRows * lag() * width;
  }
  /// Whether (x,y), y possibly negative, is a cell to compute; x is a row of the table.
  [[nodiscard]] GRUNDY_HD bool computes(std::int64_t x, std::int64_t y) const {
    return y >= (upper_half ? x : 0) && y < static_cast<std::int64_t>(extent.cols);
  }
};

}  // namespace grundy
