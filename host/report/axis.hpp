// The axes of pictures: what they show, and their ticks.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace grundy {

enum class Scale { kLinear, kLog };

struct Axis {
  std::string label;
  Scale scale = Scale::kLinear;
  // What it shows at least; without them, what the series need. Log axes leave out what is not
  // positive.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  bool powers_of_two = false;  // a log axis with its ticks there, as fits sizes
  bool whole_numbers = false;  // a linear one with no ticks between them, as fits coordinates
  bool reversed = false;       // from right to left, from top to bottom
};

/// A mark on an axis; those without text are minor.
struct Tick {
  double at = 0;
  std::string text;
};

/// Ticks for an axis that shows low .. high (low < high, of a log axis positive): about `count`
/// with text, at round numbers.
std::vector<Tick> axis_ticks(const Axis& axis, double low, double high, unsigned count = 6);

}  // namespace grundy
