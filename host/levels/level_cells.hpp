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

  /// The next positions, some thousand at a time, none when there are no more; valid until the next
  /// call.
  const std::vector<LevelCell>& next();

  /// How much of the work is done, of `limit`.
  [[nodiscard]] std::uint64_t steps_done() const { return stream_.steps_done(); }

 private:
  void add_terminal_cells(std::uint64_t s);
  void add(Position p, unsigned value);

  Rule rule_;
  unsigned first_;
  unsigned last_;
  std::uint64_t limit_;
  std::vector<Position> listed_terminal_;  // by the smaller coordinate
  std::size_t next_listed_ = 0;
  LevelStream stream_;
  std::vector<LevelCell> cells_;
};

}  // namespace grundy
