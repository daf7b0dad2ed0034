// The statement "G(x,y) = 1 exactly where classic Wythoff has a P-position", and the like for other
// sets, on a finite range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grundy/game/position.hpp"

namespace grundy {

/// A set of positions compared with the classic P-positions.
struct Equivalence {
  std::uint64_t positions = 0;        // in the set
  std::uint64_t exception_count = 0;  // positions in one of the two sets only
  /// The exceptions, in order of (x,y) once finished: all, or as many as are to be listed.
  std::vector<Position> exceptions;
  /// Smallest t such that the sets agree wherever x >= t or y >= t, as far as looked.
  std::uint64_t threshold = 0;
  /// The first exception with a coordinate threshold - 1; none where there is no exception.
  std::optional<Position> last;
  /// Whether the exceptions have stopped: none has a coordinate in the last half of the range.
  bool holds = false;

  /// One more exception, in any order; it is listed unless `most_listed` are.
  void add_exception(const Position& p, std::size_t most_listed);
  /// After the last one: all coordinates are below `range`.
  void finish(std::uint64_t range);
};

/// Compares a set of positions, as those with G = 1 of some rule, with the classic P-positions,
/// both in order of (x,y), inside `extent`.
Equivalence compare_with_classic_p(const std::vector<Position>& positions,
                                   const std::vector<Position>& classic_p, const Extent& extent);

}  // namespace grundy
