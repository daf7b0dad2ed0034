#include "grundy/engine/line_map.hpp"

#include <algorithm>

namespace grundy {
namespace {

/// The widths of consecutive lines, each one value wider or narrower than the one before.
struct Run {
  std::uint64_t first;
  std::uint64_t last;
};

/// Calls row(run), column(run) and diagonal(run) for every line, in order. A line's width is the
/// number of values 0, 1, ... that its cells can have: one more than the largest x+y on it.
template <typename Row, typename Column, typename Diagonal>
void for_each_line_run(const Extent& extent, bool symmetric, Row row, Column column,
                       Diagonal diagonal) {
  const auto [rows, cols] = extent;
  if (symmetric) {
    // Line k is column k for x < min(k+1, rows), then, if k < rows, row k for y > k.
    row(Run{cols, cols + rows - 1});
    if (cols > rows) row(Run{2 * rows, cols + rows - 1});
  } else {
    row(Run{cols, cols + rows - 1});
    column(Run{rows, rows + cols - 1});
    // Below the main diagonal, the lowest first: those that end in the last row, then, in a tall
    // table, those that end in the last column.
    if (rows > 1) diagonal(Run{rows, 2 * rows - 1 - (rows > cols ? rows - cols : 1)});
    if (rows > cols + 1) diagonal(Run{rows + cols - 2, 2 * cols});
  }
  // From the main diagonal on: in a wide table those that end in the last row, then the others.
  if (cols >= rows) diagonal(Run{2 * rows - 1, rows + cols - 1});
  if (rows > 1) diagonal(Run{cols >= rows ? rows + cols - 2 : 2 * cols - 1, cols});
}

/// Summary words of every line: enough for the widest, a diagonal or line through the last cell.
std::uint64_t summary_words(const Extent& extent) {
  return summary_words_for(extent.rows + extent.cols - 1);
}

/// Words from one group of `stride` lines to the next; `values` is the width of the widest. An odd
/// number of cache lines, since groups a power of two apart would compete for the same places in a
/// cache.
std::uint64_t group_words(std::uint64_t stride, std::uint64_t summary_words, std::uint64_t values) {
  const std::uint64_t cache_lines = (stride * line_words(summary_words, values) + 7) / 8;
  return (cache_lines | 1) * 8;
}

/// Words of `groups` groups of lines, each `stride` values wider than the one before.
std::uint64_t words_of_groups(std::uint64_t stride, std::uint64_t summary_words,
                              std::uint64_t least_values, std::uint64_t groups) {
  std::uint64_t words = 0;
  // By blocks of groups with equally many words, so that a far too large table is refused at once.
  for (std::uint64_t values = least_values; groups > 0;) {
    const std::uint64_t alike = std::min(groups, (63 - (values - 1) % 64) / stride + 1);
    words += alike * group_words(stride, summary_words, values);
    values += alike * stride;
    groups -= alike;
  }
  return words;
}

}  // namespace

std::uint64_t LineMap::words_needed(const Extent& extent, bool symmetric, std::uint64_t stride) {
  const std::uint64_t summary = summary_words(extent);
  std::uint64_t words = 0;
  const auto add = [&](const Run& run) {
    const auto [least, most] = std::minmax(run.first, run.last);
    const std::uint64_t lines = most - least + 1;
    if (run.first < run.last) {
      words += words_of_groups(stride, summary, least + stride - 1, lines / stride);
      if (lines % stride != 0) words += group_words(stride, summary, most);
    } else {
      const std::uint64_t groups = (lines + stride - 1) / stride;
      words += words_of_groups(stride, summary, most - (groups - 1) * stride, groups);
    }
  };
  for_each_line_run(extent, symmetric, add, add, add);
  return words;
}

std::uint64_t LineMap::bytes_needed(const Extent& extent, bool symmetric, std::uint64_t stride) {
  const std::uint64_t lines = symmetric ? 2 * extent.cols : 2 * (extent.rows + extent.cols) - 1;
  return 8 * (words_needed(extent, symmetric, stride) + lines);
}

LineMap::LineMap(const Extent& extent, bool symmetric, std::uint64_t stride, LineWord* words)
    : main_diagonal_(symmetric ? 0 : extent.rows - 1), summary_words_(summary_words(extent)) {
  rows_.reserve(symmetric ? extent.cols : extent.rows);
  columns_.reserve(symmetric ? 0 : extent.cols);
  diagonals_.reserve(extent.cols + main_diagonal_);
  const auto place_in = [&](std::vector<LineWord*>& lines) {
    return [&](const Run& run) {
      const auto [least, most] = std::minmax(run.first, run.last);
      const std::uint64_t count = most - least + 1;
      for (std::uint64_t first = 0; first < count; first += stride) {
        const std::uint64_t last = std::min(first + stride, count);
        const std::uint64_t widest = run.first < run.last ? least + last - 1 : most - first;
        for (std::uint64_t i = 0; i < last - first; ++i)
          lines.push_back(words + i + stride * (summary_words_ + 1));
        words += group_words(stride, summary_words_, widest);
      }
    };
  };
  for_each_line_run(extent, symmetric, place_in(rows_), place_in(columns_), place_in(diagonals_));
}

}  // namespace grundy
