#include "grundy/engine/cpu_engine.hpp"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/handout.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summed_tile.hpp"
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
  return run(rule, extent, sink, nullptr, stop);
}

bool CpuEngine::summarize(const Rule& rule, const Extent& extent, const Wanted& wanted,
                          Result& result, std::stop_token stop) {
  SummarySink summary;
  HistogramSink histogram;
  CountCells progress(wanted.progress);
  std::vector<TileSink*> sinks;
  if (wanted.histogram) sinks.push_back(&histogram);
  if (wanted.tiles != nullptr) sinks.push_back(wanted.tiles);
  if (wanted.progress) sinks.push_back(&progress);
  TileFanout fanout(std::move(sinks));
  const bool complete = run(rule, extent, fanout, &summary, stop);
  result.summary = summary.result();
  result.histogram = histogram.counts();
  return complete;
}

bool CpuEngine::run(const Rule& rule, const Extent& extent, TileSink& sink, SummarySink* summary,
                    const std::stop_token& stop) const {
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
        const bool sum_here = summary != nullptr && can_sum_tile(part, terminals, tile);
        Summary sum;
        if (sum_here)
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
