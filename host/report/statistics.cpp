#include "grundy/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace grundy {

Spread spread_of(std::vector<double> numbers) {
  if (numbers.empty()) throw std::invalid_argument("the spread of no numbers");
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  const double median =
      numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
  return {median, numbers.front(), numbers.back()};
}

double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& values) {
  const auto positive = [](double number) { return number > 0; };
  if (sizes.size() != values.size() || !std::all_of(sizes.begin(), sizes.end(), positive) ||
      !std::all_of(values.begin(), values.end(), positive))
    throw std::invalid_argument("growth is of positive numbers, one for each size");
  const auto count = static_cast<double>(sizes.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    mean_x += std::log(sizes[i]) / count;
    mean_y += std::log(values[i]) / count;
  }
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]) - mean_x;
    xx += x * x;
    xy += x * (std::log(values[i]) - mean_y);
  }
  if (!(xx > 1e-18)) throw std::invalid_argument("growth takes at least two different sizes");
  return xy / xx;
}

}  // namespace grundy
