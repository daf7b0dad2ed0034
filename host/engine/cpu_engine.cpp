#include "grundy/engine/cpu_engine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/handout.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/engine/summed_tile.hpp"
#include "grundy/engine/tile_schedule.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"

namespace grundy {
namespace {

/// The largest tile, cut to the table.
Extent tile_extent(const TileGrid& grid) {
  return {std::min(grid.side, grid.extent.rows), std::min(grid.side, grid.extent.cols)};
}

/// The known values of a tile, when all are; of those that are computed for their mirror images.
bool read_tile(const KnownValues& known, const ComputedPart& part, const TileBounds& tile,
               std::uint32_t* values, std::uint64_t stride) {
  const Region region{tile.x0, tile.y0, {tile.x1 - tile.x0, tile.y1 - tile.y0}};
  if (!part.transposed) return known.read(region, values, stride);
  const Extent& extent = region.extent;
  std::vector<std::uint32_t> transposed(extent.cells());
  if (!known.read(region.transposed(), transposed.data(), extent.rows)) return false;
  for (std::uint64_t i = 0; i < extent.rows; ++i)
    for (std::uint64_t j = 0; j < extent.cols; ++j)
      values[i * stride + j] = transposed[j * extent.rows + i];
  return true;
}

/// Enters them on the lines. Throws IoError when they contradict those before them.
void enter_known_tile(const TableLines& lines, const TerminalView& terminals,
                      const ComputedPart& part, const TileBounds& tile, const std::uint32_t* values,
                      std::uint64_t stride) {
  const auto wrong = enter_tile(lines, terminals, part.upper_half, tile, values, stride);
  if (!wrong) return;
  const Position cell = part.transposed ? Position{wrong->y, wrong->x} : *wrong;
  throw IoError(fmt::format(
      "the value stored for position ({},{}) cannot be right: it contradicts those before it; "
      "--force begins anew",
      cell.x, cell.y));
}

}  // namespace

CpuEngine::CpuEngine(const EngineOptions& options)
    : threads_(worker_threads(options.threads)), tile_side_(options.tile_side) {}

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
  const std::uint64_t lines = LineMap::bytes_needed(part.extent, part.upper_half, kLineStride);
  const std::uint64_t tiles =
      saturating_bytes(tile_extent(grid(part)).cells(), threads_ * sizeof(std::uint32_t));
  return saturating_sum({lines, tiles});
}

bool CpuEngine::compute(const Rule& rule, const Extent& extent, TileSink& sink,
                        std::stop_token stop) {
  return run(rule, extent, nullptr, sink, nullptr, stop);
}

bool CpuEngine::compute_rest(const Rule& rule, const Extent& extent, const KnownValues& known,
                             TileSink& sink, std::stop_token stop) {
  return run(rule, extent, &known, sink, nullptr, stop);
}

bool CpuEngine::compute_summed(const Rule& rule, const Extent& extent, const KnownValues* known,
                               TileSink& sink, SummarySink& summary, std::stop_token stop) {
  return run(rule, extent, known, sink, &summary, stop);
}

bool CpuEngine::run(const Rule& rule, const Extent& extent, const KnownValues* known,
                    TileSink& sink, SummarySink* summary, const std::stop_token& stop) const {
  check_extent(extent);
  require_memory(
      fmt::format("a table of {} x {} positions by the cpu engine", extent.rows, extent.cols),
      bytes_needed(rule, extent));
  const ComputedPart part(rule, extent);
  const MappedWords words =
      map_zeroed_words(LineMap::words_needed(part.extent, part.upper_half, kLineStride));
  const LineMap map(part.extent, part.upper_half, kLineStride, words.get());
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
        const bool is_known =
            known != nullptr && read_tile(*known, part, tile, values.data(), largest_tile.cols);
        const bool sum_here =
            !is_known && summary != nullptr && can_sum_tile(part, terminals, tile);
        Summary sum;
        if (is_known)
          enter_known_tile(lines, terminals, part, tile, values.data(), largest_tile.cols);
        else if (sum_here)
          sum = compute_summed_tile(lines, tile, values.data(), largest_tile.cols);
        else
          compute_tile(lines, terminals, part.upper_half, tile, values.data(), largest_tile.cols);
        schedule.finish(unit.band);
        const FinishedTile finished = hand_out(part, tile, values.data(), largest_tile.cols);
        if (sum_here)
          summary->add(sum);
        else if (summary != nullptr)
          summary->consume(finished);
        sink.consume(finished);
      }
    }
  };
  run_in_threads(threads_, work, [&] { schedule.abandon(); });
  return !schedule.abandoned();
}

}  // namespace grundy
