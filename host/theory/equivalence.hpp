// The statement "G(x,y) = 1 exactly where classic Wythoff has a P-position", and the like for other
// sets, on a finite range.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grundy/game/position.hpp"

namespace grundy {

struct Equivalence {
  /// Positions in one of the two sets only, in order of (x,y).
  std::vector<Position> exceptions;
  /// Smallest t such that the sets agree wherever x >= t or y >= t, as far as looked.
  std::uint64_t threshold = 0;
  /// The first exception with a coordinate threshold - 1; none where there is no exception.
  std::optional<Position> last;
  /// Whether the exceptions have stopped: none has a coordinate in the last half of the range.
  bool holds = false;
};

/// Compares a set of positions, as those with G = 1 of some rule, with the classic P-positions,
/// both in order of (x,y), inside `extent`.
Equivalence compare_with_classic_p(const std::vector<Position>& positions,
                                   const std::vector<Position>& classic_p, const Extent& extent);

}  // namespace grundy
