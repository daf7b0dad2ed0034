#include "grundy/theory/beatty.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with a typedef only
__extension__ typedef unsigned __int128 Wide;

constexpr std::uint64_t kLast = kClosedFormLimit - 1;
constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();

// a = floor(n*phi), said without irrationals: t <= n*phi just when t^2 - t*n - n^2 <= 0.
void expect_floor_n_phi(std::uint64_t a, std::uint64_t n) {
  ASSERT_GE(a, n);
  const Wide square = Wide{n} * n;
  EXPECT_TRUE(Wide{a} * (a - n) <= square) << "n = " << n;
  EXPECT_TRUE((Wide{a} + 1) * (Wide{a} + 1 - n) > square) << "n = " << n;
}

// Both lookups of value: exactly one succeeds, and leads back to value.
void expect_in_one_sequence(std::uint64_t value) {
  const auto lower = lower_wythoff_index(value);
  const auto upper = upper_wythoff_index(value);
  ASSERT_NE(lower.has_value(), upper.has_value()) << "value = " << value;
  EXPECT_EQ(lower ? lower_wythoff(*lower) : upper_wythoff(*upper), value);
}

TEST(Beatty, LowerMatchesOeisA000201) {
  const std::vector<std::uint64_t> from_index_1{
      1,  3,  4,  6,  8,  9,  11, 12, 14, 16, 17,  19,  21,  22,  24,  25,  27,
      29, 30, 32, 33, 35, 37, 38, 40, 42, 43, 45,  46,  48,  50,  51,  53,  55,
      56, 58, 59, 61, 63, 64, 66, 67, 69, 71, 72,  74,  76,  77,  79,  80,  82,
      84, 85, 87, 88, 90, 92, 93, 95, 97, 98, 100, 101, 103, 105, 106, 108, 110};
  for (std::uint64_t i = 0; i < from_index_1.size(); ++i) {
    EXPECT_EQ(lower_wythoff(i + 1), from_index_1[i]);
    EXPECT_EQ(lower_wythoff_index(from_index_1[i]), i + 1);
  }
}

TEST(Beatty, UpperMatchesOeisA001950) {
  const std::vector<std::uint64_t> from_index_1{
      2,   5,   7,   10,  13,  15,  18,  20,  23,  26,  28,  31,  34,  36,  39,
      41,  44,  47,  49,  52,  54,  57,  60,  62,  65,  68,  70,  73,  75,  78,
      81,  83,  86,  89,  91,  94,  96,  99,  102, 104, 107, 109, 112, 115, 117,
      120, 123, 125, 128, 130, 133, 136, 138, 141, 143, 146, 149, 151, 154, 157};
  for (std::uint64_t i = 0; i < from_index_1.size(); ++i) {
    EXPECT_EQ(upper_wythoff(i + 1), from_index_1[i]);
    EXPECT_EQ(upper_wythoff_index(from_index_1[i]), i + 1);
  }
}

TEST(Beatty, IndexZeroIsATermButNotALookupResult) {
  EXPECT_EQ(lower_wythoff(0), 0U);
  EXPECT_EQ(upper_wythoff(0), 0U);
  EXPECT_EQ(lower_wythoff_index(0), std::nullopt);
  EXPECT_EQ(upper_wythoff_index(0), std::nullopt);
}

TEST(Beatty, TermsSatisfyTheDefinitionAtBothEndsAndBetween) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    expect_floor_n_phi(lower_wythoff(i), i);
    expect_floor_n_phi(lower_wythoff(kLast - i), kLast - i);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t n = random() & kLast;
    expect_floor_n_phi(lower_wythoff(n), n);
    EXPECT_EQ(upper_wythoff(n), lower_wythoff(n) + n);
  }
}

// F(k)*phi differs from the integer F(k+1) by phi^-k only: the hardest multiples to round down.
TEST(Beatty, FibonacciIndicesRoundToTheRightSide) {
  std::uint64_t fibonacci = 1;
  std::uint64_t next = 1;
  for (int k = 1; fibonacci < kClosedFormLimit; ++k) {
    EXPECT_EQ(lower_wythoff(fibonacci), k % 2 == 1 ? next : next - 1) << "k = " << k;
    fibonacci = std::exchange(next, fibonacci + next);
  }
}

TEST(Beatty, SequencesPartitionThePositiveIntegers) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    expect_in_one_sequence(1 + i);
    expect_in_one_sequence(kLast - i);
  }
}

TEST(Beatty, LookupsInvertRandomTerms) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t n = 1 + (random() >> 4);  // upper_wythoff(2^60) < 2^62
    EXPECT_EQ(lower_wythoff_index(lower_wythoff(n)), n);
    EXPECT_EQ(upper_wythoff_index(upper_wythoff(n)), n);
  }
}

TEST(Beatty, ArgumentsFromTheLimitOnThrow) {
  for (const std::uint64_t value : {kClosedFormLimit, kClosedFormLimit + 1, kMax64}) {
    EXPECT_THROW((void)lower_wythoff(value), std::out_of_range);
    EXPECT_THROW((void)upper_wythoff(value), std::out_of_range);
    EXPECT_THROW((void)lower_wythoff_index(value), std::out_of_range);
    EXPECT_THROW((void)upper_wythoff_index(value), std::out_of_range);
  }
}

TEST(Beatty, ErrorNamesValueAndLimit) {
  try {
    check_closed_form_range(kMax64);
    FAIL() << "no error";
  } catch (const std::out_of_range& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("18446744073709551615"), std::string::npos) << message;
    EXPECT_NE(message.find("4611686018427387904"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace grundy
