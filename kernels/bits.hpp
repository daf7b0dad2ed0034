// Bit operations that host and device spell differently.
#pragma once

#include <bit>
#include <cstdint>

#include "grundy/kernels/annotate.hpp"

namespace grundy {

/// Index of the lowest set bit; `bits` must not be 0.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t lowest_bit(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__clzll(static_cast<long long>(__brevll(bits))));
#else
  return static_cast<std::uint32_t>(std::countr_zero(bits));
#endif
}

/// The same, or 64 for 0. Host only.
GRUNDY_ALWAYS_INLINE std::uint32_t lowest_bit_or_64(std::uint64_t bits) {
#if defined(__x86_64__) && defined(__BMI__) && defined(__GNUC__) && !defined(__CUDACC__)
  // The library's function tests for 0 first, and compilers leave that branch in.
  return static_cast<std::uint32_t>(__builtin_ia32_tzcnt_u64(bits));
#else
  return static_cast<std::uint32_t>(std::countr_zero(bits));
#endif
}

}  // namespace grundy
