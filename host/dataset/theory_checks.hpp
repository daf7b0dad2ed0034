// What the theory says of a table, checked cell by cell.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// Of several cells that fail, the first in order of (x,y). Not thread-safe.
struct FirstCell {
  struct Found {
    Position cell;
    std::uint32_t value;
  };
  std::optional<Found> found;

  void add(Position cell, std::uint32_t value) {
    if (!found || cell < found->cell) found = Found{cell, value};
  }
};

/// Reads a table tile by tile, and then reports for each check of the theory how it went:
///   closed form  the zeros are the P-positions, in both directions, where a closed form is known
///   ones         the same for the cells of value 1
///   misere       the misere P-positions, by definition from the rule, are those of the closed
///                form, and under the extended rule the cells of value 1
///   lemma 8      no move leads from a zero to a zero
///   lemma 12     from every other cell a move leads to a zero
///   small sets   below 8, the zeros of classic and the ones of extended are those of the paper
/// Of a window into a table the cells of the window are checked, the lemmas with the values of the
/// positions before it too.
class TheoryChecks {
 public:
  /// Corners of tiles are multiples of it: no two tiles share a word of bits, but those of which
  /// one comes before the other.
  static constexpr std::uint64_t kTileStep = 64;

  /// `stored` is the part of the table that is in the file.
  TheoryChecks(const Rule& rule, const Extent& extent, const Region& stored);

  /// Memory in bytes.
  static std::uint64_t bytes_needed(const Extent& extent);

  /// The names of the checks, in order.
  static const std::vector<const char*>& names();

  /// Each tile once, after those to its left and above. `values` (row-major) are those of all its
  /// positions, stored or not. Thread-safe for tiles of which neither has to come before the other.
  void check_tile(const Region& tile, const std::uint32_t* values);

  struct Result {
    const char* name;
    std::optional<std::string> failure;
    std::optional<std::string> skipped;  // why
    std::string passed;                  // what was checked
  };
  [[nodiscard]] std::vector<Result> results() const;

 private:
  struct TileState;

  /// The cells of one value that a closed form demands, and how the file differs.
  struct ExpectedCells {
    std::uint32_t value;
    std::vector<Position> positions;  // that are stored, in order of (x,y)
    FirstCell wrong;
  };

  static std::optional<ExpectedCells> expected_cells(const Rule& rule, const Extent& extent,
                                                     const Region& stored, std::uint32_t value);
  void check_row(const Region& tile, std::uint64_t x, const std::uint32_t* values,
                 TileState& state);
  [[nodiscard]] Result closed_form_result(const char* name,
                                          const std::optional<ExpectedCells>& expected,
                                          const char* what) const;
  [[nodiscard]] Result misere_result() const;
  [[nodiscard]] Result small_sets_result() const;

  Rule rule_;
  Extent extent_;
  Region stored_;
  std::optional<ExpectedCells> zeros_;
  std::optional<ExpectedCells> ones_;
  // Whether the part of a line that has been read holds a zero: a bit for column y, and one for
  // diagonal y - x + main_diagonal_.
  std::vector<std::uint8_t> row_has_zero_;
  std::vector<std::uint64_t> column_has_zero_;
  std::vector<std::uint64_t> diagonal_has_zero_;
  std::uint64_t main_diagonal_;
  std::mutex mutex_;              // of what follows
  std::uint64_t zeros_seen_ = 0;  // stored
  FirstCell lemma_8_;
  FirstCell lemma_12_;
  std::vector<Position> small_;  // stored, below 8
};

/// All misere P-positions of a rule by their definition, in order of (x,y): row by row the first
/// position that is not terminal and from which no move leads to one found before. No other is one
/// in its row, since it can move to that one. Takes about rows * cols / 64 steps.
std::vector<Position> misere_p_positions(const Rule& rule, const Extent& extent);

}  // namespace grundy
