#include "grundy/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;

TEST(Spread, HasTheMiddleAndTheEnds) {
  const Spread odd = spread_of({3, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.low, 1);
  EXPECT_EQ(odd.high, 3);
  EXPECT_EQ(spread_of({4, 1, 2, 8}).median, 3);
  EXPECT_EQ(spread_of({7}).median, 7);
}

TEST(Spread, DoesNotDependOnTheOrder) {
  RandomCase random(4100);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> numbers(random.between(1, 9));
    for (double& number : numbers) number = static_cast<double>(random.below(1000));
    const Spread spread = spread_of(numbers);
    random.shuffle(numbers);
    EXPECT_EQ(spread_of(numbers).median, spread.median);
    EXPECT_LE(spread.low, spread.median);
    EXPECT_LE(spread.median, spread.high);
    const auto above = std::count_if(numbers.begin(), numbers.end(),
                                     [&](double number) { return number > spread.median; });
    const auto below = std::count_if(numbers.begin(), numbers.end(),
                                     [&](double number) { return number < spread.median; });
    EXPECT_LE(2 * above, static_cast<std::ptrdiff_t>(numbers.size()));
    EXPECT_LE(2 * below, static_cast<std::ptrdiff_t>(numbers.size()));
  }
}

TEST(Spread, OfNothingIsRefused) { EXPECT_THROW(spread_of({}), std::invalid_argument); }

TEST(GrowthExponent, FindsThePowerOfAPowerLaw) {
  RandomCase random(4200);
  for (int i = 0; i < 100; ++i) {
    const double exponent = static_cast<double>(random.below(400)) / 100;
    const double factor = 1e-9 * static_cast<double>(random.between(1, 1000));
    std::vector<double> sizes;
    std::vector<double> seconds;
    for (std::uint64_t k = 0, count = random.between(2, 8); k < count; ++k) {
      sizes.push_back(static_cast<double>(100 + 50 * k + random.below(50)));
      seconds.push_back(factor * std::pow(sizes.back(), exponent));
    }
    EXPECT_NEAR(growth_exponent(sizes, seconds), exponent, 1e-6);
  }
}

TEST(GrowthExponent, IsTheLeastSquaresSlope) {
  // Logarithms to the base 2: (0,0), (1,1), (2,3) have slope 3/2.
  EXPECT_NEAR(growth_exponent({1, 2, 4}, {1, 2, 8}), 1.5, 1e-12);
}

TEST(GrowthExponent, RefusesWhatHasNone) {
  EXPECT_THROW(growth_exponent({}, {}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({4}, {1}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({4, 4}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({4, 8}, {1}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({4, 8}, {1, 0}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({-4, 8}, {1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace grundy
