#include "grundy/dataset/chunk_assembler.hpp"

#include <algorithm>
#include <cstring>

namespace grundy {
namespace {

template <typename Value>
void store(std::byte* to, std::uint32_t value) {
  const auto stored = static_cast<Value>(value);
  std::memcpy(to, &stored, sizeof stored);
}

/// The cells of `part`, which lies in the view and in `chunk`, converted to the
/// stored type; of half storage those on and above the main diagonal. Returns how many.
template <typename Value>
std::uint64_t copy_cells(const TileView& view, const Region& part, const ChunkGrid& grid,
                         const Region& chunk, std::byte* bytes) {
  const auto place = [&](std::uint64_t x, std::uint64_t y) {
    return bytes + ((x - chunk.x0) * grid.chunk.cols + y - chunk.y0) * sizeof(Value);
  };
  const auto first_stored = [&](std::uint64_t x) {
    return grid.half ? std::clamp(x, part.y0, part.y1()) : part.y0;
  };
  const auto value_at = [&](std::uint64_t x, std::uint64_t y) {
    return view.values + static_cast<std::ptrdiff_t>(x - view.x0) * view.x_stride +
           static_cast<std::ptrdiff_t>(y - view.y0) * view.y_stride;
  };
  std::uint64_t copied = 0;
  // Some rows at a time: in a mirror image their values are neighbours, in one cache line.
  constexpr std::uint64_t kRows = 16;
  for (std::uint64_t begin = part.x0; begin < part.x1(); begin += kRows) {
    const std::uint64_t end = std::min(begin + kRows, part.x1());
    const bool whole_rows = view.y_stride == 1 || view.x_stride != 1 || end - begin < kRows ||
                            first_stored(end - 1) != part.y0;
    if (whole_rows) {
      for (std::uint64_t x = begin; x < end; ++x) {
        const std::uint64_t y = first_stored(x);
        const std::uint64_t count = part.y1() - y;
        const std::uint32_t* from = value_at(x, y);
        std::byte* to = place(x, y);
        if (view.y_stride == 1) {  // apart, so that the compiler can use vector registers
          for (std::uint64_t k = 0; k < count; ++k) store<Value>(to + k * sizeof(Value), from[k]);
        } else {
          for (std::uint64_t k = 0; k < count; ++k)
            store<Value>(to + k * sizeof(Value),
                         from[static_cast<std::ptrdiff_t>(k) * view.y_stride]);
        }
        copied += count;
      }
    } else {
      const std::uint64_t row_bytes = grid.chunk.cols * sizeof(Value);
      for (std::uint64_t y = part.y0; y < part.y1(); ++y) {
        const std::uint32_t* from = value_at(begin, y);
        std::byte* to = place(begin, y);
        for (std::uint64_t k = 0; k < kRows; ++k) store<Value>(to + k * row_bytes, from[k]);
      }
      copied += kRows * part.extent.cols;
    }
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
