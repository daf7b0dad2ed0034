#include "grundy/report/figure.hpp"

#include <algorithm>
#include <array>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

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
constexpr double kBarGap = 12;
constexpr double kBarWidth = 12;
constexpr double kMargin = 10;
constexpr double kFrame = 0.8;

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct DestroyContext {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};

using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;
using Context = std::unique_ptr<cairo_t, DestroyContext>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status == CAIRO_STATUS_INVALID_STRING)
    throw UsageError("a text of the picture, such as its title, is not UTF-8");
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(
        fmt::format("cannot draw the picture: {}", cairo_status_to_string(status)));
}

Surface checked(cairo_surface_t* surface) {
  Surface owned(surface);
  check(cairo_surface_status(surface));
  return owned;
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

/// Draws on a page whose unit is a point, y downwards.
class Drawing {
 public:
  Drawing(const Figure& figure, cairo_t* context) : figure_(figure), cr_(context) {
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    for (const Panel& one : figure_.panels) layouts_.push_back(lay_out(one));
  }

  void draw() {
    colour({1, 1, 1});
    cairo_paint(cr_);
    double top = kMargin;
    if (!figure_.title.empty()) top = paragraph(figure_.title, top, kTitleSize) + kMargin;
    double left = 0;
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
      panel(figure_.panels[i], layouts_[i], left, top);
      left += layouts_[i].full_width();
    }
    top += panels_height() + kMargin;
    top = legend(top);
    paragraph(figure_.note, top + kMargin / 2, kNoteSize);
  }

  [[nodiscard]] double page_width() const {
    double width = 0;
    for (const Layout& one : layouts_) width += one.full_width();
    return width;
  }
  [[nodiscard]] double page_height() {
    const double title =
        figure_.title.empty() ? 0 : paragraph_height(figure_.title, kTitleSize) + kMargin;
    const double note =
        figure_.note.empty() ? 0 : paragraph_height(figure_.note, kNoteSize) + kMargin;
    return kMargin + title + panels_height() + kMargin +
           static_cast<double>(legend_rows().size()) * kLegendLine + note + kMargin;
  }

 private:
  enum class Align { kLeft, kCentre, kRight };
  static constexpr double kLegendLine = kTextSize + 7;
  static constexpr double kLegendSample = 28;  // of a line
  static constexpr double kLegendGap = 18;
  static constexpr double kLineSpacing = 1.25;

  /// A panel before it has a place.
  struct Layout {
    Range xs;
    Range ys;
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
    std::vector<Tick> bar_ticks;
    // The area between the axes, and what is around it.
    double width = 0;
    double height = 0;
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;

    [[nodiscard]] double full_width() const { return left + width + right; }
    [[nodiscard]] double full_height() const { return top + height + bottom; }
  };

  Layout lay_out(const Panel& panel) {
    Layout layout;
    for (const Series& one : panel.series)
      for_each_point(panel, one, [&](double x, double y) {
        layout.xs.include(x);
        layout.ys.include(y);
      });
    layout.xs = with_space(panel.x, layout.xs);
    layout.ys = with_space(panel.y, layout.ys);
    layout.top = panel.title.empty() ? 0 : kTextSize + 8;
    layout.bottom = 2 * kTextSize + kTickLength + 12;
    layout.height = panel.plot_height > 0 ? panel.plot_height
                                          : figure_.panel_height - layout.top - layout.bottom;
    const auto text_height = [](const Tick& /*tick*/) { return kTextSize; };
    const auto text_width = [this](const Tick& tick) { return width(tick.text, kTextSize); };
    layout.y_ticks = fitting_ticks(panel.y, layout.ys, layout.height, text_height);
    layout.left = kMargin + kTextSize + 8 + widest(layout.y_ticks) + kTickLength + 4;
    layout.right = 1.5 * kMargin;
    if (panel.bar) {
      const Range range =
          with_space({panel.bar->label, Scale::kLinear, panel.bar->low, panel.bar->high}, {});
      layout.bar_ticks = fitting_ticks({panel.bar->label}, range, layout.height, text_height);
      layout.right +=
          kBarGap + kBarWidth + kTickLength + 4 + widest(layout.bar_ticks) + 8 + kTextSize;
    }
    layout.width =
        panel.plot_width > 0 ? panel.plot_width : figure_.panel_width - layout.left - layout.right;
    layout.x_ticks = fitting_ticks(panel.x, layout.xs, layout.width, text_width);
    // Room for the half of a text that ends at the edge.
    if (!layout.x_ticks.empty())
      layout.right = std::max(layout.right, text_width(layout.x_ticks.back()) / 2 + kMargin / 2);
    return layout;
  }

  double widest(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, width(tick.text, kTextSize));
    return widest;
  }

  /// As many ticks as there can be without texts that touch, on an axis of that length.
  template <typename SizeOf>
  std::vector<Tick> fitting_ticks(const Axis& axis, const Range& range, double length,
                                  SizeOf size_of) {
    constexpr double kGap = 8;
    for (unsigned count = 6;; --count) {
      std::vector<Tick> ticks = axis_ticks(axis, range.low, range.high, count);
      const Tick* before = nullptr;
      bool fit = true;
      for (const Tick& tick : ticks) {
        if (tick.text.empty()) continue;
        if (before != nullptr) {
          const double apart =
              length * std::abs(share(axis, range, tick.at) - share(axis, range, before->at));
          fit = fit && apart >= (size_of(*before) + size_of(tick)) / 2 + kGap;
        }
        before = &tick;
      }
      if (fit || count == 1) return ticks;
    }
  }

  [[nodiscard]] double panels_height() const {
    double height = 0;
    for (const Layout& one : layouts_) height = std::max(height, one.full_height());
    return height;
  }

  void colour(const Colour& c) { cairo_set_source_rgb(cr_, c.red, c.green, c.blue); }

  double width(const std::string& what, double size) {
    cairo_set_font_size(cr_, size);
    cairo_text_extents_t extents{};
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

  /// The same around (x,y), from bottom to top.
  void upward_text(const std::string& what, double x, double y) {
    cairo_save(cr_);
    cairo_translate(cr_, x, y);
    cairo_rotate(cr_, -std::numbers::pi / 2);
    text(what, 0, 0, kTextSize, Align::kCentre);
    cairo_restore(cr_);
  }

  /// The text in lines that fit the page, where its words do; a line break begins a new one.
  std::vector<std::string> lines_of(const std::string& what, double size) {
    std::vector<std::string> lines;
    std::istringstream paragraphs(what);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
      lines.emplace_back();
      std::istringstream words(paragraph);
      for (std::string word; words >> word;) {
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (!lines.back().empty() && width(longer, size) > page_width() - 2 * kMargin)
          lines.push_back(word);
        else
          lines.back() = longer;
      }
    }
    return lines;
  }

  double paragraph_height(const std::string& what, double size) {
    const auto lines = static_cast<double>(lines_of(what, size).size());
    return size * (1 + (lines - 1) * kLineSpacing);
  }

  /// Writes the lines, centred, from `top` on; returns where they end.
  double paragraph(const std::string& what, double top, double size) {
    double y = top + size;
    for (const std::string& line : lines_of(what, size)) {
      text(line, page_width() / 2, y, size, Align::kCentre);
      y += size * kLineSpacing;
    }
    return y - size * kLineSpacing;
  }

  /// Up to the next border between pixels, so that the pixels of an image are not mixed.
  [[nodiscard]] double on_pixel(double at) const {
    return std::ceil(at * figure_.pixels_per_point) / figure_.pixels_per_point;
  }

  void panel(const Panel& panel, const Layout& layout, double left, double top) {
    box_.left = on_pixel(left + layout.left);
    box_.right = box_.left + layout.width;
    box_.top = on_pixel(top + layout.top);
    box_.bottom = box_.top + layout.height;
    if (!panel.title.empty())
      text(panel.title, (box_.left + box_.right) / 2, top + kTextSize, kTextSize + 1,
           Align::kCentre);

    const auto at_x = [&](double value) {
      return box_.left + layout.width * share(panel.x, layout.xs, value);
    };
    const auto at_y = [&](double value) {
      return box_.bottom - layout.height * share(panel.y, layout.ys, value);
    };
    for (const Tick& tick : layout.x_ticks) {
      const double x = at_x(tick.at);
      grid_line(x, box_.top, x, box_.bottom, tick);
      tick_mark(x, box_.bottom, 0, 1, tick);
      text(tick.text, x, box_.bottom + kTickLength + 3 + kTextSize, kTextSize, Align::kCentre);
    }
    for (const Tick& tick : layout.y_ticks) {
      const double y = at_y(tick.at);
      grid_line(box_.right, y, box_.left, y, tick);
      tick_mark(box_.left, y, -1, 0, tick);
      text(tick.text, box_.left - kTickLength - 4, y + 0.35 * kTextSize, kTextSize, Align::kRight);
    }
    if (panel.image) image(*panel.image, box_.left, box_.top, layout.width, layout.height);
    frame(box_.left, box_.top, layout.width, layout.height);
    text(panel.x.label, (box_.left + box_.right) / 2, box_.bottom + kTickLength + 2 * kTextSize + 9,
         kTextSize, Align::kCentre);
    upward_text(panel.y.label, left + kMargin + kTextSize, (box_.top + box_.bottom) / 2);
    if (panel.bar) bar(*panel.bar, layout);

    cairo_save(cr_);
    cairo_rectangle(cr_, box_.left, box_.top, layout.width, layout.height);
    cairo_clip(cr_);
    for (const Series& one : panel.series) {
      std::vector<std::pair<double, double>> path;
      for_each_point(panel, one, [&](double x, double y) { path.emplace_back(at_x(x), at_y(y)); });
      curve(one, path);
    }
    cairo_restore(cr_);
  }

  static double share(const Axis& axis, const Range& range, double value) {
    const double share = axis.scale == Scale::kLinear
                             ? (value - range.low) / (range.high - range.low)
                             : std::log(value / range.low) / std::log(range.high / range.low);
    return axis.reversed ? 1 - share : share;
  }

  void grid_line(double from_x, double from_y, double to_x, double to_y, const Tick& tick) {
    if (tick.text.empty()) return;
    colour(kGrid);
    cairo_set_line_width(cr_, 0.6);
    cairo_move_to(cr_, from_x, from_y);
    cairo_line_to(cr_, to_x, to_y);
    cairo_stroke(cr_);
  }

  void tick_mark(double x, double y, double direction_x, double direction_y, const Tick& tick) {
    const double length = tick.text.empty() ? kTickLength / 2 : kTickLength;
    colour(kInk);
    cairo_set_line_width(cr_, kFrame);
    cairo_move_to(cr_, x, y);
    cairo_line_to(cr_, x + direction_x * length, y + direction_y * length);
    cairo_stroke(cr_);
  }

  /// Around that area, so that it covers nothing of it.
  void frame(double left, double top, double width, double height) {
    colour(kInk);
    cairo_set_line_width(cr_, kFrame);
    cairo_rectangle(cr_, left - kFrame / 2, top - kFrame / 2, width + kFrame, height + kFrame);
    cairo_stroke(cr_);
  }

  void image(const Image& image, double left, double top, double width, double height) {
    const Surface surface = checked(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(image.cols), static_cast<int>(image.rows)));
    for (std::uint32_t i = 0; i < image.rows; ++i)
      std::memcpy(cairo_image_surface_get_data(surface.get()) +
                      std::ptrdiff_t{cairo_image_surface_get_stride(surface.get())} * i,
                  image.pixels.data() + std::size_t{i} * image.cols,
                  image.cols * sizeof image.pixels[0]);
    cairo_surface_mark_dirty(surface.get());
    cairo_save(cr_);
    cairo_translate(cr_, left, top);
    cairo_scale(cr_, width / image.cols, height / image.rows);
    cairo_set_source_surface(cr_, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr_, 0, 0, image.cols, image.rows);
    cairo_fill(cr_);
    cairo_restore(cr_);
  }

  void bar(const ColourBar& bar, const Layout& layout) {
    constexpr std::uint32_t kSteps = 256;
    Image colours{kSteps, 1};
    for (std::uint32_t i = 0; i < kSteps; ++i)
      colours.pixels.push_back(to_rgb24(sequential_colour(1 - (i + 0.5) / kSteps)));
    const double left = box_.right + kBarGap;
    image(colours, left, box_.top, kBarWidth, layout.height);
    frame(left, box_.top, kBarWidth, layout.height);
    const double right = left + kBarWidth;
    for (const Tick& tick : layout.bar_ticks) {
      const double y = box_.bottom - layout.height * (tick.at - bar.low) / (bar.high - bar.low);
      tick_mark(right, y, 1, 0, tick);
      text(tick.text, right + kTickLength + 4, y + 0.35 * kTextSize, kTextSize, Align::kLeft);
    }
    upward_text(bar.label, right + kTickLength + 4 + widest(layout.bar_ticks) + 8 + 0.8 * kTextSize,
                (box_.top + box_.bottom) / 2);
  }

  [[nodiscard]] static Colour colour_of(const Series& series) {
    return series.colour.value_or(kColours[series.style % kFigureStyles]);
  }

  void curve(const Series& series, const std::vector<std::pair<double, double>>& path) {
    colour(colour_of(series));
    if (series.line && path.size() > 1) {
      constexpr double kDash[] = {5, 3};
      cairo_set_line_width(cr_, series.line_width);
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
    const double r = series.radius;
    cairo_new_path(cr_);
    switch (series.style % 4) {
      case 0:
        cairo_arc(cr_, x, y, r, 0, 2 * std::numbers::pi);
        break;
      case 1:
        cairo_rectangle(cr_, x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
        break;
      case 2:
        cairo_move_to(cr_, x, y - 1.2 * r);
        cairo_line_to(cr_, x + 1.1 * r, y + 0.8 * r);
        cairo_line_to(cr_, x - 1.1 * r, y + 0.8 * r);
        break;
      default:
        cairo_move_to(cr_, x, y - 1.3 * r);
        cairo_line_to(cr_, x + 1.3 * r, y);
        cairo_line_to(cr_, x, y + 1.3 * r);
        cairo_line_to(cr_, x - 1.3 * r, y);
    }
    cairo_close_path(cr_);
    const Colour own = colour_of(series);
    colour(series.dashed ? Colour{1, 1, 1} : own);
    cairo_fill_preserve(cr_);
    colour(own);
    cairo_set_line_width(cr_, std::min(1.0, r / (series.dashed ? 2 : 3)));
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

  static double sample_width(const Series& series) {
    return series.line ? kLegendSample : 2.6 * series.radius;
  }

  double entry_width(const Series& series) {
    return sample_width(series) + 6 + width(series.label, kTextSize) + kLegendGap;
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
        std::vector<std::pair<double, double>> path{{x, y}, {x + sample_width(*series), y}};
        sample.points = false;
        curve(sample, path);
        if (series->points) point(*series, x + sample_width(*series) / 2, y);
        text(series->label, x + sample_width(*series) + 6, y + 0.35 * kTextSize, kTextSize,
             Align::kLeft);
        x += entry_width(*series);
      }
      top += kLegendLine;
    }
    return top;
  }

  const Figure& figure_;
  cairo_t* cr_;
  std::vector<Layout> layouts_;  // of the panels
  struct {
    double left = 0, right = 0, top = 0, bottom = 0;
  } box_;  // between the axes of the panel that is being drawn
};

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) noexcept {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(closure);
  try {
    bytes.insert(bytes.end(), data, data + length);
  } catch (const std::exception&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

/// A page for the figure, width x height points; what a vector format writes goes to `bytes`.
Surface make_page(const Figure& figure, PictureFormat format, double width, double height,
                  std::vector<std::uint8_t>& bytes) {
  switch (format) {
    case PictureFormat::kPdf:
      return checked(cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
    case PictureFormat::kSvg:
      return checked(cairo_svg_surface_create_for_stream(append, &bytes, width, height));
    case PictureFormat::kPng:
      break;
  }
  const auto pixels = [&](double points) {
    return static_cast<int>(std::ceil(points * figure.pixels_per_point));
  };
  Surface page =
      checked(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)));
  cairo_surface_set_device_scale(page.get(), figure.pixels_per_point, figure.pixels_per_point);
  return page;
}

}  // namespace

