#include "grundy/engine/cpu_engine.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/handout.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/engine/tile_schedule.hpp"
#include "grundy/game/limits.hpp"

namespace grundy {
namespace {

/// The largest tile, cut to the table.
Extent tile_extent(const TileGrid& grid) {
  return {std::min(grid.side, grid.extent.rows), std::min(grid.side, grid.extent.cols)};
}

}  // namespace

CpuEngine::CpuEngine(const EngineOptions& options)
    : threads_(options.threads != 0 ? options.threads
                                    : std::max(1U, std::thread::hardware_concurrency())),
      tile_side_(options.tile_side) {}

TileGrid CpuEngine::grid(const ComputedPart& part) const {
  const auto [rows, cols] = part.extent;
  if (tile_side_ != 0)
    return {part.extent, std::min(tile_side_, std::max(rows, cols)), part.upper_half};
  // 128 rows of lines fit a second-level cache; smaller tiles where there would be too few of them
  // to keep all threads busy along the anti-diagonals.
  const std::uint64_t side = std::min(rows, cols) / 128 >= 8 * std::uint64_t{threads_} ? 128 : 64;
  return {part.extent, side, part.upper_half};
}

std::uint64_t CpuEngine::bytes_needed(const Rule& rule, const Extent& extent) const {
  const ComputedPart part(rule, extent);
  const std::uint64_t lines = LineMap::bytes_needed(part.extent, part.upper_half);
  const std::uint64_t tiles =
      saturating_bytes(tile_extent(grid(part)).cells(), threads_ * sizeof(std::uint32_t));
  return saturating_sum({lines, tiles});
}

bool CpuEngine::compute(const Rule& rule, const Extent& extent, TileSink& sink,
                        std::stop_token stop) {
  check_extent(extent);
  require_memory(
      fmt::format("a table of {} x {} positions by the cpu engine", extent.rows, extent.cols),
      bytes_needed(rule, extent));
  const ComputedPart part(rule, extent);
  const MappedWords words = map_zeroed_words(LineMap::words_needed(part.extent, part.upper_half));
  const LineMap map(part.extent, part.upper_half, words.get());
  const TableLines lines = map.lines();
  const TerminalView terminals = rule.view();
  const TileGrid tiles = grid(part);
  const Extent largest_tile = tile_extent(tiles);
  TileSchedule schedule(tiles, threads_);

  const auto work = [&] {
    std::vector<std::uint32_t> values(largest_tile.cells());
    for (TileSchedule::Unit unit{}; schedule.take(unit);) {
      for (std::uint64_t j = unit.first; j < unit.last; ++j) {
        if (stop.stop_requested()) schedule.abandon();
        if (!schedule.wait_for_inputs(unit.band, j)) return;
        const TileBounds tile = tiles.tile(unit.band, j);
        compute_tile(lines, terminals, part.upper_half, tile, values.data(), largest_tile.cols);
        schedule.finish(unit.band);
        sink.consume(hand_out(part, tile, values.data(), largest_tile.cols));
      }
    }
  };
  run_in_threads(threads_, work, [&] { schedule.abandon(); });
  return !schedule.abandoned();
}

}  // namespace grundy
