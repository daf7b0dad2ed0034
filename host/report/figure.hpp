// Pictures of curves: axes with ticks and labels, lines and points, a legend, as PNG.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grundy {

/// One curve or cloud of points. Colours and the shapes of points follow `style`, so that the same
/// thing looks the same in every panel.
struct Series {
  std::string label;  // in the legend; empty: not there
  std::vector<double> x;
  std::vector<double> y;
  unsigned style = 0;  // colour and shape of the points; repeats after kFigureStyles
  bool line = true;
  bool points = true;
  bool dashed = false;
};

inline constexpr unsigned kFigureStyles = 8;

enum class Scale { kLinear, kLog };

struct Axis {
  std::string label;
  Scale scale = Scale::kLinear;
  // What it shows at least; without them, what the series need. Log axes leave out what is not
  // positive.
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  bool powers_of_two = false;  // a log axis with its ticks there, as fits sizes
};

struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

/// Panels side by side, with one legend below them all. Sizes in points (1/72 inch).
struct Figure {
  std::string title;
  std::string note;  // small, below the legend
  std::vector<Panel> panels;
  double panel_width = 360;
  double panel_height = 300;
};

/// A mark on an axis; those without text are minor.
struct Tick {
  double at = 0;
  std::string text;
};

/// Ticks for an axis that shows low .. high (low < high, of a log axis positive): about `count`
/// with text, at round numbers.
std::vector<Tick> axis_ticks(const Axis& axis, double low, double high, unsigned count = 6);

/// The figure as the bytes of a PNG file, `scale` pixels a point. The text is in the first of
/// "DejaVu Sans" and the system's sans-serif font that there is. Throws UsageError for a figure
/// without panels, std::runtime_error when it cannot be drawn (too large, no memory).
std::vector<std::uint8_t> draw_png(const Figure& figure, double scale = 2);

}  // namespace grundy
