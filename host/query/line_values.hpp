// The values that the moves from one position reach.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/dataset/reader.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// The values on the row, the column and the diagonal of a position (x,y), up to it.
struct LineValues {
  std::uint32_t own = 0;
  std::vector<std::uint32_t> row;       // G(x,j), j < y
  std::vector<std::uint32_t> column;    // G(i,y), i < x
  std::vector<std::uint32_t> diagonal;  // G(x-t,y-t) at index t-1
};

/// Computes the table up to the position. Throws UsageError for one that is too large.
LineValues compute_line_values(const Rule& rule, Position position);

/// Reads them out of a table file. Throws UsageError for a position outside the table, IoError for
/// a table that is not complete or cannot be read.
LineValues read_line_values(const DatasetReader& reader, Position position);

}  // namespace grundy
