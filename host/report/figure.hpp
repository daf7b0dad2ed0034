// Pictures: axes with ticks and labels, lines, points and images, a legend, as PNG, PDF or SVG.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grundy/report/axis.hpp"
#include "grundy/report/palette.hpp"

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
  double radius = 3;  // of the points
  double line_width = 1.6;
  std::optional<Colour> colour = std::nullopt;  // instead of that of the style
};

inline constexpr unsigned kFigureStyles = 8;

/// Equal rectangles of one colour each that fill the area between the axes.
struct Image {
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::vector<std::uint32_t> pixels = {};  // 0xRRGGBB, rows from the top, rows * cols of them
};

/// What the colours of an image mean: from low to high (low < high) those of sequential_colour.
struct ColourBar {
  std::string label;
  double low = 0;
  double high = 1;
};

struct Panel {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::optional<Image> image = std::nullopt;    // behind the series
  std::optional<ColourBar> bar = std::nullopt;  // at the right
  // Of the area between the axes; 0: what the size of the figure's panels leaves.
  double plot_width = 0;
  double plot_height = 0;
};

/// Panels side by side, with one legend below them all. Sizes in points (1/72 inch). Title and note
/// are broken into as many lines as they need.
struct Figure {
  std::string title;
  std::string note;  // small, below the legend
  std::vector<Panel> panels;
  double panel_width = 360;
  double panel_height = 300;
  double pixels_per_point = 2;  // of PNG
};

enum class PictureFormat { kPng, kPdf, kSvg };

/// The format that the name of a file ends in: .png, .pdf or .svg. Throws UsageError that names the
/// option for another one.
PictureFormat picture_format(const std::string& option, const std::string& path);

/// The figure as the bytes of a file. The text is in the first of "DejaVu Sans" and the system's
/// sans-serif font that there is. Throws UsageError for a figure without panels, with an image of
/// another number of pixels or with text that is not UTF-8, std::bad_alloc when there is not the
/// memory, std::runtime_error when it cannot be drawn (too large).
std::vector<std::uint8_t> draw_picture(const Figure& figure, PictureFormat format);

}  // namespace grundy
