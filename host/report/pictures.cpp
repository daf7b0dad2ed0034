#include "grundy/report/pictures.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/levels/level_cells.hpp"
#include "grundy/theory/closed_form_set.hpp"

namespace grundy {
namespace {

constexpr double kPlotSide = 360;  // points, between the axes
// Of zeros: values around them are small and their colours dark, which it stands out from.
constexpr Colour kMark{1, 96 / 255.0, 32 / 255.0};
constexpr Colour kGuide{0.72, 0.72, 0.72};
constexpr Colour kBoth{0.35, 0.35, 0.35};
constexpr const char* kDownwards = "x (downwards)";
constexpr const char* kRightwards = "y";

std::string rule_text(const Rule& rule) { return excerpt(rule.name()); }

/// As large as `pixels` fit at the usual size of the text, which is not made smaller than legible.
double pixels_per_point(unsigned pixels) { return std::max(1.0, pixels / kPlotSide); }

Axis coordinates(const char* label, double first, double end) {
  return {label, Scale::kLinear, first - 0.5, end - 0.5, false, true};
}

/// Where logarithmic axes begin: a little below 1.
constexpr double kLogLow = 0.8;

/// A square panel of the positions with x, y < limit.
Figure square_figure(std::uint64_t limit, const PictureOptions& options, const std::string& title,
                     Scale scale = Scale::kLinear) {
  Figure figure;
  figure.title = options.title.value_or(title);
  figure.pixels_per_point = pixels_per_point(options.pixels);
  const double side = options.pixels / figure.pixels_per_point;
  const auto end = static_cast<double>(limit);
  Axis down = coordinates(kDownwards, 0, end);
  Axis right = coordinates(kRightwards, 0, end);
  if (scale == Scale::kLog) {
    down = {kDownwards, scale, kLogLow, end};
    right = {kRightwards, scale, kLogLow, end};
  }
  down.reversed = true;
  figure.panels.push_back({"", right, down, {}});
  figure.panels.back().plot_width = side;
  figure.panels.back().plot_height = side;
  return figure;
}

/// Points that leave neighbouring positions apart, where there is room for that.
Series points(const std::string& label, unsigned style, std::uint64_t limit) {
  Series series;
  series.label = label;
  series.style = style;
  series.line = false;
  series.radius = std::clamp(0.4 * kPlotSide / static_cast<double>(limit), 0.5, 3.5);
  return series;
}

void add(Series& series, const Position& p) {
  series.x.push_back(static_cast<double>(p.y));
  series.y.push_back(static_cast<double>(p.x));
}

/// A line through the positions (x,y), which need not be whole.
Series guide(const std::string& label, std::vector<double> x, std::vector<double> y) {
  Series series;
  series.label = label;
  series.x = std::move(y);
  series.y = std::move(x);
  series.points = false;
  series.line_width = 0.9;
  series.colour = kGuide;
  return series;
}

void add_golden_lines(Figure& figure, std::uint64_t limit, Scale scale = Scale::kLinear) {
  const double first = scale == Scale::kLog ? kLogLow / std::numbers::phi : 0;
  const auto last = static_cast<double>(limit);
  const std::vector<double> less{first, last};
  const std::vector<double> more{first * std::numbers::phi, last * std::numbers::phi};
  figure.panels.back().series.push_back(guide("y = φx and x = φy", less, more));
  figure.panels.back().series.push_back(guide("", more, less));
}

void check_pictured(std::uint64_t limit, std::uint64_t sets) {
  if (limit > kMostPictured / sets)
    throw UsageError(
        fmt::format("--limit: {} is too large for a picture with a point for each position; at "
                    "most {} here",
                    limit, kMostPictured / sets));
}

/// Calls visit(cell) for the positions of values 0 ... last. `pictured` counts those of a picture,
/// which terminal cells may make many more than a row has otherwise.
template <typename Visit>
void for_each_level_cell(const Rule& rule, unsigned last, std::uint64_t limit,
                         std::uint64_t& pictured, Visit visit) {
  LevelCells cells(rule, 0, last, limit);
  for (const auto* some = &cells.next(); !some->empty(); some = &cells.next()) {
    pictured += some->size();
    if (pictured > kMostPictured)
      throw UsageError(fmt::format(
          "--limit: there are more than {} positions with x, y < {}, too many for a point each; "
          "take a smaller limit",
          kMostPictured, limit));
    for (const LevelCell& cell : *some) visit(cell);
  }
}

/// Blocks of a side, and pixels each, within `pixels`.
void fit_side(std::uint64_t side, std::uint64_t pixels, std::uint64_t& block,
              std::uint64_t& pixels_each) {
  block = (side + pixels - 1) / pixels;
  const std::uint64_t blocks = (side + block - 1) / block;
  pixels_each = pixels / blocks;
}

}  // namespace

PictureGrid picture_grid(const Region& region, unsigned pixels) {
  const auto& [rows, cols] = region.extent;
  std::uint64_t block = 0;
  std::uint64_t each = 0;
  fit_side(std::max(rows, cols), pixels, block, each);
  PictureGrid grid{{region, {block, block}}, {each, each}};
  const std::uint64_t least = std::max(1U, pixels / kLongestShape);
  if (grid.height() < least) fit_side(rows, least, grid.blocks.block.rows, grid.pixels.rows);
  if (grid.width() < least) fit_side(cols, least, grid.blocks.block.cols, grid.pixels.cols);
  return grid;
}

MeanRange range_of(const BlockMeans& means) {
  MeanRange range{std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity()};
  for (std::uint64_t i = 0; i < means.grid().rows(); ++i) {
    for (std::uint64_t j = 0; j < means.grid().cols(); ++j) {
      range.low = std::min(range.low, means.mean(i, j));
      range.high = std::max(range.high, means.mean(i, j));
    }
  }
  return range;
}

Figure draw_table(const BlockMeans& means, MeanRange range, const PictureGrid& grid,
                  const TablePicture& what, const PictureOptions& options) {
  const BlockGrid& blocks = grid.blocks;
  if (what.number == CellNumber::kValue && range.low < range.high / 4) range.low = 0;
  // A picture of one colour has a bar too.
  if (range.high <= range.low) range.high = range.low + 1;
  Image image{static_cast<std::uint32_t>(blocks.rows()), static_cast<std::uint32_t>(blocks.cols())};
  image.pixels.reserve(blocks.rows() * blocks.cols());
  for (std::uint64_t i = 0; i < blocks.rows(); ++i)
    for (std::uint64_t j = 0; j < blocks.cols(); ++j)
      image.pixels.push_back(to_rgb24(
          what.mark_zeros && means.has_zero(i, j)
              ? kMark
              : sequential_colour((means.mean(i, j) - range.low) / (range.high - range.low))));

  const bool one_cell = blocks.block == Extent{1, 1};
  const char* number = what.number == CellNumber::kValue ? "G(x,y)" : "G(x,y) − max(x,y)";
  const std::string of_cells =
      fmt::format("mean of {} × {} cells", blocks.block.rows, blocks.block.cols);
  Figure figure;
  figure.title = options.title.value_or(
      fmt::format("{}, {}", what.number == CellNumber::kValue ? "Grundy values" : number,
                  rule_text(what.rule)));
  figure.pixels_per_point = pixels_per_point(options.pixels);
  const auto axis = [&](const char* label, std::uint64_t first, std::uint64_t cells) {
    return coordinates(label, static_cast<double>(first), static_cast<double>(first + cells));
  };
  // To the end of the last block, though it may have fewer cells.
  Axis down = axis(kDownwards, blocks.region.x0, blocks.rows() * blocks.block.rows);
  down.reversed = true;
  Panel panel{"", axis(kRightwards, blocks.region.y0, blocks.cols() * blocks.block.cols), down, {}};
  panel.image = std::move(image);
  panel.bar = {one_cell ? number : fmt::format("{}, {}", number, of_cells), range.low, range.high};
  panel.plot_width = static_cast<double>(grid.width()) / figure.pixels_per_point;
  panel.plot_height = static_cast<double>(grid.height()) / figure.pixels_per_point;
  if (what.mark_zeros) {
    Series mark;
    mark.label = one_cell ? "G(x,y) = 0" : "block with a cell G(x,y) = 0";
    mark.style = 1;  // a square
    mark.line = false;
    mark.colour = kMark;
    panel.series.push_back(mark);
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

Figure draw_p_positions(const std::vector<Rule>& rules, std::uint64_t limit,
                        const PictureOptions& options) {
  if (rules.size() > kMostPicturedRules)
    throw UsageError(fmt::format("--rule: P-positions of {} rules; a picture shows at most {}",
                                 rules.size(), kMostPicturedRules));
  check_pictured(limit, rules.size());
  std::uint64_t pictured = 0;
  std::string names;
  for (const Rule& rule : rules) names += (names.empty() ? "" : " and ") + rule_text(rule);
  Figure figure = square_figure(limit, options, "P-positions of " + names);
  add_golden_lines(figure, limit);
  // The first on top; the others are hollow and larger, so that what several have shows them all.
  for (std::size_t k = rules.size(); k-- > 0;) {
    Series series = points(rule_text(rules[k]), static_cast<unsigned>(k), limit);
    series.radius *= 0.8 + 0.3 * static_cast<double>(k);
    series.dashed = k > 0;
    for_each_level_cell(rules[k], 0, limit, pictured,
                        [&](const LevelCell& cell) { add(series, cell.position); });
    figure.panels.back().series.push_back(std::move(series));
  }
  return figure;
}

Figure draw_levels(const Rule& rule, std::uint64_t levels, std::uint64_t limit,
                   const PictureOptions& options) {
  if (levels == 0 || levels > kFigureStyles)
    throw UsageError(fmt::format(
        "--levels: a picture shows the first 1 to {} values, as many as there are colours that "
        "everybody can tell apart; not {}",
        kFigureStyles, levels));
  check_pictured(limit, levels);
  Figure figure =
      square_figure(limit, options, fmt::format("Positions of small values, {}", rule_text(rule)));
  auto& series = figure.panels.back().series;
  const auto count = static_cast<unsigned>(levels);
  constexpr unsigned kShapes = 4;  // the same ones again are hollow
  for (unsigned v = 0; v < count; ++v) {
    series.push_back(points(fmt::format("G = {}", v), v, limit));
    series.back().dashed = v >= kShapes;
  }
  std::uint64_t pictured = 0;
  for_each_level_cell(rule, count - 1, limit, pictured,
                      [&](const LevelCell& cell) { add(series[cell.value], cell.position); });
  return figure;
}

Figure draw_exceptions(const Rule& rule, std::uint64_t limit, const Equivalence& ones,
                       const PictureOptions& options, Scale scale) {
  if (ones.exception_count > kMostPictured)
    throw UsageError(
        fmt::format("--limit: there are {} exceptions where x, y < {}; a picture "
                    "shows at most {}",
                    ones.exception_count, limit, kMostPictured));
  constexpr std::uint64_t kMostInDetail = 2000;  // further on the positions of both are two lines
  const ClosedFormSet& classic = ClosedFormSet::classic_p();
  const std::string name = rule_text(rule);
  Figure figure = square_figure(
      limit, options, fmt::format("G = 1 of {} against the P-positions of classic", name), scale);
  const auto threshold = static_cast<double>(ones.threshold);
  const double low = scale == Scale::kLog ? kLogLow : -0.5;
  figure.note =
      ones.holds
          ? fmt::format("The two sets are equal wherever x ≥ {0} or y ≥ {0}, as far as x, y < {1}.",
                        ones.threshold, limit)
          : fmt::format("The exceptions do not stop before x, y < {}; there are {}.", limit,
                        ones.exception_count);
  if (scale == Scale::kLog) figure.note += " Those with x = 0 or y = 0 are left out.";
  add_golden_lines(figure, limit, scale);
  auto& series = figure.panels.back().series;
  if (ones.holds && ones.threshold > 0) {
    series.push_back(guide(fmt::format("x, y < {}", ones.threshold),
                           {low, threshold - 0.5, threshold - 0.5},
                           {threshold - 0.5, threshold - 0.5, low}));
    series.back().dashed = true;
    series.back().colour = kBoth;
  }
  Series both = points("both", 0, limit);
  both.colour = kBoth;
  Series one = points(fmt::format("G = 1 of {} only", name), 1, limit);
  Series p = points("P of classic only", 3, limit);
  for (Series* few : {&one, &p}) few->radius = std::max(few->radius, 2.0);
  one.radius *= 1.3;  // seen behind the other kind, where two of them are neighbours
  one.dashed = true;
  for (const Position& exception : ones.exceptions)
    add(classic.contains(exception) ? p : one, exception);
  if (limit <= kMostInDetail) {
    for (const Position& position : classic.inside({limit, limit}))
      if (!std::binary_search(ones.exceptions.begin(), ones.exceptions.end(), position))
        add(both, position);
    series.push_back(both);
  }
  series.push_back(one);
  series.push_back(p);
  return figure;
}

}  // namespace grundy
