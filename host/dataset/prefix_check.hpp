// The mex property of a table, checked cell by cell. For verification only: nothing here is shared
// with the engines, on purpose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// The values on the part of one line that has been read; values are below the given width.
class PrefixSet {
 public:
  explicit PrefixSet(std::uint64_t width) : words_(width / 64 + 1) {}

  [[nodiscard]] bool contains(std::uint64_t value) const {
    return (words_[value / 64] >> value % 64 & 1) != 0;
  }
  void insert(std::uint64_t value) {
    words_[value / 64] |= std::uint64_t{1} << value % 64;
    while (contains(complete_below_)) ++complete_below_;
  }

  /// Every value below this is in the set.
  [[nodiscard]] std::uint64_t complete_below() const { return complete_below_; }

  /// 64 values from 64 * index on, as bits.
  [[nodiscard]] std::uint64_t word(std::uint64_t index) const { return words_[index]; }

 private:
  std::vector<std::uint64_t> words_;  // one bit more than the width, so that one is always free
  std::uint64_t complete_below_ = 0;
};

/// Reads a table row by row and says for each cell whether its value is what the definition
/// demands of it, given the cells before: 0 for a terminal cell, otherwise absent from the values
/// before it on its row, column and diagonal, which hold every smaller value.
class PrefixCheck {
 public:
  PrefixCheck(const Rule& rule, const Extent& extent);

  /// Memory that checking a table takes, in bytes: about 0.6 N^2 for a square of side N.
  static std::uint64_t bytes_needed(const Extent& extent);

  struct Failure {
    Position cell;
    std::string reason;
  };

  /// The first cell of row x that fails; the rows come in order, and none after a failure.
  std::optional<Failure> check_row(std::uint64_t x, std::span<const std::uint32_t> values);

 private:
  [[nodiscard]] std::optional<std::string> check_cell(Position cell, std::uint32_t value,
                                                      const PrefixSet& row) const;
  [[nodiscard]] std::size_t diagonal_index(Position cell) const {
    return cell.y + extent_.rows - 1 - cell.x;
  }

  Rule rule_;
  Extent extent_;
  std::vector<PrefixSet> columns_;
  std::vector<PrefixSet> diagonals_;
};

}  // namespace grundy
