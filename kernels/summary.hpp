// What one line says about a table: counts and the digest.
#pragma once

#include <cstdint>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/digest.hpp"

namespace grundy {

struct Summary {
  std::uint64_t cells = 0;
  std::uint64_t zeros = 0;  // cells of value 0
  std::uint64_t ones = 0;   // and of value 1
  std::uint32_t max_value = 0;
  std::uint64_t digest = 0;  // kernels/digest.hpp

  /// One more cell.
  GRUNDY_HD void add(std::uint64_t x, std::uint64_t y, std::uint32_t g) {
    ++cells;
    zeros += g == 0 ? 1U : 0U;
    ones += g == 1 ? 1U : 0U;
    if (max_value < g) max_value = g;
    digest += cell_digest(x, y, g);
  }

  /// The summary of two parts of a table.
  friend GRUNDY_HD Summary operator+(const Summary& a, const Summary& b) {
    return {a.cells + b.cells, a.zeros + b.zeros, a.ones + b.ones,
            a.max_value < b.max_value ? b.max_value : a.max_value, a.digest + b.digest};
  }

  friend bool operator==(const Summary&, const Summary&) = default;
};

}  // namespace grundy
