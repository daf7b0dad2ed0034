// The statement "G(x,y) = 1 exactly where classic Wythoff has a P-position", and the like for the
// P-positions of misere play, on squares that no table could fill.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// A set of positions compared with the classic P-positions below a limit.
struct LevelComparison {
  std::uint64_t positions = 0;   // in the set
  std::uint64_t exceptions = 0;  // positions in one of the two sets only
  /// The exceptions in order of (x,y): all, unless there are more than kMostListed.
  std::vector<Position> listed;
  /// Smallest t such that the sets agree wherever x >= t or y >= t, below the limit.
  std::uint64_t threshold = 0;
  /// The first exception with a coordinate threshold - 1; none where there is no exception.
  std::optional<Position> last;
  /// Whether the exceptions have stopped: none has a coordinate in the last half of the range.
  bool holds = false;

  static constexpr std::size_t kMostListed = 1'000'000;
};

struct LevelEquivalence {
  LevelComparison ones;    // G = 1 under the rule
  LevelComparison misere;  // P-positions of misere play under the rule
  std::uint64_t classic_positions = 0;
  /// The first position found where the classic P-positions by definition are not those of the
  /// closed form, and where the rule's zeros are not those of theirs (if there is one). Both are
  /// mistakes of this program.
  std::optional<Position> classic_mistake;
  std::optional<Position> zeros_mistake;
  bool zeros_have_closed_form = false;
  bool interrupted = false;
};

/// Compares all positions with both coordinates below `limit`: the level sets of the rule, its
/// misere P-positions and the classic P-positions, each by definition, side by side. Calls
/// progress(steps) for the steps done, of `limit` in all. Throws UsageError for a limit of 0 or
/// from 2^62 on, and DeviceError when the memory does not suffice.
LevelEquivalence compare_levels(const Rule& rule, std::uint64_t limit,
                                const std::function<void(std::uint64_t)>& progress,
                                const std::stop_token& stop);

}  // namespace grundy
