// Who wins, by definition: cell by cell, with no use of Grundy values.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/game/play.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// Determines row by row which positions are P-positions: those from which no move leads to a
/// P-position. Terminal positions have no moves, so under normal play they are P-positions, while
/// under misere play they count as N.
///
/// Under normal play also for the sum with a Nim heap of z stones, z below a small number: a move
/// is then one in the game, from a position that is not terminal, or takes stones off the heap.
/// Takes O(1) time a cell and heap.
class OutcomeScan {
 public:
  /// Heaps of 0, ..., heaps-1 stones. Throws std::invalid_argument for no heaps, and for more than
  /// one under misere play, where a terminal position with a heap has no agreed meaning.
  OutcomeScan(const Rule& rule, const Extent& extent, Play play, unsigned heaps = 1);

  /// The next row x, from 0 on, of extent.rows: element z*cols + y is 1 when (x,y) with a heap of z
  /// is a P-position, else 0. Valid until the next call.
  const std::vector<std::uint8_t>& next_row();

 private:
  const Rule rule_;
  Extent extent_;
  Play play_;
  unsigned heaps_;
  std::uint64_t x_ = 0;
  // Whether the part of a line that has been seen holds a P-position, for each z.
  std::vector<std::uint8_t> column_has_p_;
  std::vector<std::uint8_t> diagonal_has_p_;
  std::vector<std::uint8_t> is_p_;
};

}  // namespace grundy
