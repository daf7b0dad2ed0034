// Tiles of a Grundy table: the lines of a table, where its tiles are, and how one is computed.
#pragma once

#include <cstdint>
#include <optional>

#include "grundy/game/position.hpp"
#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/line_set.hpp"
#include "grundy/kernels/terminal_view.hpp"

namespace grundy {

/// The line sets of one table. Rows and columns of a symmetric table are the same lines.
/// Does not own its memory.
struct TableLines {
  LineWord* const* rows = nullptr;       // by x
  LineWord* const* columns = nullptr;    // by y
  LineWord* const* diagonals = nullptr;  // by y - x + main_diagonal
  std::uint64_t main_diagonal = 0;
  std::uint64_t summary_words = 0;

  [[nodiscard]] GRUNDY_HD GRUNDY_ALWAYS_INLINE CellLines through(std::uint64_t x,
                                                                 std::uint64_t y) const {
    return {rows[x], columns[y], diagonals[y + main_diagonal - x]};
  }
};

/// A rectangle of cells: x0 <= x < x1, y0 <= y < y1.
struct TileBounds {
  std::uint64_t x0, x1, y0, y1;
};

/// How a table is cut into square tiles. With `upper_half` only the cells y >= x are computed
/// (those below are their mirror images), and tiles wholly below the main diagonal are left out.
struct TileGrid {
  Extent extent;
  std::uint64_t side = 1;
  bool upper_half = false;

  [[nodiscard]] GRUNDY_HD std::uint64_t tile_rows() const {
    const std::uint64_t rows = (extent.rows + side - 1) / side;
    const std::uint64_t cols = tile_cols();
    return upper_half && cols < rows ? cols : rows;
  }
  [[nodiscard]] GRUNDY_HD std::uint64_t tile_cols() const {
    return (extent.cols + side - 1) / side;
  }
  /// The first tile column of tile row i that holds cells to compute.
  [[nodiscard]] GRUNDY_HD std::uint64_t first_tile_col(std::uint64_t i) const {
    return upper_half ? i : 0;
  }
  [[nodiscard]] GRUNDY_HD TileBounds tile(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t x1 = (i + 1) * side;
    const std::uint64_t y1 = (j + 1) * side;
    return {i * side, x1 < extent.rows ? x1 : extent.rows, j * side,
            y1 < extent.cols ? y1 : extent.cols};
  }
};

/// The value of cell (x,y), which is not terminal, entered on its lines. `from_column`: search from
/// the hint of the column instead of the row's. Either gives the same value; above the main
/// diagonal the row is the fuller line, so its search is shorter, below it the column.
GRUNDY_HD GRUNDY_ALWAYS_INLINE std::uint32_t compute_open_cell(const TableLines& table,
                                                               std::uint64_t x, std::uint64_t y,
                                                               bool from_column) {
  const CellLines lines = table.through(x, y);
  CellInPlace cell(lines, table.summary_words);
  const LineWord* fullest = from_column ? lines.column : lines.row;
  return solve_cell(cell, fullest[table.summary_words]);
}

/// The value of any cell, entered on its lines.
GRUNDY_HD inline std::uint32_t compute_cell(const TableLines& table, const TerminalView& terminals,
                                            std::uint64_t x, std::uint64_t y) {
  if (!terminals.contains(x, y)) return compute_open_cell(table, x, y, y < x);
  CellInPlace cell(table.through(x, y), table.summary_words);
  enter_terminal_cell(cell);
  return 0;
}

/// Computes a tile cell by cell, in rows within strips of columns; of a tile on the main diagonal
/// of an upper half, only the cells y >= x. values[i * stride + j] becomes the value of cell
/// (x0+i, y0+j). By value, so that the compiler sees that nothing it stores to changes them.
inline void compute_tile(TableLines table, TerminalView terminals, bool upper_half, TileBounds tile,
                         std::uint32_t* values, std::uint64_t stride) {
  // The words in use of 32 columns' and as many diagonals' lines fit a first-level cache.
  constexpr std::uint64_t kStrip = 32;
  const bool on_diagonal = upper_half && tile.x0 == tile.y0;
  const auto for_each_cell = [=](auto compute) {
    for (std::uint64_t strip = tile.y0; strip < tile.y1; strip += kStrip) {
      const std::uint64_t end = tile.y1 - strip < kStrip ? tile.y1 : strip + kStrip;
      for (std::uint64_t x = tile.x0; x < tile.x1; ++x) {
        std::uint32_t* row_values = values + (x - tile.x0) * stride;
        for (std::uint64_t y = on_diagonal && strip < x ? x : strip; y < end; ++y)
          row_values[y - tile.y0] = compute(x, y);
      }
    }
  };
  using Coordinate = std::uint64_t;
  // Three loops, since what does not change within a tile is not worth a decision for each cell.
  if (terminals.may_meet(tile.x0, tile.y0))
    for_each_cell([=](Coordinate x, Coordinate y) { return compute_cell(table, terminals, x, y); });
  else if (tile.y1 <= tile.x0)
    for_each_cell([=](Coordinate x, Coordinate y) { return compute_open_cell(table, x, y, true); });
  else
    for_each_cell(
        [=](Coordinate x, Coordinate y) { return compute_open_cell(table, x, y, false); });
}

/// Enters the values of a tile that are known already, where compute_tile would compute them.
/// Returns the first cell whose value cannot be right: larger than x+y, or used on one of its
/// lines; a terminal cell's, if it is not 0. What has been entered until then stays.
inline std::optional<Position> enter_tile(const TableLines& table, const TerminalView& terminals,
                                          bool upper_half, const TileBounds& tile,
                                          const std::uint32_t* values, std::uint64_t stride) {
  for (std::uint64_t x = tile.x0; x < tile.x1; ++x) {
    const std::uint64_t first = upper_half && x > tile.y0 ? x : tile.y0;
    for (std::uint64_t y = first; y < tile.y1; ++y) {
      const std::uint64_t value = values[(x - tile.x0) * stride + y - tile.y0];
      CellInPlace cell(table.through(x, y), table.summary_words);
      if (terminals.contains(x, y)) {
        if (value != 0) return Position{x, y};
        enter_terminal_cell(cell);
        continue;
      }
      const LineWord bit = LineWord{1} << value % 64;
      if (value > x + y || (cell.used_values(value / 64) & bit) != 0) return Position{x, y};
      cell.use(value / 64, bit);
    }
  }
  return std::nullopt;
}

}  // namespace grundy
