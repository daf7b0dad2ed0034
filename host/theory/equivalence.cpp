#include "grundy/theory/equivalence.hpp"

#include <algorithm>
#include <iterator>

namespace grundy {

void Equivalence::add_exception(const Position& p, std::size_t most_listed) {
  ++exception_count;
  const std::uint64_t reached = std::max(p.x, p.y) + 1;
  if (reached > threshold || (reached == threshold && p < *last)) {
    threshold = reached;
    last = p;
  }
  if (exceptions.size() < most_listed) exceptions.push_back(p);
}

void Equivalence::finish(std::uint64_t range) {
  std::sort(exceptions.begin(), exceptions.end());
  holds = threshold <= range / 2;
}

Equivalence compare_with_classic_p(const std::vector<Position>& positions,
                                   const std::vector<Position>& classic_p, const Extent& extent) {
  std::vector<Position> exceptions;
  std::set_symmetric_difference(positions.begin(), positions.end(), classic_p.begin(),
                                classic_p.end(), std::back_inserter(exceptions));
  Equivalence result;
  result.positions = positions.size();
  for (const Position& p : exceptions) result.add_exception(p, exceptions.size());
  result.finish(std::max(extent.rows, extent.cols));
  return result;
}

}  // namespace grundy
