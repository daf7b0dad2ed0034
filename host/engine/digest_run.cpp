#include "grundy/engine/digest_run.hpp"

#include <bit>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "grundy/kernels/digest.hpp"

namespace grundy {
namespace {

std::uint64_t digest_one(std::uint64_t position, std::uint32_t value) {
  return mix64(mix64(position) + value);
}

#ifdef __AVX2__

/// z * factor modulo 2^64 in four lanes, from products of 32-bit halves.
__m256i multiply(__m256i z, std::uint64_t factor) {
  const __m256i low = _mm256_set1_epi64x(static_cast<long long>(factor & 0xffff'ffffU));
  const __m256i high = _mm256_set1_epi64x(static_cast<long long>(factor >> 32U));
  const __m256i crossed =
      _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(z, 32), low), _mm256_mul_epu32(z, high));
  return _mm256_add_epi64(_mm256_mul_epu32(z, low), _mm256_slli_epi64(crossed, 32));
}

/// mix64 in four lanes.
__m256i mix64_lanes(__m256i z) {
  z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), 0xbf58476d1ce4e5b9U);
  z = multiply(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), 0x94d049bb133111ebU);
  return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

#endif

}  // namespace

std::uint64_t digest_run(std::uint64_t first, std::uint64_t step, const std::uint32_t* values,
                         std::size_t count) {
  std::uint64_t sum = 0;
  std::size_t j = 0;
#ifdef __AVX2__
  // Multiplying is the bottleneck, and vector and scalar units can both be kept at it: four cells
  // in lanes and four one by one take two thirds of the time of either way alone.
  constexpr std::size_t kLanes = 4;
  constexpr std::size_t kRound = 2 * kLanes;
  __m256i lane_sums = _mm256_setzero_si256();
  alignas(32) std::uint64_t lanes[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = first + k * step;
  __m256i lane_positions = _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes));
  const auto round_step = std::bit_cast<long long>(kRound * step);
  const __m256i round_steps = _mm256_set1_epi64x(round_step);
  for (; j + kRound <= count; j += kRound) {
    const __m256i lane_values =
        _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values + j)));
    lane_sums = _mm256_add_epi64(
        lane_sums, mix64_lanes(_mm256_add_epi64(mix64_lanes(lane_positions), lane_values)));
    lane_positions = _mm256_add_epi64(lane_positions, round_steps);
    for (std::size_t k = j + kLanes; k < j + kRound; ++k)
      sum += digest_one(first + k * step, values[k]);
  }
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), lane_sums);
  sum += lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
  for (; j < count; ++j) sum += digest_one(first + j * step, values[j]);
  return sum;
}

}  // namespace grundy
