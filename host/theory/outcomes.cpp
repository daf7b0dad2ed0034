#include "grundy/theory/outcomes.hpp"

#include <stdexcept>

namespace grundy {

OutcomeScan::OutcomeScan(const Rule& rule, const Extent& extent, Play play, unsigned heaps)
    : rule_(rule),
      extent_(extent),
      play_(play),
      heaps_(heaps),
      column_has_p_(heaps * extent.cols),
      diagonal_has_p_(heaps * (extent.rows + extent.cols)),
      is_p_(heaps * extent.cols) {
  if (heaps == 0 || (heaps > 1 && play == Play::kMisere))
    throw std::invalid_argument("outcomes of no heap, or of heaps under misere play");
}

const std::vector<std::uint8_t>& OutcomeScan::next_row() {
  const std::uint64_t x = x_++;
  std::vector<std::uint8_t> row_has_p(heaps_);
  for (std::uint64_t y = 0; y < extent_.cols; ++y) {
    const bool terminal = rule_.is_terminal({x, y});
    bool lower_heap_is_p = false;
    for (unsigned z = 0; z < heaps_; ++z) {
      std::uint8_t& column = column_has_p_[z * extent_.cols + y];
      std::uint8_t& diagonal =
          diagonal_has_p_[z * (extent_.rows + extent_.cols) + (extent_.rows + y - x)];
      const bool moves_to_p = !terminal && (row_has_p[z] | column | diagonal) != 0;
      const bool is_p = !lower_heap_is_p && !moves_to_p && !(terminal && play_ == Play::kMisere);
      is_p_[z * extent_.cols + y] = is_p ? 1 : 0;
      if (!is_p) continue;
      row_has_p[z] = column = diagonal = 1;
      lower_heap_is_p = true;
    }
  }
  return is_p_;
}

}  // namespace grundy
