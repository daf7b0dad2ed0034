// From the stored form of values to numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "grundy/dataset/chunk_grid.hpp"

namespace grundy {

namespace detail {

template <typename Value>
void widen_row(const std::byte* from, std::uint64_t count, std::uint32_t* to) {
  for (std::uint64_t k = 0; k < count; ++k) {
    Value value{};
    std::memcpy(&value, from + k * sizeof value, sizeof value);
    to[k] = value;
  }
}

}  // namespace detail

/// The values of `part`, which lies in chunk (i,j) with these elements, into rows `stride` apart.
inline void widen_elements(const ChunkGrid& grid, std::uint64_t i, std::uint64_t j,
                           std::span<const std::byte> elements, const Region& part,
                           std::uint32_t* values, std::uint64_t stride) {
  const Region chunk = grid.positions(i, j);
  for (std::uint64_t x = part.x0; x < part.x1(); ++x, values += stride) {
    const std::byte* from =
        elements.data() +
        ((x - chunk.x0) * grid.chunk.cols + part.y0 - chunk.y0) * grid.value_bytes;
    grid.value_bytes == 2 ? detail::widen_row<std::uint16_t>(from, part.extent.cols, values)
                          : detail::widen_row<std::uint32_t>(from, part.extent.cols, values);
  }
}

}  // namespace grundy
