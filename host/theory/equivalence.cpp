#include "grundy/theory/equivalence.hpp"

#include <algorithm>
#include <iterator>

namespace grundy {

Equivalence compare_with_classic_p(const std::vector<Position>& positions,
                                   const std::vector<Position>& classic_p, const Extent& extent) {
  Equivalence result;
  std::set_symmetric_difference(positions.begin(), positions.end(), classic_p.begin(),
                                classic_p.end(), std::back_inserter(result.exceptions));
  for (const Position& p : result.exceptions) {
    const std::uint64_t threshold = std::max(p.x, p.y) + 1;
    if (threshold <= result.threshold) continue;
    result.threshold = threshold;
    result.last = p;
  }
  result.holds = result.threshold <= std::max(extent.rows, extent.cols) / 2;
  return result;
}

}  // namespace grundy
