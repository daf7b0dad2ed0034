#include "grundy/game/limits.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::to_text;

constexpr std::uint64_t kMax64 = ~std::uint64_t{0};

// Whether it is refused with a message that names both sides.
testing::AssertionResult refuses(const Extent& extent) {
  return support::throws_naming<UsageError>(to_text(extent), [&] { check_extent(extent); });
}

TEST(CheckExtent, AcceptsEveryTableWhoseValuesStayBelowTheLimit) {
  for (const Extent extent :
       {Extent{1, 1}, Extent{1, 2}, Extent{2, 1}, Extent{1000, 1000}, Extent{500'000, 500'000},
        Extent{1, kValueLimit}, Extent{kValueLimit, 1}, Extent{kValueLimit - 9, 10},
        Extent{1U << 31U, 1U << 31U}}) {
    EXPECT_NO_THROW(check_extent(extent)) << to_text(extent);
    // The largest value there can be, G(x,y) = x+y in the last cell.
    EXPECT_LT(extent.rows - 1 + extent.cols - 1, kValueLimit);
  }
}

TEST(CheckExtent, RefusesEmptyTables) {
  for (const Extent extent : {Extent{0, 0}, Extent{0, 5}, Extent{5, 0}, Extent{0, kMax64}})
    EXPECT_TRUE(refuses(extent)) << to_text(extent);
}

TEST(CheckExtent, RefusesTheFirstTablesThatAreTooLarge) {
  for (const Extent extent :
       {Extent{1, kValueLimit + 1}, Extent{kValueLimit + 1, 1}, Extent{2, kValueLimit},
        Extent{kValueLimit, 2}, Extent{1U << 31U, (1U << 31U) + 1}})
    EXPECT_TRUE(refuses(extent)) << to_text(extent);
}

TEST(CheckExtent, RefusesSidesWhoseSumOrProductOverflows) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  for (const Extent extent :
       {Extent{kMax64, 1}, Extent{1, kMax64}, Extent{kMax64, kMax64}, Extent{kMax64, 2},
        Extent{kMax64 - 4, 10}, Extent{10, kMax64 - 4}, Extent{kHalf, kHalf},
        Extent{kHalf + 1, kHalf}, Extent{std::uint64_t{1} << 32U, std::uint64_t{1} << 32U}})
    EXPECT_TRUE(refuses(extent)) << to_text(extent);
}

TEST(CheckExtent, SaysHowLargeATableMayBe) {
  EXPECT_TRUE(support::throws_naming<UsageError>(std::to_string(kValueLimit + 1), [] {
    check_extent({kMax64, 1});
  }));
}

TEST(Extent, ContainsThePositionsBelowItsSides) {
  const Extent extent{3, 5};
  EXPECT_TRUE(extent.contains({0, 0}));
  EXPECT_TRUE(extent.contains({2, 4}));
  EXPECT_FALSE(extent.contains({3, 0}));
  EXPECT_FALSE(extent.contains({0, 5}));
  EXPECT_EQ(extent.cells(), 15U);
}

}  // namespace
}  // namespace grundy
