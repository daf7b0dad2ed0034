#include "grundy/query/line_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grundy/engine/engine.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

LineValues sized_for(Position p) {
  LineValues lines;
  lines.row.resize(p.y);
  lines.column.resize(p.x);
  lines.diagonal.resize(std::min(p.x, p.y));
  return lines;
}

/// Keeps what lies on the three lines. Tiles share no cell, so threads share no element.
class LineSink final : public TileSink {
 public:
  explicit LineSink(Position p) : p_(p), lines_(sized_for(p)) {}

  void consume(const FinishedTile& tile) override {
    for_each_view(tile, [this](const TileView& view) {
      for (std::uint32_t i = 0; i < view.rows; ++i) {
        const std::uint64_t x = view.x0 + i;
        if (x == p_.x) {
          for (std::uint32_t j = 0; j < view.cols; ++j)
            if (view.y0 + j < p_.y) lines_.row[view.y0 + j] = view.at(i, j);
        }
        keep(view, i, p_.y);
        if (x < p_.x && p_.y >= p_.x - x) keep(view, i, p_.y - (p_.x - x));
      }
    });
  }

  [[nodiscard]] LineValues take() { return std::move(lines_); }

 private:
  /// Cell (view.x0 + i, y), on the column or the diagonal.
  void keep(const TileView& view, std::uint32_t i, std::uint64_t y) {
    if (y < view.y0 || y >= view.y0 + view.cols) return;
    const std::uint64_t x = view.x0 + i;
    const std::uint32_t value = view.at(i, static_cast<std::uint32_t>(y - view.y0));
    if (Position{x, y} == p_) {
      lines_.own = value;
    } else if (y == p_.y) {
      lines_.column[x] = value;
    } else {
      lines_.diagonal[p_.x - x - 1] = value;
    }
  }

  Position p_;
  LineValues lines_;
};

}  // namespace

LineValues compute_line_values(const Rule& rule, Position position) {
  LineSink sink(position);
  // Without a stop token the table is complete.
  (void)make_engine("cpu", {})->compute(rule, {position.x + 1, position.y + 1}, sink, {});
  return sink.take();
}

LineValues read_line_values(const DatasetReader& reader, Position position) {
  const auto [x, y] = position;
  const Extent& extent = reader.info().extent;
  reader.require_whole_table();
  if (!extent.contains(position))
    throw UsageError(fmt::format("{}: ({},{}) lies outside the table of {} x {} positions",
                                 reader.path(), x, y, extent.rows, extent.cols));
  LineValues lines = sized_for(position);
  reader.read({x, y, {1, 1}}, &lines.own);
  if (y > 0) reader.read({x, 0, {1, y}}, lines.row.data());
  if (x > 0) reader.read({0, y, {x, 1}}, lines.column.data());
  // The diagonal block by block: reading single cells would decompress a chunk for each.
  constexpr std::uint64_t kSide = 256;
  std::vector<std::uint32_t> block(kSide * kSide);
  for (std::uint64_t t = 1; t <= lines.diagonal.size(); t += kSide) {
    const std::uint64_t side = std::min(kSide, lines.diagonal.size() - t + 1);
    reader.read({x - t - side + 1, y - t - side + 1, {side, side}}, block.data());
    for (std::uint64_t k = 0; k < side; ++k)
      lines.diagonal[t - 1 + k] = block[(side - 1 - k) * (side + 1)];
  }
  return lines;
}

}  // namespace grundy
