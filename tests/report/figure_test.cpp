#include "grundy/report/figure.hpp"

#include <algorithm>
#include <cairo.h>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

std::vector<std::uint8_t> draw_png(const Figure& figure) {
  return draw_picture(figure, PictureFormat::kPng);
}

Figure example() {
  Figure figure;
  figure.title = "Title";
  figure.note = "note";
  for (const Scale scale : {Scale::kLinear, Scale::kLog})
    figure.panels.push_back({"panel",
                             {"x", scale},
                             {"y", scale},
                             {{"a", {1, 2, 3}, {10, 20, 15}, 0}, {"b", {1, 3}, {12, 13}, 1}}});
  return figure;
}

std::uint32_t big_endian(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U |
         std::uint32_t{bytes[at + 2]} << 8U | bytes[at + 3];
}

TEST(DrawPng, GivesAPngOfThePanelsSideBySide) {
  const auto png = draw_png(example());
  ASSERT_GT(png.size(), 1000U);
  const std::vector<std::uint8_t> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  EXPECT_TRUE(std::equal(signature.begin(), signature.end(), png.begin()));
  EXPECT_EQ(big_endian(png, 16), 2U * 2 * 360);
  EXPECT_GT(big_endian(png, 20), 2U * 300);
}

TEST(DrawPng, DrawsTheSameTwice) { EXPECT_EQ(draw_png(example()), draw_png(example())); }

TEST(DrawPng, ShowsEverySeriesAndLabel) {
  const auto png = draw_png(example());
  Figure other = example();
  other.panels[0].series.pop_back();
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[1].series[0].y[1] += 1;
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[1].y.label = "z";
  EXPECT_NE(draw_png(other), png);
  other = example();
  other.panels[0].series[0].dashed = true;
  EXPECT_NE(draw_png(other), png);
}

TEST(DrawPng, LeavesOutWhatAnAxisCannotShow) {
  Figure figure = example();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (Panel& panel : figure.panels)
    panel.series[0] = {"a", {nan, 1, 2, infinity, 3}, {1, 10, 20, 3, 15}, 0};
  EXPECT_EQ(draw_png(figure), draw_png(example()));
  figure.panels[1].series[0] = {"a", {-1, 0, 1, 2, 3, 4}, {5, 6, 10, 20, 15, -1}, 0};
  EXPECT_EQ(draw_png(figure), draw_png(example()));
}

TEST(DrawPng, DrawsPanelsWithoutPointsOrWithOne) {
  Figure figure;
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    figure.panels.push_back({"", {"x", scale}, {"y", scale}, {}});
    figure.panels.push_back({"", {"x", scale}, {"y", scale}, {{"one", {5}, {5}, 3}}});
  }
  EXPECT_GT(draw_png(figure).size(), 1000U);
}

/// The pixels of a PNG file as Cairo reads it, 0xRRGGBB.
class Pixels {
 public:
  explicit Pixels(const std::vector<std::uint8_t>& png) {
    Source source{&png, 0};
    surface_.reset(cairo_image_surface_create_from_png_stream(read, &source));
    EXPECT_EQ(cairo_surface_status(surface_.get()), CAIRO_STATUS_SUCCESS);
    EXPECT_EQ(cairo_image_surface_get_format(surface_.get()), CAIRO_FORMAT_RGB24);
  }

  [[nodiscard]] int width() const { return cairo_image_surface_get_width(surface_.get()); }
  [[nodiscard]] int height() const { return cairo_image_surface_get_height(surface_.get()); }
  [[nodiscard]] std::uint32_t at(int row, int col) const {
    std::uint32_t pixel = 0;
    std::memcpy(&pixel,
                cairo_image_surface_get_data(surface_.get()) +
                    std::ptrdiff_t{row} * cairo_image_surface_get_stride(surface_.get()) +
                    std::ptrdiff_t{4} * col,
                sizeof pixel);
    return pixel & 0xffffffU;
  }
  /// Row and column of the first pixel of that colour; -1, -1 if there is none.
  [[nodiscard]] std::pair<int, int> find(std::uint32_t colour) const {
    for (int row = 0; row < height(); ++row)
      for (int col = 0; col < width(); ++col)
        if (at(row, col) == colour) return {row, col};
    return {-1, -1};
  }

 private:
  struct Source {
    const std::vector<std::uint8_t>* bytes;
    std::size_t at;
  };
  static cairo_status_t read(void* closure, unsigned char* data, unsigned length) {
    auto& source = *static_cast<Source*>(closure);
    if (source.bytes->size() - source.at < length) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, source.bytes->data() + source.at, length);
    source.at += length;
    return CAIRO_STATUS_SUCCESS;
  }
  struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
};

/// rows x cols pixels of different colours, each drawn as `each` x `each` pixels.
Figure image_figure(std::uint32_t rows, std::uint32_t cols, unsigned each, double scale) {
  Figure figure;
  figure.pixels_per_point = scale;
  Image image{rows, cols};
  for (std::uint32_t k = 0; k < rows * cols; ++k) image.pixels.push_back(0xa00000U + k);
  Panel panel{"", {"x"}, {"y"}, {}};
  panel.image = image;
  panel.bar = {"bar", 0, 1};
  panel.plot_width = cols * each / scale;
  panel.plot_height = rows * each / scale;
  figure.panels.push_back(panel);
  return figure;
}

