#include "grundy/engine/summed_tile.hpp"

#include <stdexcept>

#include "grundy/engine/digest_lanes.hpp"

namespace grundy {

#ifdef __AVX2__
namespace {

/// Sums up finished rows and their mirror images, four cells at a time, in steps that compute_run()
/// takes between cells.
class RowSums {
 public:
  /// The next steps are for the cells (x, y), (x, y+1), ...; x and y are below kLaneLimit.
  GRUNDY_ALWAYS_INLINE void start(std::uint64_t x, std::uint64_t y, const std::uint32_t* values) {
    values_ = values;
    x_ = in_lanes(x);
    four_x_ = in_lanes(4 * x);
    x_product_ = in_lanes(x * kMixFirstFactor << 32U);
    y_ = _mm256_add_epi64(in_lanes(y), _mm256_setr_epi64x(0, 1, 2, 3));
  }

  // With a position x + 2^32 y below 2^62, mix64 begins with (2^32 y + (x ^ 4y)) * kMixFirstFactor.

  /// Four cells.
  GRUNDY_ALWAYS_INLINE void first_step() {
    const __m256i y_product =
        _mm256_slli_epi64(_mm256_mul_epu32(y_, in_lanes(kMixFirstFactor & 0xffff'ffffU)), 32);
    add(_mm256_xor_si256(x_, _mm256_slli_epi64(y_, 2)), y_product);
  }
  /// Their mirror images, and the counts.
  GRUNDY_ALWAYS_INLINE void second_step() {
    add(_mm256_xor_si256(y_, four_x_), x_product_);
    const __m128i four = values();
    largest_ = _mm_max_epu32(largest_, four);
    zeros_ = _mm_sub_epi32(zeros_, _mm_cmpeq_epi32(four, _mm_setzero_si128()));
    ones_ = _mm_sub_epi32(ones_, _mm_cmpeq_epi32(four, _mm_set1_epi32(1)));
    values_ += 4;
    y_ = _mm256_add_epi64(y_, in_lanes(4));
  }

  /// Of `cells` cells and as many mirror images.
  [[nodiscard]] Summary summary(std::uint64_t cells) const {
    Summary sum;
    sum.cells = 2 * cells;
    sum.digest = sum_of_lanes(digest_);
    alignas(16) std::uint32_t lanes[4];
    const auto each = [&lanes](__m128i z, auto use) {
      _mm_store_si128(reinterpret_cast<__m128i*>(lanes), z);
      for (const std::uint32_t lane : lanes) use(lane);
    };
    each(zeros_, [&sum](std::uint32_t count) { sum.zeros += 2 * std::uint64_t{count}; });
    each(ones_, [&sum](std::uint32_t count) { sum.ones += 2 * std::uint64_t{count}; });
    each(largest_, [&sum](std::uint32_t value) {
      if (sum.max_value < value) sum.max_value = value;
    });
    return sum;
  }

 private:
  [[nodiscard]] GRUNDY_ALWAYS_INLINE __m128i values() const {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values_));
  }
  GRUNDY_ALWAYS_INLINE void add(__m256i low, __m256i high_product) {
    const __m256i products =
        _mm256_add_epi64(multiply_short_lanes(low, kMixFirstFactor), high_product);
    digest_ =
        _mm256_add_epi64(digest_, finish_digest_lanes(products, _mm256_cvtepu32_epi64(values())));
  }

  const std::uint32_t* values_ = nullptr;
  __m256i x_ = _mm256_setzero_si256();
  __m256i four_x_ = _mm256_setzero_si256();
  __m256i x_product_ = _mm256_setzero_si256();
  __m256i y_ = _mm256_setzero_si256();
  __m256i digest_ = _mm256_setzero_si256();
  __m128i largest_ = _mm_setzero_si128();
  __m128i zeros_ = _mm_setzero_si128();
  __m128i ones_ = _mm_setzero_si128();
};

}  // namespace

bool can_sum_tile(const ComputedPart& part, const TerminalView& terminals, const TileBounds& tile) {
  return part.upper_half && tile.x1 <= tile.y0 && tile.y1 <= part.extent.rows &&
         (tile.y1 - tile.y0) % 4 == 0 && tile.y1 <= kLaneLimit &&
         !terminals.may_meet(tile.x0, tile.y0);
}

Summary compute_summed_tile(const TableLines& table, const TileBounds& tile, std::uint32_t* values,
                            std::uint64_t stride) {
  RowSums sums;
  for_each_run<false>(table, false, tile, [&](auto x, auto first, auto last, const auto& covered) {
    std::uint32_t* const row = values + (x - tile.x0) * stride + (first - tile.y0);
    const auto compute = [&](auto& meanwhile) {
      compute_run_of<false>(table, x, first, last, row, 1, covered, meanwhile);
    };
    if (x == tile.x0) {
      NothingMeanwhile nothing;
      compute(nothing);
    } else {
      sums.start(x - 1, first, row - stride);
      compute(sums);
    }
    if (x + 1 < tile.x1) return;
    sums.start(x, first, row);
    for (std::uint64_t y = first; y < last; y += 4) {
      sums.first_step();
      sums.second_step();
    }
  });
  return sums.summary((tile.x1 - tile.x0) * (tile.y1 - tile.y0));
}

#else

bool can_sum_tile(const ComputedPart& /*part*/, const TerminalView& /*terminals*/,
                  const TileBounds& /*tile*/) {
  return false;
}

Summary compute_summed_tile(const TableLines& /*table*/, const TileBounds& /*tile*/,
                            std::uint32_t* /*values*/, std::uint64_t /*stride*/) {
  throw std::logic_error("compute_summed_tile: can_sum_tile() is false here");
}

#endif

}  // namespace grundy
