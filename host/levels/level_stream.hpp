// The positions of the smallest values of a game, value by value and row by row, without a table.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/game/play.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/levels/sliding_bits.hpp"

namespace grundy {

/// The non-terminal positions of values 0, 1, ... in some consecutive steps. Step s looks along row
/// s from the main diagonal on, and along column s below the main diagonal: on each of the two
/// there is at most one position of a value.
struct LevelSteps {
  /// Stands for "no such position, or none below the limit".
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::uint64_t first = 0;
  std::uint64_t count = 0;
  /// right[v][i] is the y >= s with G(s,y) = v, s = first + i; kNone from i = count on.
  std::vector<std::vector<std::uint64_t>> right;
  /// down[v][i] is the x > s with G(x,s) = v. Empty for a symmetric rule, where it is that y.
  std::vector<std::vector<std::uint64_t>> down;

  /// Calls visit(p) for each position of value v, mirror images of a symmetric rule included.
  template <typename Visit>
  void for_each_position(unsigned v, Visit visit) const {
    const std::vector<std::uint64_t>& below = down.empty() ? right[v] : down[v];
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t s = first + i;
      if (right[v][i] != kNone) visit(Position{s, right[v][i]});
      if (below[i] != kNone && below[i] != s) visit(Position{below[i], s});
    }
  }
};

/// Computes the level sets of any rule by their definition: step by step, and value v by value v,
/// if row s has no v yet, then the first y >= s whose column and diagonal have no v, and where no
/// smaller value or terminal cell is, gets v; likewise down column s. A terminal cell has value 0
/// and counts for level 0 on its row, column and diagonal, from its place on.
///
/// Under misere play the one level is that of the misere P-positions: terminal cells are then
/// passed over and do not count.
///
/// Covers the positions whose coordinates are both below `limit`: N^2 positions in about 0.62 N
/// steps, some 30 ns per step and level; the memory for a level of a symmetric rule is about
/// limit/20 bytes, twice that for another rule.
class LevelStream {
 public:
  static constexpr unsigned kMaxLevels = 64;

  /// `levels` values from 0 on. Throws UsageError unless 1 <= levels <= kMaxLevels (1 for misere
  /// play) and limit is at least 1, DeviceError when memory does not suffice.
  LevelStream(const Rule& rule, Play play, unsigned levels, std::uint64_t limit);

  /// Memory in bytes that a stream takes.
  static std::uint64_t bytes_needed(const Rule& rule, unsigned levels, std::uint64_t limit);

  /// Whether every position below the limit has been handed out.
  [[nodiscard]] bool done() const { return next_ == limit_; }

  /// Steps that next() has handed out so far, of `limit`.
  [[nodiscard]] std::uint64_t steps_done() const { return next_; }

  /// The next steps, at most kBatch; valid until the next call. Only while not done().
  const LevelSteps& next();

  static constexpr std::uint64_t kBatch = 4096;

 private:
  /// One value on one side of the main diagonal. A line is a column to the right of it, a row
  /// below.
  struct Level {
    Level(std::uint64_t limit, std::uint64_t nearest_diagonal)
        : lines(limit), diagonals(limit), first_free_diagonal(nearest_diagonal) {}

    SlidingBits lines;      // those that have the value
    SlidingBits diagonals;  // likewise, by distance from the main diagonal
    std::uint64_t first_free_diagonal;
  };

  /// A terminal cell seen from the step that meets it.
  struct TerminalCell {
    std::uint64_t step;
    std::uint64_t line;
    friend auto operator<=>(const TerminalCell&, const TerminalCell&) = default;
  };

  /// One side of the main diagonal.
  struct Side {
    std::uint64_t nearest = 0;  // distance of the nearest diagonal: 0 to the right, 1 below
    std::vector<Level> levels;
    std::vector<TerminalCell> terminal;  // beyond the corner, in order
    std::uint64_t next_terminal = 0;     // the first that is not before the current step
  };

  void step(std::uint64_t s, std::uint64_t i);
  void fill(Side& side, Side& other, std::uint64_t s, std::uint64_t i,
            std::vector<std::vector<std::uint64_t>>& found);
  template <bool kTerminals>
  std::uint64_t place(Side& side, unsigned v, std::uint64_t s, std::uint64_t bound);
  [[nodiscard]] bool is_terminal(const Side& side, std::uint64_t s, std::uint64_t line) const;
  [[nodiscard]] std::uint64_t first_terminal_line(const Side& side, std::uint64_t s) const;
  void count_terminal_cells(Side& side, std::uint64_t s);
  void mark(Level& level, std::uint64_t s, std::uint64_t line);
  [[nodiscard]] bool exhausted() const;
  void release();

  std::uint64_t limit_;
  Play play_;
  bool symmetric_;
  std::uint64_t corner_;  // all of x+y < corner_ is terminal
  Side right_;
  Side down_;
  std::uint64_t terminal_steps_ = 0;  // only steps below this meet terminal cells
  std::vector<std::uint64_t> taken_;  // by smaller values, along the current row or column
  std::uint64_t next_ = 0;
  LevelSteps steps_;
};

}  // namespace grundy
