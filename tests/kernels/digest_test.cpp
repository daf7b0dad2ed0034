#include "grundy/kernels/digest.hpp"

#include <bitset>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

// The step of the splitmix64 generator, which mix64 finishes.
constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15U;

// Undoes z ^= z >> shift: the top bits are unchanged, and give the next ones.
std::uint64_t unshift(std::uint64_t z, unsigned shift) {
  std::bitset<64> bits(z);
  for (unsigned i = 64 - shift; i-- > 0;) bits[i] = bits[i] ^ bits[i + shift];
  return bits.to_ullong();
}

// The inverse of an odd number modulo 2^64; each step of Newton's method doubles the right bits.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t guess = odd;
  for (int i = 0; i < 6; ++i) guess *= 2 - odd * guess;
  return guess;
}

// mix64 backwards: its steps undone, the last one first.
std::uint64_t unmix64(std::uint64_t z) {
  z = unshift(z, 31) * inverse(0x94d049bb133111ebU);
  z = unshift(z, 27) * inverse(0xbf58476d1ce4e5b9U);
  return unshift(z, 30);
}

TEST(Mix64, MakesTheKnownOutputsOfSplitmix64) {
  // The generator seeded with 1234567, as published with many implementations of it
  // (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64).
  const std::vector<std::uint64_t> outputs{6457827717110365317U, 3203168211198807973U,
                                           9817491932198370423U, 4593380528125082431U,
                                           16408922859458223821U};
  std::uint64_t state = 1234567;
  for (const std::uint64_t output : outputs) EXPECT_EQ(mix64(state += kGamma), output);
}

TEST(Mix64, IsUndoneByItsInverse) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t z = random();
    ASSERT_EQ(unmix64(mix64(z)), z);
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(unmix64(mix64(std::uint64_t{1} << bit)), std::uint64_t{1} << bit);
    EXPECT_EQ(unmix64(mix64(~(std::uint64_t{1} << bit))), ~(std::uint64_t{1} << bit));
  }
  EXPECT_EQ(mix64(0), 0U);
}

TEST(CellDigest, MixesThePositionThenTheValue) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x = random() >> 32;
    const std::uint64_t y = random() >> 32;
    const std::uint64_t g = random() >> 32;
    const std::uint64_t mixed = unmix64(cell_digest(x, y, g)) - g;
    ASSERT_EQ(unmix64(mixed), x | y << 32) << x << ',' << y << ' ' << g;
  }
}

TEST(CellDigest, DiffersForNeighboursAndNeighbouringValues) {
  const std::uint64_t digest = cell_digest(10, 20, 5);
  EXPECT_NE(digest, cell_digest(20, 10, 5));
  EXPECT_NE(digest, cell_digest(11, 20, 5));
  EXPECT_NE(digest, cell_digest(10, 21, 5));
  EXPECT_NE(digest, cell_digest(10, 20, 6));
  // Two cells of a table that exchange their values change the sum.
  EXPECT_NE(cell_digest(0, 1, 2) + cell_digest(1, 0, 3),
            cell_digest(0, 1, 3) + cell_digest(1, 0, 2));
}

}  // namespace
}  // namespace grundy
