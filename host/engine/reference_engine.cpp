#include "grundy/engine/reference_engine.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/memory.hpp"
#include "grundy/game/limits.hpp"

namespace grundy {

std::uint64_t ReferenceEngine::bytes_needed(const Rule& /*rule*/, const Extent& extent) const {
  return saturating_bytes(extent.cells(), sizeof(std::uint32_t));
}

bool ReferenceEngine::compute(const Rule& rule, const Extent& extent, TileSink& sink,
                              std::stop_token stop) {
  check_extent(extent);
  const std::uint64_t rows = extent.rows;
  const std::uint64_t cols = extent.cols;
  require_memory(fmt::format("the whole table of {} x {} positions", rows, cols),
                 bytes_needed(rule, extent));
  std::vector<std::uint32_t> table(extent.cells());
  const auto value = [&](std::uint64_t x, std::uint64_t y) -> std::uint32_t& {
    return table[x * cols + y];
  };
  std::vector<bool> reached;
  for (std::uint64_t x = 0; x < rows; ++x) {
    if (stop.stop_requested()) return false;
    for (std::uint64_t y = 0; y < cols; ++y) {
      if (rule.is_terminal({x, y})) continue;  // value 0
      reached.assign(x + y + 1, false);        // G(x,y) <= x+y, and so are all values before it
      for (std::uint64_t t = 1; t <= x; ++t) reached[value(x - t, y)] = true;
      for (std::uint64_t t = 1; t <= y; ++t) reached[value(x, y - t)] = true;
      for (std::uint64_t t = 1; t <= std::min(x, y); ++t) reached[value(x - t, y - t)] = true;
      const auto mex = std::find(reached.begin(), reached.end(), false) - reached.begin();
      value(x, y) = static_cast<std::uint32_t>(mex);
    }
    sink.consume({{x, 0, 1, static_cast<std::uint32_t>(cols), &value(x, 0),
                   static_cast<std::ptrdiff_t>(cols), 1},
                  {}});
  }
  return true;
}

}  // namespace grundy
