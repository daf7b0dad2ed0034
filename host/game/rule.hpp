// The rule of a queen game: which positions are terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/kernels/terminal_view.hpp"

namespace grundy {

/// A terminal set T, and with it the game: a move lowers x, or y, or both by the same amount; a
/// position in T has no moves. (0,0) is always terminal.
///
/// T is kept as a triangle x+y <= k and a list of further cells, in a form that depends on the set
/// alone: rules with the same terminal positions compare equal and have the same name.
class Rule {
 public:
  /// Largest k of a triangle, and the most cells that a list may name.
  static constexpr std::uint64_t kMaxTriangle = 1U << 20U;
  static constexpr std::size_t kMaxCells = 4096;
  /// Coordinates of listed cells are below this (2^32): no table reaches further.
  static constexpr std::uint64_t kMaxCoordinate = std::uint64_t{1} << 32U;

  /// "classic", "extended", "triangle:K" or "cells:x,y;x,y;...". Throws UsageError that says what
  /// is wrong: unknown names, signs, overflow, empty or repeated cells, too many of them.
  static Rule parse(std::string_view text);

  static Rule classic() { return triangle(0); }
  static Rule extended() { return triangle(2); }
  /// T = {x+y <= k}; throws UsageError above kMaxTriangle.
  static Rule triangle(std::uint64_t k);
  /// T = the given cells and (0,0); throws UsageError for too many or too large ones.
  static Rule cells(std::vector<Position> cells);

  /// The canonical text of the rule: parse(name()) == *this.
  [[nodiscard]] std::string name() const;

  [[nodiscard]] bool is_terminal(Position p) const { return view().contains(p.x, p.y); }

  /// Whether (x,y) is terminal exactly when (y,x) is: then the table is symmetric too.
  [[nodiscard]] bool symmetric() const { return symmetric_; }

  /// How many positions are terminal.
  [[nodiscard]] std::uint64_t terminal_count() const {
    return corner_ * (corner_ + 1) / 2 + cells_.size();
  }
  /// All terminal positions in order of (x,y).
  [[nodiscard]] std::vector<Position> terminal_cells() const;

  /// For kernels; valid while this rule lives.
  [[nodiscard]] TerminalView view() const {
    return {corner_, cells_.data(), cells_.size(), bounds_};
  }

  friend bool operator==(const Rule& a, const Rule& b) {
    return a.corner_ == b.corner_ && a.cells_ == b.cells_;
  }

 private:
  Rule(std::uint64_t corner, std::vector<Position> cells);

  std::uint64_t corner_;         // all of x+y < corner_ is terminal, not all of x+y == corner_
  std::vector<Position> cells_;  // the terminal cells beyond that, sorted
  Extent bounds_;
  bool symmetric_ = true;
};

}  // namespace grundy
