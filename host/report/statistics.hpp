// What a few repeated measurements say.
#pragma once

#include <vector>

namespace grundy {

/// The middle of some measurements and how far they lie apart.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// The spread of at least one number; the median of an even count is the mean of the middle two.
/// Throws std::invalid_argument for none.
Spread spread_of(std::vector<double> numbers);

/// The exponent e with which `values` grow like c * sizes^e: the slope of a least-squares line
/// through the logarithms. All numbers positive, both lists equally long; throws
/// std::invalid_argument for others and for fewer than two different sizes.
double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& values);

}  // namespace grundy
