// The statement "G(x,y) = 1 exactly where classic Wythoff has a P-position", and the like for the
// P-positions of misere play, on squares that no table could fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/theory/equivalence.hpp"

namespace grundy {

struct LevelEquivalence {
  /// Of the exceptions of a set as many are listed, the first found; all are counted.
  static constexpr std::size_t kMostListed = 1'000'000;

  Equivalence ones;    // G = 1 under the rule
  Equivalence misere;  // P-positions of misere play under the rule
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
