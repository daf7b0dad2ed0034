// The mex property of a table, checked cell by cell. For verification only: nothing here is shared
// with the engines, on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grundy/engine/memory.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// The values on the part of one line that has been read. Does not own its memory.
struct PrefixLine {
  std::uint64_t* values = nullptr;  // bit v: value v is there; the last word is never full
  std::uint64_t* full = nullptr;    // bit k: word k of `values` is full
  std::uint64_t first_open = 0;     // the first word that is not full

  /// Words that a line needs whose largest value is `largest`: `values`, then `full`.
  static std::uint64_t value_words(std::uint64_t largest) { return (largest + 1) / 64 + 1; }
  static std::uint64_t full_words(std::uint64_t largest) { return value_words(largest) / 64 + 1; }

  [[nodiscard]] bool contains(std::uint64_t value) const {
    return (values[value / 64] >> value % 64 & 1) != 0;
  }
  void insert(std::uint64_t value) {
    std::uint64_t& word = values[value / 64];
    word |= std::uint64_t{1} << value % 64;
    if (~word == 0) close_word(value / 64);
  }

 private:
  void close_word(std::uint64_t index);
};

/// Cells of a table with their values, in the coordinates of PrefixCheck.
struct PrefixPart {
  std::uint64_t a0 = 0;
  std::uint64_t b0 = 0;
  Extent extent;
  std::uint32_t* values = nullptr;  // of (a,b): values[(a - a0) * stride + (b - b0)]
  std::uint64_t stride = 0;
  Region stored;            // cells (a,b) whose values come from the file; the others are filled in
  bool transposed = false;  // (a,b) stands for position (b,a)
  /// Where position (b,a) is stored beside (a,b), a < b, its value is
  /// images[(b - b0) * image_stride + (a - a0)].
  const std::uint32_t* images = nullptr;
  std::uint64_t image_stride = 0;
  Region image_stored;  // in terms of (a,b)
};

/// Says for each cell of a table whether its value is what the definition demands of it, given the
/// cells before: 0 for a terminal cell, otherwise the least value that none of the cells before it
/// on its row, column and diagonal has.
///
/// Of a symmetric table only one half is looked at, in coordinates a <= b with a below the shorter
/// and b below the longer side: row k and column k hold the same values and are one line. A cell
/// (a,b) is position (a,b) where that is in the table, else (b,a). Positions below the diagonal are
/// compared with their mirror images, and that makes the check complete: the least position that is
/// wrong, in order of (x,y), is either looked at here, or is the image of a right one. Of other
/// tables (a,b) is (x,y).
///
/// Whether a cell fails depends on the values before it alone, not on the order of the work, so the
/// failure reported is the first in order of (x,y) however many threads there are.
class PrefixCheck {
 public:
  PrefixCheck(const Rule& rule, const Extent& extent);

  /// Memory in bytes: about 0.38 N^2 for a symmetric table of side N, twice that for another.
  static std::uint64_t bytes_needed(const Rule& rule, const Extent& extent);

  /// Of those, the bytes of the lines themselves, which come straight from the system.
  [[nodiscard]] std::uint64_t line_bytes() const { return words_.get_deleter().bytes; }

  /// The cells to be looked at: all of them, or of a symmetric table those with a <= b.
  [[nodiscard]] const Extent& cells() const { return cells_; }
  [[nodiscard]] bool half() const { return half_; }

  /// Checks a rectangle of cells, or of a half what of it has a <= b. Each cell belongs to one
  /// part; those to the left and above come before it. Throws std::logic_error when they did not,
  /// so that no schedule can make a cell pass that was not held against all others it depends on.
  /// Thread-safe for parts that share no line.
  void check(const PrefixPart& part);

  struct Failure {
    Position cell;
    std::string reason;
  };

  /// The first position that fails.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  /// The first position above the diagonal whose mirror image is stored with another value.
  [[nodiscard]] const std::optional<Failure>& symmetry_failure() const { return asymmetry_; }

 private:
  struct Cell;

  [[nodiscard]] Cell cell(std::uint64_t a, std::uint64_t b);
  [[nodiscard]] bool is_terminal(std::uint64_t a, std::uint64_t b, bool transposed) const;
  void require_turn(const PrefixPart& part) const;
  void advance(const PrefixPart& part);
  [[nodiscard]] bool images_agree(const PrefixPart& part) const;
  void check_stored(const PrefixPart& part, const Region& strip);
  void check_each(const PrefixPart& part, const Region& strip);
  void check_image(const PrefixPart& part, const Cell& cell, std::uint32_t value, bool is_stored);
  /// The value of position (a,b), or (b,a), is wrong.
  void report(const Cell& cell, bool transposed, std::uint32_t value);

  Rule rule_;
  Extent table_;
  bool half_;
  Extent cells_;
  MappedWords words_;
  std::vector<PrefixLine> rows_;     // of a half: all lines k
  std::vector<PrefixLine> columns_;  // of a half: none
  std::vector<PrefixLine> diagonals_;
  std::uint64_t main_diagonal_;  // diagonals_[b - a + main_diagonal_]
  // Up to which b a row has been read, up to which a a column.
  std::vector<std::uint64_t> row_read_to_;
  std::vector<std::uint64_t> column_read_to_;
  std::mutex mutex_;  // of the failures
  std::optional<Failure> failure_;
  std::optional<Failure> asymmetry_;
};

}  // namespace grundy
