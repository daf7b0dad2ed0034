#include "grundy/levels/level_cells.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

unsigned checked_levels(unsigned first, unsigned last) {
  if (first > last || last >= LevelStream::kMaxLevels)
    throw UsageError(fmt::format("values {} to {}: they begin with the smaller one and end with {}",
                                 first, last, LevelStream::kMaxLevels - 1));
  return last + 1;
}

std::uint64_t smaller_coordinate(const Position& p) { return std::min(p.x, p.y); }

}  // namespace

LevelCells::LevelCells(const Rule& rule, unsigned first, unsigned last, std::uint64_t limit)
    : rule_(rule),
      first_(first),
      last_(last),
      limit_(limit),
      stream_(rule, Play::kNormal, checked_levels(first, last), limit) {
  const TerminalView terminal = rule.view();
  listed_terminal_.assign(terminal.cells, terminal.cells + terminal.count);
  std::stable_sort(listed_terminal_.begin(), listed_terminal_.end(),
                   [](const Position& a, const Position& b) {
                     return smaller_coordinate(a) < smaller_coordinate(b);
                   });
  terminal_steps_ = terminal.corner / 2 + 1;
  if (!listed_terminal_.empty())
    terminal_steps_ = std::max(terminal_steps_, smaller_coordinate(listed_terminal_.back()) + 1);
}

const std::vector<LevelCell>& LevelCells::next() {
  cells_.clear();
  while (cells_.size() < kSome && next_step_ < limit_) {
    if (next_step_ == end_ && !fetch_steps()) break;
    list_step(next_step_++);
  }
  return cells_;
}

/// False when no step has anything more.
bool LevelCells::fetch_steps() {
  if (!stream_.done()) {
    steps_ = &stream_.next();
    end_ = steps_->first + steps_->count;
    return true;
  }
  steps_ = nullptr;
  // Terminal cells may lie in steps that have nothing else.
  const bool more = first_ == 0 && next_step_ < terminal_steps_;
  if (!more) next_step_ = limit_;
  end_ = next_step_ + 1;
  return more;
}

void LevelCells::list_step(std::uint64_t s) {
  const auto begin = static_cast<std::ptrdiff_t>(cells_.size());
  if (first_ == 0 && s < terminal_steps_) add_terminal_cells(s);
  for (unsigned v = first_; v <= last_ && steps_ != nullptr; ++v) {
    const std::uint64_t i = s - steps_->first;
    const std::uint64_t y = steps_->right[v][i];
    const std::uint64_t x = rule_.symmetric() ? y : steps_->down[v][i];
    if (y != LevelSteps::kNone) add({s, y}, v);
    if (x != LevelSteps::kNone && x != s) add({x, s}, v);
  }
  if (s < terminal_steps_)
    std::sort(cells_.begin() + begin, cells_.end(), [](const LevelCell& a, const LevelCell& b) {
      return std::tie(a.value, a.position) < std::tie(b.value, b.position);
    });
}

void LevelCells::add_terminal_cells(std::uint64_t s) {
  const std::uint64_t corner = rule_.view().corner;
  for (std::uint64_t line = s; line < limit_ && s + line < corner; ++line) {
    add({s, line}, 0);
    if (line != s) add({line, s}, 0);
  }
  for (; next_listed_ < listed_terminal_.size(); ++next_listed_) {
    const Position& p = listed_terminal_[next_listed_];
    if (smaller_coordinate(p) != s) break;
    if (p.x < limit_ && p.y < limit_) add(p, 0);
  }
}

void LevelCells::add(Position p, unsigned value) {
  cells_.push_back({p, static_cast<std::uint8_t>(value)});
}

}  // namespace grundy
