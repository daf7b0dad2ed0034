// Sets of positions that a closed form describes: where to move to in Wythoff's game and its
// extended variant, at coordinates that no table reaches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grundy/game/play.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// A set of positions that holds (y,x) with (x,y): a few small ones, and from some diagonal on
/// exactly one position (low,high) on each diagonal high - low = d, and its mirror image.
///
/// Arguments (coordinates, diagonals) are below 2^62; larger ones throw std::out_of_range. Integer
/// arithmetic only, exact. Each look-up takes O(log) time.
class ClosedFormSet {
 public:
  /// P-positions of classic Wythoff: (floor(n*phi), floor(n*phi^2)), n >= 0.
  /// Source: W. A. Wythoff, A modification of the game of nim, 1907.
  static const ClosedFormSet& classic_p();

  /// P-positions of the game with terminal set x+y <= 2: (0,0), (1,1), and the pairs described at
  /// extended_shift. The published summary of this result leaves out (1,1), which is terminal and
  /// so has Grundy value 0; the pairs n = 0, 1 are the other terminal positions.
  static const ClosedFormSet& extended_p();

  /// Misere P-positions of classic Wythoff: (0,1) and (2,2) in place of (0,0) and (1,2).
  static const ClosedFormSet& classic_misere_p();

  /// Positions with Grundy value 1 of the game with terminal set x+y <= 2, which are its misere
  /// P-positions too: where x >= 8 or y >= 8 those of classic_p(), and seven below.
  static const ClosedFormSet& extended_ones();

  [[nodiscard]] bool contains(Position p) const;

  /// All y with (x,y) in the set, ascending: for classic_p() the one partner of x, OEIS A002251.
  /// By symmetry also all positions in column x.
  [[nodiscard]] std::vector<std::uint64_t> in_row(std::uint64_t x) const;

  /// All positions (low,high) in the set with high - low = d, ascending.
  [[nodiscard]] std::vector<Position> on_diagonal(std::uint64_t d) const;

  /// All positions of the set that one move from p reaches, in order of (x,y). Terminal positions
  /// are not known here: from those there is no move.
  [[nodiscard]] std::vector<Position> reachable_from(Position p) const;

  /// All positions inside extent, in order of (x,y). Evaluates O(min(rows, cols)) closed forms.
  [[nodiscard]] std::vector<Position> inside(const Extent& extent) const;

  /// The positions (low,high) off the closed form, in order of low.
  [[nodiscard]] const std::vector<Position>& small() const { return small_; }
  /// The least d that has a position by the closed form.
  [[nodiscard]] std::uint64_t first_diagonal() const { return first_diagonal_; }
  /// The position (low,high) by the closed form with high - low = d >= first_diagonal(). Neither
  /// coordinate falls as d grows.
  [[nodiscard]] Position pair(std::uint64_t d) const { return pair_(d); }
  /// The n in the closed form of p, or none: p is a small position, or not in the set.
  [[nodiscard]] std::optional<std::uint64_t> index(Position p) const;

 private:
  using Pair = Position (*)(std::uint64_t d);

  ClosedFormSet(std::vector<Position> small, std::uint64_t first_diagonal, std::uint64_t shift,
                Pair pair);

  std::vector<Position> small_;
  std::uint64_t first_diagonal_;
  std::uint64_t shift_;  // index n lies on diagonal n + shift_
  Pair pair_;
};

/// The closed form of the positions with Grundy value `value` (normal play), or of the misere
/// P-positions (value 0); null where none is known.
const ClosedFormSet* closed_form(const Rule& rule, Play play, std::uint64_t value);

}  // namespace grundy
