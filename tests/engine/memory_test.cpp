#include "grundy/engine/memory.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/throws.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kExbibyte = std::uint64_t{1} << 60U;

TEST(MapZeroedWords, GivesZeroedAlignedWords) {
  for (const std::uint64_t words : {1U, 511U, 513U, 1'000'000U}) {
    const MappedWords mapped = map_zeroed_words(words);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped.get()) % 4096, 0U);
    std::uint64_t used = 0;
    for (std::uint64_t i = 0; i < words; ++i) {
      used |= mapped[i];
      mapped[i] = ~std::uint64_t{0};
    }
    EXPECT_EQ(used, 0U);
  }
}

TEST(MapZeroedWords, AcceptsNoWords) { EXPECT_NE(map_zeroed_words(0), nullptr); }

TEST(MapZeroedWords, TakesMemoryOnlyWhereItIsTouched) {
  const MappedWords mapped = map_zeroed_words(std::uint64_t{1} << 27U);  // 1 GiB
  mapped[0] = 1;
  EXPECT_EQ(mapped[0], 1U);
}

TEST(MapZeroedWords, SaysWhatTheSystemRefused) {
  EXPECT_TRUE(support::throws_naming<DeviceError>(std::to_string(kExbibyte),
                                                  [] { (void)map_zeroed_words(kExbibyte / 8); }));
}

TEST(RequireMemory, AcceptsWhatFits) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20U);
  EXPECT_NO_THROW(require_memory("a small table", 4096));
  EXPECT_NO_THROW(require_memory("nothing", 0));
}

TEST(RequireMemory, NamesWhatNeedsHowMuch) {
  const auto refuse = [] { require_memory("a huge table", kExbibyte); };
  EXPECT_TRUE(support::throws_naming<DeviceError>("a huge table", refuse));
  EXPECT_TRUE(support::throws_naming<DeviceError>(std::to_string(kExbibyte), refuse));
}

TEST(SaturatingBytes, IsTheLargestNumberWhereTheProductDoesNotFit) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  EXPECT_EQ(saturating_bytes(0, kMost), 0U);
  EXPECT_EQ(saturating_bytes(1000, 4), 4000U);
  EXPECT_EQ(saturating_bytes(kMost / 4, 4), kMost / 4 * 4);
  EXPECT_EQ(saturating_bytes(kMost / 4 + 1, 4), kMost);  // 2^64, which would be 0
  EXPECT_EQ(saturating_bytes(kMost, kMost), kMost);
}

}  // namespace
}  // namespace grundy
