// Positions of queen games: what a table is indexed by, and how large it is.
#pragma once

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

}  // namespace grundy
