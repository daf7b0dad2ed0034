// Pictures of tables and of sets of positions. In all of them x grows downwards and y to the right,
// as rows and columns of a table do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grundy/game/rule.hpp"
#include "grundy/levels/level_equivalence.hpp"
#include "grundy/report/block_means.hpp"
#include "grundy/report/figure.hpp"

namespace grundy {

struct PictureOptions {
  static constexpr unsigned kLeastPixels = 100;
  static constexpr unsigned kMostPixels = 4096;

  unsigned pixels = 1080;            // of the longer side between the axes, at most
  std::optional<std::string> title;  // none: one that says what is shown; empty: no title
};

/// How a region becomes the pixels of an image: a block of cells each, or a cell many.
struct PictureGrid {
  BlockGrid blocks;
  Extent pixels;  // each block, one of the two sides 1 at least

  [[nodiscard]] std::uint64_t width() const { return blocks.cols() * pixels.cols; }
  [[nodiscard]] std::uint64_t height() const { return blocks.rows() * pixels.rows; }
};

/// Square blocks, as small as fit; of a region that is very much longer than wide the blocks are
/// longer, so that the image is at most kLongestShape times as long as wide.
PictureGrid picture_grid(const Region& region, unsigned pixels);
inline constexpr unsigned kLongestShape = 6;

struct TablePicture {
  Rule rule = Rule::classic();
  CellNumber number = CellNumber::kValue;
  bool mark_zeros = false;
};

/// The least and the greatest mean; the colours may begin lower, at 0, and end higher.
struct MeanRange {
  double low = 0;
  double high = 0;
};
MeanRange range_of(const BlockMeans& means);

/// The image of a region whose cells have all come; `range` is that of the means.
Figure draw_table(const BlockMeans& means, MeanRange range, const PictureGrid& grid,
                  const TablePicture& what, const PictureOptions& options);

/// The most positions that a picture shows one by one.
inline constexpr std::uint64_t kMostPictured = 200'000;

/// The P-positions with x, y < limit of up to kMostPicturedRules rules, and the lines y = phi x and
/// x = phi y. Throws UsageError when that is too many rules or positions.
Figure draw_p_positions(const std::vector<Rule>& rules, std::uint64_t limit,
                        const PictureOptions& options);
inline constexpr std::size_t kMostPicturedRules = 4;

/// The positions with x, y < limit and values 0 ... levels - 1. Throws UsageError unless
/// 1 <= levels <= kFigureStyles, and for too many positions.
Figure draw_levels(const Rule& rule, std::uint64_t levels, std::uint64_t limit,
                   const PictureOptions& options);

/// The positions that only one of the two sets has, G = 1 under the rule and the classic
/// P-positions, as compare_levels has found them for x, y < limit. Logarithmic axes show exceptions
/// of very different size, but none with x = 0 or y = 0. Throws UsageError for too many exceptions.
Figure draw_exceptions(const Rule& rule, std::uint64_t limit, const Equivalence& ones,
                       const PictureOptions& options, Scale scale = Scale::kLinear);

}  // namespace grundy
