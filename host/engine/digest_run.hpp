// The digest of cells that lie side by side, at the speed the processor allows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

/// Sum modulo 2^64 of mix64(mix64(first + j * step) + values[j]) for j < count: the digest of part
/// of a row (first = x + 2^32 y, step = 2^32) or of a column (step = 1); see kernels/digest.hpp.
std::uint64_t digest_run(std::uint64_t first, std::uint64_t step, const std::uint32_t* values,
                         std::size_t count);

}  // namespace grundy
