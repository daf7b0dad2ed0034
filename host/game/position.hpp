// Positions of queen games: what a table is indexed by, and how large it is.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace grundy {

/// A position (x,y): x is the table row, y the table column.
struct Position {
  std::uint64_t x = 0;
  std::uint64_t y = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

/// A table of rows x cols positions: 0 <= x < rows, 0 <= y < cols.
struct Extent {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;

  friend bool operator==(const Extent&, const Extent&) = default;

  [[nodiscard]] bool contains(Position p) const { return p.x < rows && p.y < cols; }

  /// Only for extents that check_extent (game/limits.hpp) has accepted: no overflow check here.
  [[nodiscard]] std::uint64_t cells() const { return rows * cols; }
};

/// A part of a table: the positions x0 <= x < x0+rows, y0 <= y < y0+cols.
struct Region {
  std::uint64_t x0 = 0;
  std::uint64_t y0 = 0;
  Extent extent;

  friend bool operator==(const Region&, const Region&) = default;

  [[nodiscard]] std::uint64_t x1() const { return x0 + extent.rows; }
  [[nodiscard]] std::uint64_t y1() const { return y0 + extent.cols; }
  [[nodiscard]] bool empty() const { return extent.rows == 0 || extent.cols == 0; }
  /// The mirror images of its positions.
  [[nodiscard]] Region transposed() const { return {y0, x0, {extent.cols, extent.rows}}; }
  [[nodiscard]] bool contains(Position p) const {
    return p.x >= x0 && p.x < x1() && p.y >= y0 && p.y < y1();
  }
  [[nodiscard]] bool contains(const Region& other) const {
    return other.x0 >= x0 && other.x1() <= x1() && other.y0 >= y0 && other.y1() <= y1();
  }
};

/// The positions that both have; where there are none, no rows or no columns.
inline Region intersection(const Region& a, const Region& b) {
  const std::uint64_t x0 = std::max(a.x0, b.x0);
  const std::uint64_t y0 = std::max(a.y0, b.y0);
  return {
      x0,
      y0,
      {std::max(x0, std::min(a.x1(), b.x1())) - x0, std::max(y0, std::min(a.y1(), b.y1())) - y0}};
}

}  // namespace grundy
