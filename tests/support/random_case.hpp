// Random rules and extents: the same ones on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "grundy/game/rule.hpp"

namespace grundy::support {

class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : random_(seed) {}

  /// 0 <= number < limit; not by a standard distribution, which differs between libraries.
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  /// low <= number <= high
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }
  bool coin() { return below(2) == 0; }

  /// Triangles, scattered cells, and triangles with holes and further cells; at most 40 listed
  /// cells with coordinates up to 30, and symmetric about every other time.
  Rule rule() {
    if (below(5) == 0) return Rule::triangle(below(13));
    std::vector<Position> cells;
    if (coin()) {
      const std::uint64_t k = below(5);
      for (std::uint64_t x = 0; x <= k; ++x)
        for (std::uint64_t y = 0; x + y <= k; ++y)
          if (below(6) != 0) cells.push_back({x, y});
    }
    const std::uint64_t reach = between(1, 31);
    const std::uint64_t count = below(41 - cells.size());
    for (std::uint64_t i = 0; i < count; ++i) cells.push_back({below(reach), below(reach)});
    if (coin()) mirror(cells);
    return Rule::cells(std::move(cells));
  }

  Extent extent(std::uint64_t longest_side) {
    return {between(1, longest_side), between(1, longest_side)};
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  std::mt19937_64& generator() { return random_; }

 private:
  /// Makes the list symmetric and keeps it at 40 cells or fewer.
  static void mirror(std::vector<Position>& cells) {
    cells.resize(std::min<std::size_t>(cells.size(), 20));
    for (std::size_t i = cells.size(); i-- > 0;) cells.push_back({cells[i].y, cells[i].x});
  }

  std::mt19937_64 random_;
};

}  // namespace grundy::support
