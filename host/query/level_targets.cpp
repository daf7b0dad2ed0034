#include "grundy/query/level_targets.hpp"

#include <algorithm>

#include "grundy/levels/level_stream.hpp"

namespace grundy {
namespace {

bool reaches(Position from, Position to) {
  if (to.x > from.x || to.y > from.y || to == from) return false;
  return to.x == from.x || to.y == from.y || from.x - to.x == from.y - to.y;
}

/// Terminal cells that a move from `from` reaches; a large triangle is not searched cell by cell.
std::vector<Position> reachable_terminal_cells(const Rule& rule, Position from) {
  const TerminalView terminal = rule.view();
  std::vector<Position> found;
  const auto add = [&](Position p) {
    if (reaches(from, p)) found.push_back(p);
  };
  for (std::uint64_t i = 0; i < terminal.corner; ++i) {  // the triangle, line by line
    if (from.x + i < terminal.corner) add({from.x, i});
    if (from.y + i < terminal.corner) add({i, from.y});
    // The cell of the diagonal with lower coordinate i.
    const Position p =
        from.x <= from.y ? Position{i, from.y - from.x + i} : Position{from.x - from.y + i, i};
    if (p.x + p.y < terminal.corner) add(p);
  }
  for (std::uint64_t c = 0; c < terminal.count; ++c) add(terminal.cells[c]);
  return found;
}

}  // namespace

LevelTargets find_by_levels(const Rule& rule, Play play, Position from, std::uint64_t value) {
  LevelTargets result;
  if (value == 0 && play == Play::kNormal) result.positions = reachable_terminal_cells(rule, from);
  const auto levels =
      static_cast<unsigned>(std::min<std::uint64_t>(value, LevelStream::kMaxLevels));
  LevelStream stream(rule, play, levels + 1, std::max(from.x, from.y) + 1);
  const std::uint64_t last_step = std::min(from.x, from.y);
  while (!stream.done() && stream.steps_done() <= last_step) {
    const LevelSteps& steps = stream.next();
    for (unsigned v = 0; v <= levels; ++v) {
      steps.for_each_position(v, [&](const Position& p) {
        if (p == from) result.value = v;
        if (v == value && reaches(from, p)) result.positions.push_back(p);
      });
    }
  }
  std::sort(result.positions.begin(), result.positions.end());
  result.positions.erase(std::unique(result.positions.begin(), result.positions.end()),
                         result.positions.end());
  return result;
}

}  // namespace grundy
