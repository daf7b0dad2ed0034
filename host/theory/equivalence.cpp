#include "grundy/theory/equivalence.hpp"

#include <algorithm>
#include <iterator>

namespace grundy {

Equivalence compare_with_classic_p(const std::vector<Position>& positions,
                                   const std::vector<Position>& classic_p, const Extent& extent) {
  Equivalence result;
  std::set_symmetric_difference(positions.begin(), positions.end(), classic_p.begin(),
                                classic_p.end(), std::back_inserter(result.exceptions));
  for (const Position& p : result.exceptions)
    result.threshold = std::max({result.threshold, p.x + 1, p.y + 1});
  result.holds = result.threshold <= std::max(extent.rows, extent.cols) / 2;
  return result;
}

}  // namespace grundy
