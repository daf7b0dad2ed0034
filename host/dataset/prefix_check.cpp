#include "grundy/dataset/prefix_check.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace grundy {

PrefixCheck::PrefixCheck(const Rule& rule, const Extent& extent) : rule_(rule), extent_(extent) {
  const auto [rows, cols] = extent;
  // A line is as wide as the largest x+y on it, and one more.
  columns_.reserve(cols);
  for (std::uint64_t y = 0; y < cols; ++y) columns_.emplace_back(rows + y);
  diagonals_.reserve(rows + cols - 1);
  for (std::uint64_t below = rows - 1; below > 0; --below)
    diagonals_.emplace_back(2 * std::min(cols, rows - below) + below - 1);
  for (std::uint64_t above = 0; above < cols; ++above)
    diagonals_.emplace_back(2 * std::min(rows, cols - above) + above - 1);
}

std::uint64_t PrefixCheck::bytes_needed(const Extent& extent) {
  // In floating point: the numbers of bits of the largest extents do not fit 64 bits.
  const auto rows = static_cast<double>(extent.rows);
  const auto cols = static_cast<double>(extent.cols);
  const double shorter = std::min(rows, cols);
  const double longer = std::max(rows, cols);
  const double column_bits = cols * (rows + cols / 2);
  // From the corner the widths rise to 2 * shorter, on to rows + cols, and fall to `longer`.
  const double diagonal_bits = shorter * 1.5 * shorter +
                               (longer - shorter) * (1.5 * shorter + longer / 2) +
                               shorter * (longer + shorter / 2);
  const double lines = rows + 2 * cols;
  return static_cast<std::uint64_t>((column_bits + diagonal_bits) / 8 +
                                    lines * (sizeof(PrefixSet) + 24));
}

std::optional<PrefixCheck::Failure> PrefixCheck::check_row(std::uint64_t x,
                                                           std::span<const std::uint32_t> values) {
  PrefixSet row(x + extent_.cols);
  for (std::uint64_t y = 0; y < values.size(); ++y) {
    const Position cell{x, y};
    const std::uint32_t value = values[y];
    if (auto reason = check_cell(cell, value, row)) return Failure{cell, std::move(*reason)};
    row.insert(value);
    columns_[y].insert(value);
    diagonals_[diagonal_index(cell)].insert(value);
  }
  return std::nullopt;
}

std::optional<std::string> PrefixCheck::check_cell(Position cell, std::uint32_t value,
                                                   const PrefixSet& row) const {
  if (rule_.is_terminal(cell)) {
    if (value == 0) return std::nullopt;
    return fmt::format("terminal, so 0, but {} is stored", value);
  }
  if (value > cell.x + cell.y)
    return fmt::format("{} is stored, more than x+y = {}", value, cell.x + cell.y);
  const PrefixSet& column = columns_[cell.y];
  const PrefixSet& diagonal = diagonals_[diagonal_index(cell)];
  for (const auto& [line, name] :
       {std::pair{&row, "row"}, std::pair{&column, "column"}, std::pair{&diagonal, "diagonal"}})
    if (line->contains(value))
      return fmt::format("{} is stored, but an option on its {} has that value too", value, name);
  // What is missing below `value`, from the first value that no single line is known to cover.
  std::uint64_t v =
      std::max({row.complete_below(), column.complete_below(), diagonal.complete_below()});
  while (v < value) {
    const std::uint64_t index = v / 64;
    const std::uint64_t missing =
        ~(row.word(index) | column.word(index) | diagonal.word(index)) >> v % 64;
    if (missing == 0) {
      v = (index + 1) * 64;
      continue;
    }
    v += static_cast<std::uint64_t>(std::countr_zero(missing));
    if (v < value)
      return fmt::format("{} is stored, but no option has the smaller value {}", value, v);
  }
  return std::nullopt;
}

}  // namespace grundy
