// Grundy values by definition, written unlike anything in the product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "grundy/game/position.hpp"

namespace grundy::support {

/// Values by x, then y. `terminal` lists every terminal position, (0,0) included.
using ValueTable = std::vector<std::vector<std::uint32_t>>;

inline ValueTable values_by_definition(const std::vector<Position>& terminal,
                                       const Extent& extent) {
  const std::set<Position> is_terminal(terminal.begin(), terminal.end());
  ValueTable value(extent.rows, std::vector<std::uint32_t>(extent.cols));
  std::vector<std::uint32_t> options;
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = 0; y < extent.cols; ++y) {
      if (is_terminal.contains({x, y})) continue;
      options.clear();
      for (std::uint64_t i = 0; i < x; ++i) options.push_back(value[i][y]);
      for (std::uint64_t j = 0; j < y; ++j) options.push_back(value[x][j]);
      for (std::uint64_t i = x, j = y; i > 0 && j > 0;) options.push_back(value[--i][--j]);
      std::sort(options.begin(), options.end());
      for (const std::uint32_t option : options) value[x][y] += option == value[x][y] ? 1 : 0;
    }
  }
  return value;
}

/// Misere P-positions in order of (x,y): a terminal position counts as N; any other is P when no
/// move reaches a P-position.
inline std::vector<Position> misere_p_by_definition(const std::vector<Position>& terminal,
                                                    const Extent& extent) {
  const std::set<Position> is_terminal(terminal.begin(), terminal.end());
  std::set<Position> is_p;
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = 0; y < extent.cols; ++y) {
      bool reaches_p = false;
      for (const Position& p : is_p)
        reaches_p = reaches_p || (p.x == x) || (p.y == y) || (p.x <= x && p.y - p.x == y - x);
      if (!reaches_p && !is_terminal.contains({x, y})) is_p.insert({x, y});
    }
  }
  return {is_p.begin(), is_p.end()};
}

}  // namespace grundy::support
