#include "grundy/levels/sliding_bits.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_case.hpp"

namespace grundy {
namespace {

TEST(SlidingBits, WindowsShowWhatWasSetAndZerosBeyondTheSize) {
  support::RandomCase random(41);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t size = random.between(1, 300);
    SlidingBits bits(size);
    std::vector<bool> expected(size + 64);
    for (std::uint64_t count = random.below(300); count > 0; --count) {
      const std::uint64_t i = random.below(size);
      bits.set(i);
      expected[i] = true;
    }
    for (std::uint64_t i = 0; i <= size; ++i) {
      for (std::uint64_t j = 0; i + j < size + 64 && j < 64; ++j)
        ASSERT_EQ((bits.window(i) >> j & 1) != 0, expected[i + j]) << size << ' ' << i << ' ' << j;
      if (i < size) {
        ASSERT_EQ(bits.test(i), expected[i]);
      }
    }
  }
}

TEST(SlidingBits, ReleasingKeepsEverythingFromTheGivenNumberOn) {
  const std::uint64_t size = std::uint64_t{1} << 28U;
  SlidingBits bits(size);
  std::uint64_t lowest = 0;
  for (std::uint64_t i = 0; i < size; i += 1'000'003) {
    bits.set(i);
    if (i > 50'000'000) bits.release_below(lowest = i - 50'000'000);
    for (std::uint64_t kept = i; kept >= lowest; kept -= 1'000'003) {
      ASSERT_TRUE(bits.test(kept)) << i << ' ' << kept;
      ASSERT_FALSE(bits.test(kept + 1)) << i << ' ' << kept;
      if (kept == 0) break;
    }
  }
}

}  // namespace
}  // namespace grundy
