// mix64 (kernels/digest.hpp) in the four lanes of a vector. Only where there are such vectors.
#pragma once

#ifdef __AVX2__
#include <cstdint>
#include <immintrin.h>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/digest.hpp"

namespace grundy {

/// Positions with x, y below it are taken in lanes.
inline constexpr std::uint64_t kLaneLimit = std::uint64_t{1} << 30U;

GRUNDY_ALWAYS_INLINE __m256i in_lanes(std::uint64_t word) {
  return _mm256_set1_epi64x(static_cast<long long>(word));
}

/// z * factor modulo 2^64, from products of 32-bit halves.
GRUNDY_ALWAYS_INLINE __m256i multiply_lanes(__m256i z, std::uint64_t factor) {
  const __m256i low = in_lanes(factor & 0xffff'ffffU);
  const __m256i high = in_lanes(factor >> 32U);
  constexpr int kUpperHalves = 0b11'11'01'01;  // shuffled, since shifts have enough to do
  const __m256i crossed = _mm256_add_epi64(
      _mm256_mul_epu32(_mm256_shuffle_epi32(z, kUpperHalves), low), _mm256_mul_epu32(z, high));
  return _mm256_add_epi64(_mm256_mul_epu32(z, low), _mm256_slli_epi64(crossed, 32));
}

/// The same for z < 2^32.
GRUNDY_ALWAYS_INLINE __m256i multiply_short_lanes(__m256i z, std::uint64_t factor) {
  const __m256i low = in_lanes(factor & 0xffff'ffffU);
  const __m256i high = in_lanes(factor >> 32U);
  return _mm256_add_epi64(_mm256_mul_epu32(z, low),
                          _mm256_slli_epi64(_mm256_mul_epu32(z, high), 32));
}

template <int kBits>
GRUNDY_ALWAYS_INLINE __m256i xor_shifted_lanes(__m256i z) {
  return _mm256_xor_si256(z, _mm256_srli_epi64(z, kBits));
}

/// The digests of four cells, given what mix64 has made of their positions with its first
/// multiplication.
GRUNDY_ALWAYS_INLINE __m256i finish_digest_lanes(__m256i products, __m256i values) {
  __m256i z = multiply_lanes(xor_shifted_lanes<27>(products), kMixSecondFactor);
  z = _mm256_add_epi64(xor_shifted_lanes<31>(z), values);
  z = multiply_lanes(xor_shifted_lanes<30>(z), kMixFirstFactor);
  z = multiply_lanes(xor_shifted_lanes<27>(z), kMixSecondFactor);
  return xor_shifted_lanes<31>(z);
}

GRUNDY_ALWAYS_INLINE std::uint64_t sum_of_lanes(__m256i z) {
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), z);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

}  // namespace grundy
#endif
