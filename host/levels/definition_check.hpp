// The level sets against outcomes by definition, on a square small enough for that.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

struct DefinitionCheck {
  static constexpr std::uint64_t kSide = 1000;
  static constexpr unsigned kHeaps = 4;

  std::uint64_t side = 0;
  /// The first position, in words, where one of these fails; none when it holds throughout:
  /// the sum of (x,y) with a Nim heap of z < kHeaps stones is a P-position exactly when G(x,y) = z;
  std::optional<std::string> sum_failure;
  /// the misere P-positions are those of the misere level set.
  std::optional<std::string> misere_failure;

  [[nodiscard]] bool holds() const { return !sum_failure && !misere_failure; }
};

/// Checks all x, y < min(limit, kSide). None when `stop` was requested before the end.
std::optional<DefinitionCheck> check_by_definition(const Rule& rule, std::uint64_t limit,
                                                   const std::stop_token& stop);

/// The misere P-positions inside extent, in order of (x,y), by level sets. None when `stop` was
/// requested before the end.
std::optional<std::vector<Position>> misere_p_positions(const Rule& rule, const Extent& extent,
                                                        const std::stop_token& stop);

}  // namespace grundy
