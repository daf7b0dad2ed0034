#include "grundy/engine/bitset_engine.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/memory.hpp"
#include "grundy/game/limits.hpp"

namespace grundy {
namespace {

/// Words of each bit set: values are at most rows + cols - 2.
std::uint64_t set_words(const Extent& extent) { return (extent.rows + extent.cols - 1 + 63) / 64; }

/// Sets of all columns and all diagonals; that of the row is used again for each row.
std::uint64_t sets(const Extent& extent) { return extent.rows + 2 * extent.cols - 1; }

}  // namespace

std::uint64_t BitsetEngine::bytes_needed(const Rule& /*rule*/, const Extent& extent) const {
  const std::uint64_t words = saturating_sum({sets(extent), 1});
  return saturating_sum(
      {saturating_bytes(words, 8 * set_words(extent)), saturating_bytes(extent.cols, 4)});
}

bool BitsetEngine::compute(const Rule& rule, const Extent& extent, TileSink& sink,
                           std::stop_token stop) {
  check_extent(extent);
  const auto [rows, cols] = extent;
  require_memory(fmt::format("a table of {} x {} positions by the bitset engine", rows, cols),
                 bytes_needed(rule, extent));
  const std::uint64_t words = set_words(extent);
  const MappedWords used = map_zeroed_words(sets(extent) * words);
  std::uint64_t* const columns = used.get();
  std::uint64_t* const diagonals = columns + cols * words;
  std::vector<std::uint64_t> row(words);
  std::vector<std::uint32_t> values(cols);
  for (std::uint64_t x = 0; x < rows; ++x) {
    if (stop.stop_requested()) return false;
    std::fill(row.begin(), row.end(), 0);
    for (std::uint64_t y = 0; y < cols; ++y) {
      std::uint64_t* const column = columns + y * words;
      std::uint64_t* const diagonal = diagonals + (y + rows - 1 - x) * words;
      std::uint64_t word = 0;
      std::uint64_t free = 1;  // of a terminal cell: value 0
      if (!rule.is_terminal({x, y}))
        while ((free = ~(row[word] | column[word] | diagonal[word])) == 0) ++word;
      const std::uint64_t bit = free & (~free + 1);
      row[word] |= bit;
      column[word] |= bit;
      diagonal[word] |= bit;
      values[y] =
          static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bit));
    }
    sink.consume({{x, 0, 1, static_cast<std::uint32_t>(cols), values.data(),
                   static_cast<std::ptrdiff_t>(cols), 1},
                  {}});
  }
  return true;
}

}  // namespace grundy
