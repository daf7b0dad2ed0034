#include "grundy/report/figure.hpp"

#include <algorithm>
#include <array>
#include <cairo.h>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

struct Colour {
  double red, green, blue;
};

// M. Okabe and K. Ito's colours, which people who see colours differently can tell apart, without
// the yellow, which is too light for lines, and with grey.
constexpr std::array<Colour, kFigureStyles> kColours{{{0.00, 0.45, 0.70},
                                                      {0.84, 0.37, 0.00},
                                                      {0.00, 0.62, 0.45},
                                                      {0.80, 0.47, 0.65},
                                                      {0.34, 0.71, 0.91},
                                                      {0.90, 0.62, 0.00},
                                                      {0.35, 0.35, 0.35},
                                                      {0.00, 0.00, 0.00}}};
constexpr Colour kInk{0.13, 0.13, 0.13};
constexpr Colour kGrid{0.90, 0.90, 0.90};

constexpr double kTextSize = 10;
constexpr double kTitleSize = 13;
constexpr double kNoteSize = 8;
constexpr double kTickLength = 4;
constexpr double kPointRadius = 3;
constexpr double kMargin = 10;

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct DestroyContext {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

/// Plain numbers where they are short, powers of ten elsewhere.
std::string number_text(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e6)) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", value);
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool shown(const Axis& axis, double value) {
  return std::isfinite(value) && (axis.scale == Scale::kLinear || value > 0);
}

/// Calls visit(x, y) for each point that both axes of the panel can show.
template <typename Visit>
void for_each_point(const Panel& panel, const Series& series, Visit visit) {
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
    if (shown(panel.x, series.x[i]) && shown(panel.y, series.y[i])) visit(series.x[i], series.y[i]);
}

/// What an axis shows: all that was seen on it and a little more.
Range with_space(const Axis& axis, Range range) {
  if (range.low > range.high) range = {axis.scale == Scale::kLog ? 1.0 : 0.0, 1.0};
  if (axis.scale == Scale::kLog) {
    const double space = std::max(1.08, std::pow(range.high / range.low, 0.05));
    range = {range.low / space, range.high * space};
  } else {
    const double space =
        range.high > range.low ? 0.05 * (range.high - range.low) : std::abs(range.low) * 0.1 + 0.5;
    range = {range.low - space, range.high + space};
  }
  if (axis.low) range.low = *axis.low;
  if (axis.high) range.high = *axis.high;
  if (!(range.low < range.high) || (axis.scale == Scale::kLog && !(range.low > 0)))
    throw UsageError(
        fmt::format("the axis '{}' cannot show {} to {}", axis.label, range.low, range.high));
  return range;
}

std::vector<Tick> linear_ticks(double low, double high, unsigned count) {
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  std::vector<Tick> ticks;
  const double tolerance = 1e-9 * (high - low);
  for (double k = std::ceil((low - tolerance) / step); k * step <= high + tolerance; ++k)
    ticks.push_back({k * step, number_text(k == 0 ? 0 : k * step)});
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
  const auto add = [&](double at, bool text) {
    if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9))
      ticks.push_back({at, text ? number_text(at) : ""});
  };
  for (int k = first; k <= last; ++k) {
    const double power = std::pow(base, k);
    add(power, k % each == 0);
    if (base == 10 && each == 1)
      for (int digit = 2; digit < 10; ++digit)
        add(digit * power, between && (digit == 2 || digit == 5));
  }
  return ticks;
}

/// Draws on a page whose unit is a point, y downwards.
class Drawing {
 public:
  Drawing(const Figure& figure, cairo_t* context) : figure_(figure), cr_(context) {
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }

  void draw() {
    colour({1, 1, 1});
    cairo_paint(cr_);
    double top = kMargin;
    if (!figure_.title.empty()) {
      text(figure_.title, page_width() / 2, top + kTitleSize, kTitleSize, Align::kCentre);
      top += kTitleSize + kMargin;
    }
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      panel(figure_.panels[i], static_cast<double>(i) * figure_.panel_width, top);
    top += figure_.panel_height + kMargin;
    top = legend(top);
    text(figure_.note, page_width() / 2, top + kNoteSize, kNoteSize, Align::kCentre);
  }

  [[nodiscard]] double page_width() const {
    return figure_.panel_width * static_cast<double>(figure_.panels.size());
  }
  [[nodiscard]] double page_height() {
    const double title = figure_.title.empty() ? 0 : kTitleSize + kMargin;
    const double note = figure_.note.empty() ? 0 : kNoteSize + kMargin;
    return kMargin + title + figure_.panel_height + kMargin +
           static_cast<double>(legend_rows().size()) * kLegendLine + note + kMargin / 2;
  }

 private:
  enum class Align { kLeft, kCentre, kRight };
  static constexpr double kLegendLine = kTextSize + 7;
  static constexpr double kLegendSample = 28;
  static constexpr double kLegendGap = 18;

  void colour(const Colour& c) { cairo_set_source_rgb(cr_, c.red, c.green, c.blue); }

