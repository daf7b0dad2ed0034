// Positions of a table in an order, and their values piece by piece.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "grundy/dataset/cell_source.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

/// Positions in the order in which they are exported: a region row by row, or one of the orders in
/// which the OEIS reads tables. Each constructor takes the positions there are, `within`, and
/// throws UsageError when none of them is meant.
class Selection {
 public:
  enum class Order { kRegion, kRow, kColumn, kDiagonal, kAntidiagonals, kTriangle };

  static Selection region(const Region& within);
  /// x fixed.
  static Selection row(std::uint64_t x, const Region& within);
  /// y fixed.
  static Selection column(std::uint64_t y, const Region& within);
  /// y - x fixed.
  static Selection diagonal(std::int64_t difference, const Region& within);
  /// x + y = 0, 1, 2, ..., each from (0,s) to (s,0), as far as they lie within wholly; these have
  /// to begin at (0,0).
  static Selection antidiagonals(const Region& within);
  /// y <= x, row by row, as far as the rows lie within wholly; these have to begin at (0,0).
  static Selection triangle(const Region& within);

  /// Only the first of them. Throws UsageError when there are fewer, or for none.
  void limit(std::uint64_t cells);

  [[nodiscard]] Order order() const { return order_; }
  /// Whether they are numbered: all but those of a region.
  [[nodiscard]] bool is_sequence() const { return order_ != Order::kRegion; }
  /// A region that has them all; the smallest one, but that it may have a row or column more where
  /// the last line of anti-diagonals or of the triangle is not whole.
  [[nodiscard]] const Region& box() const { return box_; }
  [[nodiscard]] std::uint64_t cells() const { return cells_; }
  /// Number of the first one: y of a row, x of a column, the smaller of both of a diagonal; else 0.
  [[nodiscard]] std::uint64_t first_number() const;
  /// "G(5,n)", "G(n,n+2)", or "G(x,y) for (x,y) = (0,0), (0,1), (1,0), ...": the n-th value.
  [[nodiscard]] std::string term() const;

 private:
  Selection(Order order, const Region& box, std::uint64_t cells)
      : order_(order), box_(box), cells_(cells) {}

  Order order_;
  Region box_;
  std::uint64_t cells_;
};

/// Values of neighbouring positions: those of first, first + (dx,dy), first + 2(dx,dy), ...
struct Piece {
  Position first;
  int dx = 0;
  int dy = 1;
  std::span<const std::uint32_t> values;
  // A line is a row, column, diagonal or anti-diagonal; one that is too long comes in several
  // pieces.
  bool begins_line = true;
  bool ends_line = true;
};

/// Hands the values of a selection to `visit` in its order. Takes about 4 bytes of memory for each
/// of `values_at_once`, and a block for each thread, however large the selection is; the more, the
/// fewer blocks are read twice. Returns false when a stop was requested before the end; throws what
/// reading or `visit` throws.
bool read_pieces(const CellSource& source, const Selection& selection,
                 const std::function<void(const Piece&)>& visit, const ReadOptions& options,
                 std::uint64_t values_at_once = std::uint64_t{1} << 25U);

}  // namespace grundy
