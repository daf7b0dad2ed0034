#include "grundy/dataset/cell_source.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include "grundy/dataset/format.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/game/block_grid.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kMostBlockCells = std::uint64_t{1} << 20U;

/// Whole chunks, so that each is decoded once; of those that are too large for memory, parts.
Extent block_of(const DatasetInfo& info) {
  const bool small = info.chunk.rows <= kMostBlockCells / info.chunk.cols;
  return small ? info.chunk : info.block;
}

/// A file can say that it is complete and lack a chunk all the same; that reads as fill values.
void refuse_missing(const DatasetReader& reader, const Region& part, const std::uint32_t* values) {
  const std::uint32_t fill = format::fill_value(reader.info().value_bytes);
  const std::uint32_t* const end = values + part.extent.cells();
  const std::uint32_t* const missing = std::find(values, end, fill);
  if (missing == end) return;
  const auto cell = static_cast<std::uint64_t>(missing - values);
  throw IoError(fmt::format(
      "{}: there is no value for position ({},{}), although the file is "
      "marked complete",
      reader.path(), part.x0 + cell / part.extent.cols, part.y0 + cell % part.extent.cols));
}

}  // namespace

CellSource stored_cells(const DatasetReader& reader) {
  reader.require_complete();
  return {reader.info().region, block_of(reader.info()),
          [&reader](const Region& part, std::uint32_t* values) {
            reader.read(part, values);
            refuse_missing(reader, part, values);
          }};
}

ComputedCells::ComputedCells(const Region& region) : region_(region) {
  const std::uint64_t bytes = saturating_bytes(region.extent.cells(), sizeof(std::uint32_t));
  require_memory("the computed table", bytes);
  values_.resize(region.extent.cells());
}

void ComputedCells::consume(const FinishedTile& tile) {
  // Tiles share no position, so threads share no element.
  for_each_view(tile, [this](const TileView& whole) {
    const TileView view = clip(whole, region_);
    for (std::uint32_t i = 0; i < view.rows; ++i)
      for (std::uint32_t j = 0; j < view.cols; ++j)
        values_[(view.x0 + i - region_.x0) * region_.extent.cols + view.y0 + j - region_.y0] =
            view.at(i, j);
  });
}

CellSource ComputedCells::source() const {
  constexpr Extent kBlock{512, 512};
  return {region_, kBlock,
          [this](const Region& part, std::uint32_t* values) { read(part, values); }};
}

void ComputedCells::read(const Region& part, std::uint32_t* values) const {
  for (std::uint64_t x = part.x0; x < part.x1(); ++x, values += part.extent.cols)
    std::memcpy(values, &values_[(x - region_.x0) * region_.extent.cols + part.y0 - region_.y0],
                part.extent.cols * sizeof *values);
}

bool for_each_block(const CellSource& source, const Region& part, const BlockFilter& wanted,
                    const BlockVisitor& visit, const ReadOptions& options) {
  if (part.empty()) return true;
  const BlockGrid grid{source.region, source.block};
  const std::uint64_t first_i = (part.x0 - source.region.x0) / grid.block.rows;
  const std::uint64_t first_j = (part.y0 - source.region.y0) / grid.block.cols;
  const std::uint64_t cols = (part.y1() - 1 - source.region.y0) / grid.block.cols + 1 - first_j;
  const std::uint64_t rows = (part.x1() - 1 - source.region.x0) / grid.block.rows + 1 - first_i;
  const std::uint64_t blocks = rows * cols;
  const std::uint64_t most_cells =
      std::min(grid.block.rows, part.extent.rows) * std::min(grid.block.cols, part.extent.cols);
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> interrupted{false};
  const auto work = [&] {
    std::vector<std::uint32_t> values(most_cells);
    for (std::uint64_t k = next++; k < blocks; k = next++) {
      const Region block =
          intersection(grid.positions(first_i + k / cols, first_j + k % cols), part);
      if (wanted && !wanted(block)) continue;
      if (options.stop.stop_requested()) {
        interrupted = true;
        return;
      }
      source.read(block, values.data());
      visit(block, values.data());
    }
  };
  const auto threads =
      static_cast<unsigned>(std::min<std::uint64_t>(worker_threads(options.threads), blocks));
  run_in_threads(threads, work, [&] { next = blocks; });
  return !interrupted;
}

}  // namespace grundy