  double width(const std::string& what, double size) {
    cairo_set_font_size(cr_, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cr_, what.c_str(), &extents);
    return extents.x_advance;
  }

  /// The text with its baseline at y.
  void text(const std::string& what, double x, double y, double size, Align align) {
    const double full = width(what, size);
    if (align == Align::kCentre) x -= full / 2;
    if (align == Align::kRight) x -= full;
    colour(kInk);
    cairo_move_to(cr_, x, y);
    cairo_show_text(cr_, what.c_str());
  }

  void panel(const Panel& panel, double left, double top) {
    Range xs;
    Range ys;
    for (const Series& one : panel.series)
      for_each_point(panel, one, [&](double x, double y) {
        xs.include(x);
        ys.include(y);
      });
    xs = with_space(panel.x, xs);
    ys = with_space(panel.y, ys);
    const auto x_ticks = axis_ticks(panel.x, xs.low, xs.high);
    const auto y_ticks = axis_ticks(panel.y, ys.low, ys.high);
    double tick_width = 0;
    for (const Tick& tick : y_ticks) tick_width = std::max(tick_width, width(tick.text, kTextSize));

    box_.left = left + kMargin + kTextSize + 8 + tick_width + kTickLength + 4;
    box_.right = left + figure_.panel_width - 1.5 * kMargin;
    box_.top = top + (panel.title.empty() ? 0 : kTextSize + 8);
    box_.bottom = top + figure_.panel_height - 2 * kTextSize - kTickLength - 12;
    if (!panel.title.empty())
      text(panel.title, (box_.left + box_.right) / 2, top + kTextSize, kTextSize + 1,
           Align::kCentre);

    const auto at_x = [&](double value) {
      return box_.left + (box_.right - box_.left) * share(panel.x, xs, value);
    };
    const auto at_y = [&](double value) {
      return box_.bottom - (box_.bottom - box_.top) * share(panel.y, ys, value);
    };
    for (const Tick& tick : x_ticks) {
      const double x = at_x(tick.at);
      tick_line(x, box_.top, x, box_.bottom, x, box_.bottom + tick_length(tick), tick);
      text(tick.text, x, box_.bottom + kTickLength + 3 + kTextSize, kTextSize, Align::kCentre);
    }
    for (const Tick& tick : y_ticks) {
      const double y = at_y(tick.at);
      tick_line(box_.right, y, box_.left, y, box_.left - tick_length(tick), y, tick);
      text(tick.text, box_.left - kTickLength - 4, y + 0.35 * kTextSize, kTextSize, Align::kRight);
    }
    colour(kInk);
    cairo_set_line_width(cr_, 0.8);
    cairo_rectangle(cr_, box_.left, box_.top, box_.right - box_.left, box_.bottom - box_.top);
    cairo_stroke(cr_);
    text(panel.x.label, (box_.left + box_.right) / 2, box_.bottom + kTickLength + 2 * kTextSize + 9,
         kTextSize, Align::kCentre);
    cairo_save(cr_);
    cairo_translate(cr_, left + kMargin + kTextSize, (box_.top + box_.bottom) / 2);
    cairo_rotate(cr_, -std::numbers::pi / 2);
    text(panel.y.label, 0, 0, kTextSize, Align::kCentre);
    cairo_restore(cr_);

    cairo_save(cr_);
    cairo_rectangle(cr_, box_.left, box_.top, box_.right - box_.left, box_.bottom - box_.top);
    cairo_clip(cr_);
    for (const Series& one : panel.series) {
      std::vector<std::pair<double, double>> path;
      for_each_point(panel, one, [&](double x, double y) { path.emplace_back(at_x(x), at_y(y)); });
      curve(one, path);
    }
    cairo_restore(cr_);
  }

  static double share(const Axis& axis, const Range& range, double value) {
    if (axis.scale == Scale::kLinear) return (value - range.low) / (range.high - range.low);
    return std::log(value / range.low) / std::log(range.high / range.low);
  }

  static double tick_length(const Tick& tick) {
    return tick.text.empty() ? kTickLength / 2 : kTickLength;
  }

  void tick_line(double from_x, double from_y, double x, double y, double to_x, double to_y,
                 const Tick& tick) {
    if (!tick.text.empty()) {
      colour(kGrid);
      cairo_set_line_width(cr_, 0.6);
      cairo_move_to(cr_, from_x, from_y);
      cairo_line_to(cr_, x, y);
      cairo_stroke(cr_);
    }
    colour(kInk);
    cairo_set_line_width(cr_, 0.8);
    cairo_move_to(cr_, x, y);
    cairo_line_to(cr_, to_x, to_y);
    cairo_stroke(cr_);
  }

