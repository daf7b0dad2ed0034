// Tiles of a Grundy table: the lines of a table, where its tiles are, and how one is computed.
#pragma once

#include <cstdint>
#include <optional>

#include "grundy/game/position.hpp"
#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/cell_run.hpp"
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

/// Columns, or rows, that a tile is computed in at a time: the words in use of 32 columns' and as
/// many diagonals' lines fit a first-level cache.
inline constexpr std::uint64_t kTileStrip = 32;

/// Where a strip ends that begins at `strip`, in a tile that ends at `end`.
constexpr std::uint64_t end_of_strip(std::uint64_t strip, std::uint64_t end) {
  return end - strip < kTileStrip ? end : strip + kTileStrip;
}

/// Computes a tile in strips of columns, row by row in each, or, where the columns are the fuller
/// lines, in strips of rows, column by column; of a tile on the main diagonal of an upper half,
/// only the cells y >= x. values[i * stride + j] becomes the value of cell (x0+i, y0+j). Host only.
inline void compute_tile(const TableLines& table, const TerminalView& terminals, bool upper_half,
                         const TileBounds& tile, std::uint32_t* values, std::uint64_t stride) {
  NothingMeanwhile nothing;
  const auto value = [&](std::uint64_t x, std::uint64_t y) {
    return values + (x - tile.x0) * stride + (y - tile.y0);
  };
  const bool on_diagonal = upper_half && tile.x0 == tile.y0;
  if (terminals.may_meet(tile.x0, tile.y0)) {
    for (std::uint64_t x = tile.x0; x < tile.x1; ++x)
      for (std::uint64_t y = on_diagonal ? x : tile.y0; y < tile.y1; ++y)
        *value(x, y) = compute_cell(table, terminals, x, y);
  } else if (tile.y1 <= tile.x0) {
    for (std::uint64_t strip = tile.x0; strip < tile.x1; strip += kTileStrip) {
      const std::uint64_t end = end_of_strip(strip, tile.x1);
      for (std::uint64_t y = tile.y0; y < tile.y1; ++y)
        compute_run<true>(table.columns[y], table.rows + strip,
                          table.diagonals + (y + table.main_diagonal - strip),
                          static_cast<std::ptrdiff_t>(end - strip), value(strip, y),
                          static_cast<std::ptrdiff_t>(stride), table.summary_words, strip + y,
                          nothing);
    }
  } else {
    for (std::uint64_t strip = tile.y0; strip < tile.y1; strip += kTileStrip) {
      const std::uint64_t end = end_of_strip(strip, tile.y1);
      for (std::uint64_t x = tile.x0; x < tile.x1; ++x) {
        std::uint64_t y = on_diagonal && strip < x ? x : strip;
        // On the main diagonal of a symmetric table the row is the column.
        if (on_diagonal && y == x && y < end) {
          *value(x, y) = compute_open_cell(table, x, y, false);
          ++y;
        }
        if (y < end)
          compute_run<false>(table.rows[x], table.columns + y,
                             table.diagonals + (y + table.main_diagonal - x),
                             static_cast<std::ptrdiff_t>(end - y), value(x, y), 1,
                             table.summary_words, x + y, nothing);
      }
    }
  }
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
