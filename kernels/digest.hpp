// The table digest: a sum over cells, so that tiles may be added in any order and by any engine.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"

namespace grundy {

inline constexpr std::uint64_t kMixFirstFactor = 0xbf58476d1ce4e5b9U;  // of mix64
inline constexpr std::uint64_t kMixSecondFactor = 0x94d049bb133111ebU;

/// The finaliser of the splitmix64 generator (S. Vigna): a bijection of 64-bit words that mixes
/// well.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t mix64(std::uint64_t z) {
  z ^= z >> 30;
  z *= kMixFirstFactor;
  z ^= z >> 27;
  z *= kMixSecondFactor;
  return z ^ (z >> 31);
}

/// What cell (x,y) with Grundy value g adds to the digest; the digest is the sum modulo 2^64.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint64_t cell_digest(std::uint64_t x, std::uint64_t y,
                                                         std::uint64_t g) {
  return mix64(mix64(x + (y << 32)) + g);
}

}  // namespace grundy
