#include "grundy/dataset/chunk_assembler.hpp"

#include <algorithm>
#include <cstring>

namespace grundy {
namespace {

/// The cells of `part`, which lies in the view and in the chunk at `corner`, converted to the
/// stored type; of half storage those on and above the main diagonal. Returns how many.
template <typename Value>
std::uint64_t copy_cells(const TileView& view, const Region& part, const ChunkGrid& grid,
                         const Region& chunk, std::byte* bytes) {
  std::uint64_t copied = 0;
  for (std::uint64_t x = part.x0; x < part.x1(); ++x) {
    const std::uint64_t y_begin = grid.half ? std::max(part.y0, x) : part.y0;
    if (y_begin >= part.y1()) break;  // and so are the rows below
    const std::uint64_t count = part.y1() - y_begin;
    const std::uint32_t* from = view.values +
                                static_cast<std::ptrdiff_t>(x - view.x0) * view.x_stride +
                                static_cast<std::ptrdiff_t>(y_begin - view.y0) * view.y_stride;
    std::byte* to = bytes + ((x - chunk.x0) * grid.chunk.cols + y_begin - chunk.y0) * sizeof(Value);
    for (std::uint64_t k = 0; k < count; ++k, from += view.y_stride, to += sizeof(Value)) {
      const auto value = static_cast<Value>(*from);
      std::memcpy(to, &value, sizeof value);
    }
    copied += count;
  }
  return copied;
}

}  // namespace

std::size_t ChunkAssembler::open_chunks() {
  const std::scoped_lock lock(mutex_);
  return open_.size();
}

ChunkAssembler::Open& ChunkAssembler::find_or_open(std::uint64_t i, std::uint64_t j) {
  const std::scoped_lock lock(mutex_);
  Open& open = open_[{i, j}];  // a map: references stay valid while others come and go
  if (open.chunk.bytes == nullptr) {
    const std::uint64_t cells = grid_.stored_cells(i, j);
    open.chunk = {i, j, buffers_.take()};
    // All bits set are the fill value of either type.
    if (cells < grid_.chunk.cells()) std::memset(open.chunk.bytes.get(), 0xff, grid_.chunk_bytes());
    open.missing.store(cells, std::memory_order_relaxed);
  }
  return open;
}

Chunk ChunkAssembler::take(std::uint64_t i, std::uint64_t j) {
  const std::scoped_lock lock(mutex_);
  const auto found = open_.find({i, j});
  Chunk chunk = std::move(found->second.chunk);
  open_.erase(found);
  return chunk;
}

bool ChunkAssembler::copy(const TileView& view, const Region& part, Open& open) const {
  const Region chunk = grid_.positions(open.chunk.i, open.chunk.j);
  std::byte* bytes = open.chunk.bytes.get();
  const std::uint64_t copied = grid_.value_bytes == 2
                                   ? copy_cells<std::uint16_t>(view, part, grid_, chunk, bytes)
                                   : copy_cells<std::uint32_t>(view, part, grid_, chunk, bytes);
  // Acquire and release: the one who completes a chunk sees what the others have copied.
  return open.missing.fetch_sub(copied, std::memory_order_acq_rel) == copied;
}

}  // namespace grundy
