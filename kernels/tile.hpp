// Tiles of a Grundy table: the lines of a table, where its tiles are, and how one is computed.
#pragma once

#include <algorithm>
#include <cstddef>
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
/// diagonal the row is the fuller line, so its search is shorter, below it the column. Host only.
GRUNDY_ALWAYS_INLINE std::uint32_t compute_open_cell(const TableLines& table, std::uint64_t x,
                                                     std::uint64_t y, bool from_column) {
  const CellLines lines = table.through(x, y);
  CellInPlace cell(lines);
  return solve_cell(cell, hint_of(from_column ? lines.column : lines.row));
}

/// The value of any cell, entered on its lines. Host only.
inline std::uint32_t compute_cell(const TableLines& table, const TerminalView& terminals,
                                  std::uint64_t x, std::uint64_t y) {
  if (!terminals.contains(x, y)) return compute_open_cell(table, x, y, y < x);
  CellInPlace cell(table.through(x, y));
  enter_terminal_cell(cell);
  return 0;
}

/// Columns, or rows, that a tile is computed in at a time: the words in use of 64 columns' and as
/// many diagonals' lines fit a first-level cache.
inline constexpr std::uint64_t kTileStrip = 64;

/// Runs that share what is known of their lines before they are computed.
inline constexpr std::uint64_t kRunBlock = 64;

/// compute_run() along row `line`, through columns first <= k < last, or with `kDown` along column
/// `line`, through these rows.
template <bool kDown, typename Meanwhile>
inline void compute_run_of(const TableLines& table, std::uint64_t line, std::uint64_t first,
                           std::uint64_t last, std::uint32_t* out, std::ptrdiff_t out_step,
                           const CoveredWords& covered, Meanwhile& meanwhile) {
  LineWord* const* const along = kDown ? table.columns : table.rows;
  LineWord* const* const across = kDown ? table.rows : table.columns;
  const std::uint64_t diagonal = table.main_diagonal + (kDown ? line - first : first - line);
  compute_run<kDown>(along[line], across + first, table.diagonals + diagonal,
                     static_cast<std::ptrdiff_t>(last - first), out, out_step, line + first,
                     covered, meanwhile);
}

/// The runs of a tile without terminal cells, in an order in which they can be computed: in strips
/// of columns, row by row in each (`kDown` false), or in strips of rows, column by column. Calls
/// compute(line, first, last, covered) for the run along row (or column) `line` that crosses
/// columns (or rows) first <= k < last; with `upper_half`, some of its cells may be left of the
/// main diagonal.
template <bool kDown, typename Compute>
inline void for_each_run(const TableLines& table, bool upper_half, const TileBounds& tile,
                         Compute compute) {
  const auto [begin, end, across_begin, across_end] =
      kDown ? TileBounds{tile.y0, tile.y1, tile.x0, tile.x1} : tile;
  LineWord* const* const along = kDown ? table.columns : table.rows;
  LineWord* const* const across = kDown ? table.rows : table.columns;
  CoveredWords covered;
  for (std::uint64_t first = across_begin; first < across_end; first += kTileStrip) {
    const std::uint64_t last = std::min(first + kTileStrip, across_end);
    for (std::uint64_t block = begin; block < end; block += kRunBlock) {
      const std::uint64_t block_end = std::min(block + kRunBlock, end);
      const std::uint64_t windows = (block_end - 1 + last - 1) / kSummaryValues + 1;
      if (upper_half && first < block_end) {
        covered.find_nothing(windows);
      } else {
        std::uint64_t hint = hint_of(along[block]);
        for (std::uint64_t line = block + 1; line < block_end; ++line)
          hint = std::min(hint, hint_of(along[line]));
        // y - x is least in the last row and the first column.
        const std::uint64_t least = kDown ? block + table.main_diagonal - (last - 1)
                                          : first + table.main_diagonal - (block_end - 1);
        covered.find({across + first, last - first},
                     {table.diagonals + least, (last - first) + (block_end - block) - 1}, hint,
                     windows);
      }
      for (std::uint64_t line = block; line < block_end; ++line)
        compute(line, first, last, covered);
    }
  }
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
    for_each_run<true>(table, false, tile, [&](auto y, auto first, auto last, const auto& covered) {
      compute_run_of<true>(table, y, first, last, value(first, y),
                           static_cast<std::ptrdiff_t>(stride), covered, nothing);
    });
  } else {
    for_each_run<false>(
        table, on_diagonal, tile, [&](auto x, auto first, auto last, const auto& covered) {
          std::uint64_t y = on_diagonal && first < x ? x : first;
          // On the main diagonal of a symmetric table the row is the column.
          if (on_diagonal && y == x && y < last) {
            *value(x, y) = compute_open_cell(table, x, y, false);
            ++y;
          }
          if (y < last) compute_run_of<false>(table, x, y, last, value(x, y), 1, covered, nothing);
        });
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
      CellInPlace cell(table.through(x, y));
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