PictureFormat picture_format(const std::string& option, const std::string& path) {
  for (const auto& [ending, format] : {std::pair{".png", PictureFormat::kPng},
                                       {".pdf", PictureFormat::kPdf},
                                       {".svg", PictureFormat::kSvg}})
    if (path.ends_with(ending)) return format;
  throw UsageError(fmt::format("{}: '{}' does not end in .png, .pdf or .svg, the formats there are",
                               option, excerpt(path)));
}

std::vector<std::uint8_t> draw_picture(const Figure& figure, PictureFormat format) {
  if (figure.panels.empty()) throw UsageError("a picture needs at least one panel");
  for (const Panel& panel : figure.panels)
    if (panel.image &&
        (panel.image->pixels.empty() ||
         panel.image->pixels.size() != std::size_t{panel.image->rows} * panel.image->cols))
      throw UsageError(fmt::format("an image of {} x {} pixels cannot have {}", panel.image->rows,
                                   panel.image->cols, panel.image->pixels.size()));
  // How large the page is depends on the widths of texts, which takes a page to find out.
  std::vector<std::uint8_t> discarded;  // outlives the surface, which writes to it at its end
  const Surface sketch = make_page(figure, format, 1, 1, discarded);
  const Context sketch_context(cairo_create(sketch.get()));
  Drawing measured(figure, sketch_context.get());
  std::vector<std::uint8_t> bytes;
  const Surface page =
      make_page(figure, format, measured.page_width(), measured.page_height(), bytes);
  {
    const Context context(cairo_create(page.get()));
    Drawing(figure, context.get()).draw();
    check(cairo_status(context.get()));
  }
  if (format == PictureFormat::kPng)
    check(cairo_surface_write_to_png_stream(page.get(), append, &bytes));
  cairo_surface_finish(page.get());
  check(cairo_surface_status(page.get()));
  return bytes;
}

}  // namespace grundy
