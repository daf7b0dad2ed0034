// The positions of small values as lists: by level sets, and out of a table of values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/play.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/levels/level_stream.hpp"

namespace grundy::support {

/// x, y, value
using LevelCell = std::tuple<std::uint64_t, std::uint64_t, unsigned>;

/// All non-terminal positions of a stream, mirrors of a symmetric rule included, sorted.
inline std::vector<LevelCell> stream_cells(const Rule& rule, Play play, unsigned levels,
                                           std::uint64_t limit) {
  LevelStream stream(rule, play, levels, limit);
  std::vector<LevelCell> cells;
  while (!stream.done()) {
    const LevelSteps& steps = stream.next();
    EXPECT_EQ(steps.right.size(), levels);
    EXPECT_EQ(steps.down.size(), rule.symmetric() ? 0 : levels);
    for (unsigned v = 0; v < levels; ++v) {
      for (std::uint64_t i = 0; i < steps.count; ++i) {
        const std::uint64_t s = steps.first + i;
        const std::uint64_t y = steps.right[v][i];
        if (y != LevelSteps::kNone) cells.emplace_back(s, y, v);
        if (y != LevelSteps::kNone && rule.symmetric() && y != s) cells.emplace_back(y, s, v);
        if (!rule.symmetric() && steps.down[v][i] != LevelSteps::kNone)
          cells.emplace_back(steps.down[v][i], s, v);
      }
    }
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

/// The same out of values[x][y].
template <typename Values>
std::vector<LevelCell> table_cells(const Rule& rule, const Values& values, unsigned levels,
                                   std::uint64_t limit) {
  std::vector<LevelCell> cells;
  for (std::uint64_t x = 0; x < limit; ++x)
    for (std::uint64_t y = 0; y < limit; ++y)
      if (values(x, y) < levels && !rule.is_terminal({x, y}))
        cells.emplace_back(x, y, values(x, y));
  return cells;
}

}  // namespace grundy::support
