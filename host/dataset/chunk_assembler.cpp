#include "grundy/dataset/chunk_assembler.hpp"

#include <algorithm>
#include <cstring>

namespace grundy {
namespace {

/// The cells of `view` inside the chunk, converted to the stored type.
template <typename Value>
std::uint64_t copy_cells(const TileView& view, Chunk& chunk) {
  const std::uint64_t x_begin = std::max(view.x0, chunk.x0);
  const std::uint64_t x_end = std::min(view.x0 + view.rows, chunk.x0 + chunk.extent.rows);
  const std::uint64_t y_begin = std::max(view.y0, chunk.y0);
  const std::uint64_t y_end = std::min(view.y0 + view.cols, chunk.y0 + chunk.extent.cols);
  for (std::uint64_t x = x_begin; x < x_end; ++x) {
    std::byte* to = chunk.bytes.data() +
                    ((x - chunk.x0) * chunk.extent.cols + y_begin - chunk.y0) * sizeof(Value);
    for (std::uint64_t y = y_begin; y < y_end; ++y, to += sizeof(Value)) {
      const auto value = static_cast<Value>(view.at(static_cast<std::uint32_t>(x - view.x0),
                                                    static_cast<std::uint32_t>(y - view.y0)));
      std::memcpy(to, &value, sizeof value);
    }
  }
  return (x_end - x_begin) * (y_end - y_begin);
}

}  // namespace

std::size_t ChunkAssembler::open_chunks() {
  const std::scoped_lock lock(mutex_);
  return open_.size();
}

ChunkAssembler::Open& ChunkAssembler::find_or_open(std::uint64_t i, std::uint64_t j) {
  const std::scoped_lock lock(mutex_);
  Open& open = open_[{i, j}];  // a map: references stay valid while others come and go
  if (open.chunk == nullptr) {
    open.chunk = std::make_unique<Chunk>();
    open.chunk->x0 = i * chunk_.rows;
    open.chunk->y0 = j * chunk_.cols;
    open.chunk->extent = {std::min(chunk_.rows, table_.rows - open.chunk->x0),
                          std::min(chunk_.cols, table_.cols - open.chunk->y0)};
    open.chunk->bytes.resize(open.chunk->extent.cells() * value_bytes_);
    open.missing.store(open.chunk->extent.cells(), std::memory_order_relaxed);
  }
  return open;
}

std::unique_ptr<Chunk> ChunkAssembler::take(std::uint64_t i, std::uint64_t j) {
  const std::scoped_lock lock(mutex_);
  const auto found = open_.find({i, j});
  std::unique_ptr<Chunk> chunk = std::move(found->second.chunk);
  open_.erase(found);
  return chunk;
}

bool ChunkAssembler::copy(const TileView& view, Open& open) const {
  const std::uint64_t copied = value_bytes_ == 2 ? copy_cells<std::uint16_t>(view, *open.chunk)
                                                 : copy_cells<std::uint32_t>(view, *open.chunk);
  // Acquire and release: the one who completes a chunk sees what the others have copied.
  return open.missing.fetch_sub(copied, std::memory_order_acq_rel) == copied;
}

}  // namespace grundy
