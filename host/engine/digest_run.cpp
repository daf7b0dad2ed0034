#include "grundy/engine/digest_run.hpp"

#include <algorithm>

#include "grundy/engine/digest_lanes.hpp"
#include "grundy/kernels/digest.hpp"

namespace grundy {
namespace {

std::uint64_t digest_one(std::uint64_t position, std::uint32_t value) {
  return mix64(mix64(position) + value);
}

#ifdef __AVX2__

constexpr std::size_t kBlock = 16;

/// What mix64 has made of the positions of kBlock cells after its first multiplication, without
/// multiplying: for x, y < 2^30 that product is (y * factor << 32) + (x ^ 4y) * factor, and within
/// a block that begins at a multiple of kBlock, x ^ 4y is a multiple of a power of two plus a
/// number below it, which depends on the place in the block and on the line alone. So the product
/// is start(block) + offsets[place].
struct Products {
  /// Of cells (x, y), (x, y+1), ... or (x, y), (x+1, y), ...
  Products(std::uint64_t x, std::uint64_t y, bool along_y)
      : fixed_(along_y ? x : y), along_y_(along_y) {
    for (std::uint64_t j = 0; j < kBlock; ++j)
      offsets[j] = along_y ? ((x & 63U) ^ 4 * j) * kMixFirstFactor + (j * kMixFirstFactor << 32U)
                           : (j ^ (4 * y & 15U)) * kMixFirstFactor;
  }

  /// Of the block from that coordinate on, a multiple of kBlock.
  [[nodiscard]] std::uint64_t start(std::uint64_t from) const {
    const std::uint64_t x = along_y_ ? fixed_ : from;
    const std::uint64_t y = along_y_ ? from : fixed_;
    const std::uint64_t low = along_y_ ? 63U : 15U;
    return ((x ^ 4 * y) & ~low) * kMixFirstFactor + (y * kMixFirstFactor << 32U);
  }

  alignas(32) std::uint64_t offsets[kBlock] = {};

 private:
  std::uint64_t fixed_;
  bool along_y_;
};

/// The rest of the digest of a cell.
std::uint64_t finish_one(std::uint64_t product, std::uint32_t value) {
  product = (product ^ (product >> 27U)) * kMixSecondFactor;
  return mix64((product ^ (product >> 31U)) + value);
}

/// The digest of `blocks` blocks of cells; the first begins at coordinate `from`.
std::uint64_t digest_blocks(const Products& products, std::uint64_t from,
                            const std::uint32_t* values, std::size_t blocks) {
  // Multiplying is the bottleneck, and vector and scalar units can both be kept at it.
  constexpr std::size_t kLanes = 4;
  constexpr std::size_t kInLanes = 8;
  __m256i lane_sums = _mm256_setzero_si256();
  std::uint64_t sum = 0;
  for (; blocks > 0; --blocks, from += kBlock, values += kBlock) {
    const std::uint64_t start = products.start(from);
    const __m256i starts = in_lanes(start);
    for (std::size_t j = 0; j < kInLanes; j += kLanes) {
      const __m256i offsets =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(products.offsets + j));
      const __m256i lane_values =
          _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values + j)));
      lane_sums = _mm256_add_epi64(
          lane_sums, finish_digest_lanes(_mm256_add_epi64(starts, offsets), lane_values));
    }
    for (std::size_t j = kInLanes; j < kBlock; ++j)
      sum += finish_one(start + products.offsets[j], values[j]);
  }
  return sum + sum_of_lanes(lane_sums);
}

#endif

}  // namespace

std::uint64_t digest_run(std::uint64_t first, std::uint64_t step, const std::uint32_t* values,
                         std::size_t count) {
  std::uint64_t sum = 0;
  std::size_t j = 0;
#ifdef __AVX2__
  const std::uint64_t x = first & 0xffff'ffffU;
  const std::uint64_t y = first >> 32U;
  const bool along_y = step == std::uint64_t{1} << 32U;
  if ((along_y || step == 1) && x + count <= kLaneLimit && y + count <= kLaneLimit) {
    const std::uint64_t from = along_y ? y : x;
    const std::size_t unaligned = std::min<std::size_t>(count, (0 - from) % kBlock);
    for (; j < unaligned; ++j) sum += digest_one(first + j * step, values[j]);
    const std::size_t blocks = (count - j) / kBlock;
    sum += digest_blocks(Products(x, y, along_y), from + j, values + j, blocks);
    j += blocks * kBlock;
  }
#endif
  for (; j < count; ++j) sum += digest_one(first + j * step, values[j]);
  return sum;
}

}  // namespace grundy
