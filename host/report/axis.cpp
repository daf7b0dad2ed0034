#include "grundy/report/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace grundy {
namespace {

/// Plain numbers where they are short, powers of ten elsewhere.
std::string number_text(double value) {
  const double size = std::abs(value);
  const char* sign = value < 0 ? "−" : "";
  if (size != 0 && (size < 1e-4 || size >= 1e6)) return fmt::format("{}{:.3g}", sign, size);
  return fmt::format("{}{:.6g}", sign, size);
}

/// The numbers of ticks `step` apart, so that they can be told apart.
std::string number_text(double value, double step) {
  if (step < 1) return number_text(value);
  return fmt::format("{}{:.0f}", value < 0 ? "−" : "", std::abs(value));
}

std::string superscript(int number) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

std::vector<Tick> linear_ticks(const Axis& axis, double low, double high, unsigned count) {
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  if (axis.whole_numbers) step = std::max(1.0, step);
  std::vector<Tick> ticks;
  const double tolerance = 1e-9 * (high - low);
  for (double k = std::ceil((low - tolerance) / step); k * step <= high + tolerance; ++k)
    ticks.push_back({k * step, number_text(k == 0 ? 0 : k * step, step)});
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, unsigned count, double base) {
  const double logarithm = std::log(base);
  const auto first = static_cast<int>(std::floor(std::log(low) / logarithm + 1e-9));
  const auto last = static_cast<int>(std::ceil(std::log(high) / logarithm - 1e-9));
  const int powers = last - first + 1;
  const int room = static_cast<int>(count) + 2;
  const int each = (powers + room - 1) / room;
  // Few powers of ten leave room for text between them.
  const bool between = base == 10 && powers <= 3;
  std::vector<Tick> ticks;
  const auto add = [&](double at, const std::string& text) {
    if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) ticks.push_back({at, text});
  };
  const auto power_text = [&](int k) {
    const bool is_short = base != 10 || (k >= -4 && k < 6);
    return is_short ? number_text(std::pow(base, k)) : "10" + superscript(k);
  };
  for (int k = first; k <= last; ++k) {
    const double power = std::pow(base, k);
    add(power, k % each == 0 ? power_text(k) : "");
    if (base == 10 && each == 1)
      for (int digit = 2; digit < 10; ++digit)
        add(digit * power, between && (digit == 2 || digit == 5) ? number_text(digit * power) : "");
  }
  return ticks;
}

}  // namespace

std::vector<Tick> axis_ticks(const Axis& axis, double low, double high, unsigned count) {
  if (axis.scale == Scale::kLinear) return linear_ticks(axis, low, high, count);
  return log_ticks(low, high, axis.powers_of_two ? 8 : count, axis.powers_of_two ? 2 : 10);
}

}  // namespace grundy