TEST(DrawPng, ShowsEachPixelOfAnImageAsItIs) {
  for (const double scale : {1.0, 2.0, 3.0, 1.37}) {
    for (const unsigned each : {1U, 3U}) {
      SCOPED_TRACE(testing::Message() << "scale " << scale << ", each " << each);
      constexpr int kRows = 50;
      constexpr int kCols = 70;
      const Pixels pixels(draw_png(image_figure(kRows, kCols, each, scale)));
      const auto [top, left] = pixels.find(0xa00000U);
      ASSERT_GE(top, 0);
      const int side = static_cast<int>(each);
      for (int row = 0; row < kRows * side; ++row)
        for (int col = 0; col < kCols * side; ++col)
          ASSERT_EQ(pixels.at(top + row, left + col),
                    0xa00000U + static_cast<unsigned>(row / side * kCols + col / side))
              << row << " " << col;
    }
  }
}

TEST(DrawPng, ReversedAxesShowTheMirrorImage) {
  const Axis axis{"", Scale::kLinear, 0, 4};
  Series corner{"", {1}, {1}};
  corner.colour = {1, 0, 0};
  Figure figure;
  figure.panels.push_back({"", axis, axis, {corner}});
  for (const bool reversed : {false, true}) {
    figure.panels[0].y.reversed = reversed;
    const Pixels pixels(draw_png(figure));
    const int row = pixels.find(0xff0000U).first;
    ASSERT_GE(row, 0);
    EXPECT_EQ(row < pixels.height() / 2, reversed);
  }
}

TEST(DrawPng, TextsOfTicksDoNotTouch) {
  // The longest numbers there are, on the narrowest axis.
  Figure figure = image_figure(10, 10, 10, 1);
  for (Axis* axis : {&figure.panels[0].x, &figure.panels[0].y}) {
    axis->low = 4e9;
    axis->high = 4e9 + 100;
    axis->whole_numbers = true;
  }
  const Pixels wide(draw_png(figure));
  // Between the axis and its label, texts are runs of ink; a gap of a few pixels parts them.
  const auto [top, left] = wide.find(0xa00000U);
  const int bottom = top + 100;
  int longest = 0;
  int run = 0;
  int blank = 0;
  for (int col = 0; col < wide.width(); ++col) {
    bool ink = false;
    for (int row = bottom + 8; row < bottom + 17; ++row)
      ink = ink || wide.at(row, col) != 0xffffffU;
    blank = ink ? 0 : blank + 1;
    if (ink) ++run;
    if (blank > 4) run = 0;
    longest = std::max(longest, run);
  }
  EXPECT_GT(longest, 20);
  EXPECT_LT(longest, 80);  // one number of ten digits, not two
}

TEST(DrawPicture, GivesPdfAndSvg) {
  const auto pdf = draw_picture(example(), PictureFormat::kPdf);
  const std::string pdf_text(pdf.begin(), pdf.end());
  EXPECT_TRUE(pdf_text.starts_with("%PDF-"));
  EXPECT_NE(pdf_text.find("%%EOF"), std::string::npos);
  const auto svg = draw_picture(example(), PictureFormat::kSvg);
  const std::string svg_text(svg.begin(), svg.end());
  EXPECT_NE(svg_text.find("<svg"), std::string::npos);
  EXPECT_NE(svg_text.find("</svg>"), std::string::npos);
}

TEST(PictureFormat, IsTheEndingOfTheName) {
  EXPECT_EQ(picture_format("--output", "a/b.png"), PictureFormat::kPng);
  EXPECT_EQ(picture_format("--output", "b.png.pdf"), PictureFormat::kPdf);
  EXPECT_EQ(picture_format("--output", ".svg"), PictureFormat::kSvg);
  for (const char* name : {"", "png", "a.jpg", "a.png.partial", "a.PNG "})
    EXPECT_THROW(picture_format("--output", name), UsageError) << name;
}

TEST(DrawPng, RefusesWhatIsNoPicture) {
  EXPECT_THROW(draw_png({}), UsageError);
  Figure figure = example();
  figure.panels[0].x.low = 5;
  figure.panels[0].x.high = 5;
  EXPECT_THROW(draw_png(figure), UsageError);
  figure = image_figure(3, 4, 1, 1);
  figure.panels[0].image->pixels.pop_back();
  EXPECT_THROW(draw_png(figure), UsageError);
  figure.panels[0].image = Image{};
  EXPECT_THROW(draw_png(figure), UsageError);
  figure = image_figure(3, 4, 1, 1);
  figure.panels[0].bar->high = figure.panels[0].bar->low;
  EXPECT_THROW(draw_png(figure), UsageError);
}

}  // namespace
}  // namespace grundy
