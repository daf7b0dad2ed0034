// What level sets say about one position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grundy/game/play.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

struct LevelTargets {
  /// The value of the position, if it is at most the value looked for. Under misere play 0 stands
  /// for a P-position.
  std::optional<std::uint64_t> value;
  /// The positions of the value looked for that one move reaches, in order of (x,y).
  std::vector<Position> positions;
};

/// Looks from position `from`, which is not terminal, for positions of `value`, or for misere
/// P-positions (value 0). Takes time in proportion to (coordinate + 1) * (value + 1). Throws
/// UsageError for a value above 63.
LevelTargets find_by_levels(const Rule& rule, Play play, Position from, std::uint64_t value);

}  // namespace grundy
