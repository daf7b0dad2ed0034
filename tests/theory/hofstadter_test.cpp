#include "grundy/theory/hofstadter.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/theory/beatty.hpp"

#include "support/effort.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kLast = kClosedFormLimit - 1;
constexpr std::uint64_t kMany = support::kSlowBuild ? 1'000'000 : 10'000'000;

// The definition of g(n), n >= 2, in terms of h.
std::uint64_t shift_through_h(std::uint64_t n) {
  const std::uint64_t m = hofstadter_g(n - 1);
  return hofstadter_g(n - 2) < m ? 1 - extended_shift(m) : 1;
}

TEST(HofstadterG, MatchesOeisA005206) {
  const std::vector<std::uint64_t> terms{
      0,  1,  1,  2,  3,  3,  4,  4,  5,  6,  6,  7,  8,  8,  9,  9,  10, 11, 11, 12,
      12, 13, 14, 14, 15, 16, 16, 17, 17, 18, 19, 19, 20, 21, 21, 22, 22, 23, 24, 24,
      25, 25, 26, 27, 27, 28, 29, 29, 30, 30, 31, 32, 32, 33, 33, 34, 35, 35, 36, 37,
      37, 38, 38, 39, 40, 40, 41, 42, 42, 43, 43, 44, 45, 45, 46, 46, 47};
  EXPECT_EQ(hofstadter_g_terms(terms.size()), terms);
  for (std::uint64_t n = 0; n < terms.size(); ++n) EXPECT_EQ(hofstadter_g(n), terms[n]);
}

TEST(HofstadterG, ClosedFormAgreesWithRecursion) {
  const auto terms = hofstadter_g_terms(kMany);
  for (std::uint64_t n = 0; n < kMany; ++n) ASSERT_EQ(hofstadter_g(n), terms[n]) << "n = " << n;
}

TEST(HofstadterG, RecursionHoldsUpToTheLimit) {
  for (std::uint64_t n = kLast; n > kLast - 10'000; --n) {
    ASSERT_EQ(hofstadter_g(n), n - hofstadter_g(hofstadter_g(n - 1))) << "n = " << n;
  }
}

TEST(ExtendedShift, StartsWithOneZero) {
  EXPECT_EQ(extended_shift(0), 1U);
  EXPECT_EQ(extended_shift(1), 0U);
}

TEST(ExtendedShift, BothDefinitionsAgree) {
  const auto terms = extended_shift_terms(kMany);
  for (std::uint64_t n = 0; n < kMany; ++n) ASSERT_EQ(extended_shift(n), terms[n]) << "n = " << n;
  for (std::uint64_t n = 2; n < kMany; ++n) ASSERT_EQ(shift_through_h(n), terms[n]) << "n = " << n;
}

TEST(ExtendedShift, DefinitionHoldsUpToTheLimit) {
  for (std::uint64_t n = kLast; n > kLast - 10'000; --n) {
    ASSERT_EQ(extended_shift(n), shift_through_h(n)) << "n = " << n;
  }
}

TEST(HofstadterTerms, NoneForCountZero) {
  EXPECT_TRUE(hofstadter_g_terms(0).empty());
  EXPECT_TRUE(extended_shift_terms(0).empty());
}

TEST(HofstadterRange, ArgumentsFromTheLimitOnThrow) {
  for (const std::uint64_t n : {kClosedFormLimit, std::numeric_limits<std::uint64_t>::max()}) {
    EXPECT_THROW((void)hofstadter_g(n), std::out_of_range);
    EXPECT_THROW((void)extended_shift(n), std::out_of_range);
  }
}

}  // namespace
}  // namespace grundy