  void curve(const Series& series, const std::vector<std::pair<double, double>>& path) {
    colour(kColours[series.style % kFigureStyles]);
    if (series.line && path.size() > 1) {
      constexpr double kDash[] = {5, 3};
      cairo_set_line_width(cr_, 1.6);
      cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
      cairo_set_dash(cr_, kDash, series.dashed ? 2 : 0, 0);
      cairo_new_path(cr_);
      for (const auto& [x, y] : path) cairo_line_to(cr_, x, y);
      cairo_stroke(cr_);
      cairo_set_dash(cr_, nullptr, 0, 0);
    }
    if (series.points)
      for (const auto& [x, y] : path) point(series, x, y);
  }

  /// A circle, square, triangle or diamond; hollow where the line is dashed.
  void point(const Series& series, double x, double y) {
    constexpr double kR = kPointRadius;
    cairo_new_path(cr_);
    switch (series.style % 4) {
      case 0:
        cairo_arc(cr_, x, y, kR, 0, 2 * std::numbers::pi);
        break;
      case 1:
        cairo_rectangle(cr_, x - 0.9 * kR, y - 0.9 * kR, 1.8 * kR, 1.8 * kR);
        break;
      case 2:
        cairo_move_to(cr_, x, y - 1.2 * kR);
        cairo_line_to(cr_, x + 1.1 * kR, y + 0.8 * kR);
        cairo_line_to(cr_, x - 1.1 * kR, y + 0.8 * kR);
        break;
      default:
        cairo_move_to(cr_, x, y - 1.3 * kR);
        cairo_line_to(cr_, x + 1.3 * kR, y);
        cairo_line_to(cr_, x, y + 1.3 * kR);
        cairo_line_to(cr_, x - 1.3 * kR, y);
    }
    cairo_close_path(cr_);
    const Colour own = kColours[series.style % kFigureStyles];
    colour(series.dashed ? Colour{1, 1, 1} : own);
    cairo_fill_preserve(cr_);
    colour(own);
    cairo_set_line_width(cr_, 1);
    cairo_stroke(cr_);
  }

  /// The series with labels, each label once, in rows that fit the page.
  std::vector<std::vector<const Series*>> legend_rows() {
    std::vector<std::vector<const Series*>> rows;
    std::vector<std::string> seen;
    double used = 0;
    for (const Panel& one : figure_.panels) {
      for (const Series& series : one.series) {
        if (series.label.empty() || std::find(seen.begin(), seen.end(), series.label) != seen.end())
          continue;
        seen.push_back(series.label);
        const double needed = entry_width(series);
        if (rows.empty() || used + needed > page_width() - 2 * kMargin) {
          rows.emplace_back();
          used = 0;
        }
        rows.back().push_back(&series);
        used += needed;
      }
    }
    return rows;
  }

  double entry_width(const Series& series) {
    return kLegendSample + 6 + width(series.label, kTextSize) + kLegendGap;
  }

  /// Draws the legend from `top` on; returns where it ends.
  double legend(double top) {
    for (const auto& row : legend_rows()) {
      double full = -kLegendGap;
      for (const Series* series : row) full += entry_width(*series);
      double x = (page_width() - full) / 2;
      const double y = top + kLegendLine / 2;
      for (const Series* series : row) {
        Series sample = *series;
        std::vector<std::pair<double, double>> path{{x, y}, {x + kLegendSample, y}};
        sample.points = false;
        curve(sample, path);
        if (series->points) point(*series, x + kLegendSample / 2, y);
        text(series->label, x + kLegendSample + 6, y + 0.35 * kTextSize, kTextSize, Align::kLeft);
        x += entry_width(*series);
      }
      top += kLegendLine;
    }
    return top;
  }

  const Figure& figure_;
  cairo_t* cr_;
  struct {
    double left = 0, right = 0, top = 0, bottom = 0;
  } box_;  // of the panel's axes
};

using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;
using Context = std::unique_ptr<cairo_t, DestroyContext>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
        fmt::format("cannot draw the picture: {}", cairo_status_to_string(status)));
}

Surface make_surface(int width, int height) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  check(cairo_surface_status(surface.get()));
  return surface;
}

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) noexcept {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(closure);
  try {
    bytes.insert(bytes.end(), data, data + length);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::vector<Tick> axis_ticks(const Axis& axis, double low, double high, unsigned count) {
  if (axis.scale == Scale::kLinear) return linear_ticks(low, high, count);
  return log_ticks(low, high, axis.powers_of_two ? 8 : count, axis.powers_of_two ? 2 : 10);
}

std::vector<std::uint8_t> draw_png(const Figure& figure, double scale) {
  if (figure.panels.empty()) throw UsageError("a picture needs at least one panel");
  // How high the page is depends on the widths of texts, which takes a page to find out.
  const Surface sketch = make_surface(1, 1);
  const Context sketch_context(cairo_create(sketch.get()));
  Drawing measured(figure, sketch_context.get());
  const auto pixels = [scale](double points) {
    return static_cast<int>(std::ceil(points * scale));
  };
  const Surface surface =
      make_surface(pixels(measured.page_width()), pixels(measured.page_height()));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  Drawing(figure, context.get()).draw();
  check(cairo_status(context.get()));
  std::vector<std::uint8_t> bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace grundy
