// All positions of the smallest values below a limit, as a list in pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/levels/level_stream.hpp"

namespace grundy {

struct LevelCell {
  Position position;
  std::uint8_t value = 0;

  friend auto operator<=>(const LevelCell&, const LevelCell&) = default;
};

/// Lists the positions with x, y < limit and first <= G(x,y) <= last, terminal and mirrored ones
/// included, each once: by the smaller coordinate, then by value, then by (x,y).
class LevelCells {
 public:
  /// Throws UsageError unless first <= last < LevelStream::kMaxLevels, and what LevelStream throws.
  LevelCells(const Rule& rule, unsigned first, unsigned last, std::uint64_t limit);

  /// The next positions, at least kSome while there are, none when there are no more; valid until
  /// the next call.
  const std::vector<LevelCell>& next();

  /// How many values of the smaller coordinate are done, of `limit`.
  [[nodiscard]] std::uint64_t steps_done() const { return next_step_; }

  static constexpr std::size_t kSome = 10'000;

 private:
  [[nodiscard]] bool fetch_steps();
  void list_step(std::uint64_t s);
  void add_terminal_cells(std::uint64_t s);
  void add(Position p, unsigned value);

  Rule rule_;
  unsigned first_;
  unsigned last_;
  std::uint64_t limit_;
  std::vector<Position> listed_terminal_;  // by the smaller coordinate
  std::size_t next_listed_ = 0;
  std::uint64_t terminal_steps_ = 0;  // only steps below this meet terminal cells
  LevelStream stream_;
  const LevelSteps* steps_ = nullptr;  // those being listed, if any
  std::uint64_t next_step_ = 0;
  std::uint64_t end_ = 0;  // of the steps being listed
  std::vector<LevelCell> cells_;
};

}  // namespace grundy
