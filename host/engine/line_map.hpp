// Where each line set of a table lies in one block of words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/kernels/tile.hpp"

namespace grundy {

/// The place of every line set. A line is wide enough for its values, G(x,y) <= x+y: about
/// 3 N^2 bits for a symmetric table of side N, where rows and columns share their lines, and
/// 6 N^2 bits otherwise. The size is known before anything is allocated.
///
/// `stride` is that of the lines (line_set.hpp): so many neighbouring lines, as wide as the widest
/// of them, lie side by side word by word. For a symmetric table only the cells y >= x are
/// computed, and rows <= cols is required.
class LineMap {
 public:
  /// Words of the block that holds all lines.
  static std::uint64_t words_needed(const Extent& extent, bool symmetric, std::uint64_t stride);

  /// The block and the map itself, in bytes.
  static std::uint64_t bytes_needed(const Extent& extent, bool symmetric, std::uint64_t stride);

  /// Lays the lines out in `words`, a zeroed block of words_needed() words aligned to a cache line.
  /// The block is not touched: it may be device memory.
  LineMap(const Extent& extent, bool symmetric, std::uint64_t stride, LineWord* words);

  /// Valid while this map lives.
  [[nodiscard]] TableLines lines() const {
    return {rows_.data(), columns_.empty() ? rows_.data() : columns_.data(), diagonals_.data(),
            main_diagonal_, summary_words_};
  }
  /// The tables behind lines(), for copying them elsewhere; no columns: the rows' lines serve.
  [[nodiscard]] std::span<LineWord* const> row_lines() const { return rows_; }
  [[nodiscard]] std::span<LineWord* const> column_lines() const { return columns_; }
  [[nodiscard]] std::span<LineWord* const> diagonal_lines() const { return diagonals_; }

 private:
  std::vector<LineWord*> rows_;
  std::vector<LineWord*> columns_;  // empty: the rows' lines serve
  std::vector<LineWord*> diagonals_;
  std::uint64_t main_diagonal_;
  std::uint64_t summary_words_;
};

}  // namespace grundy
