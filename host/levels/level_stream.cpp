#include "grundy/levels/level_stream.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "grundy/engine/memory.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {

LevelStream::LevelStream(const Rule& rule, Play play, unsigned levels, std::uint64_t limit)
    : limit_(limit), play_(play), symmetric_(rule.symmetric()), corner_(rule.view().corner) {
  const unsigned most = play == Play::kMisere ? 1 : kMaxLevels;
  if (levels < 1 || levels > most)
    throw UsageError(fmt::format("{} levels: there can be 1 to {} of them", levels, most));
  if (limit == 0) throw UsageError("no position has coordinates below a limit of 0");
  require_memory(fmt::format("{} level sets up to {}", levels, limit),
                 bytes_needed(rule, levels, limit));
  down_.nearest = 1;
  for (unsigned v = 0; v < levels; ++v) {
    right_.levels.emplace_back(limit, right_.nearest);
    if (!symmetric_) down_.levels.emplace_back(limit, down_.nearest);
  }
  steps_.right.assign(levels, std::vector<std::uint64_t>(kBatch));
  if (!symmetric_) steps_.down.assign(levels, std::vector<std::uint64_t>(kBatch));
  taken_.reserve(levels);

  const TerminalView terminal = rule.view();
  for (std::uint64_t c = 0; c < terminal.count; ++c) {
    const auto [x, y] = terminal.cells[c];
    if (x <= y) right_.terminal.push_back({x, y});
    if (x > y) down_.terminal.push_back({y, x});
    terminal_steps_ = std::max(terminal_steps_, std::min(x, y) + 1);
  }
  std::sort(down_.terminal.begin(), down_.terminal.end());
  terminal_steps_ = std::max(terminal_steps_, corner_ / 2 + 1);  // (s,s) in the corner: 2s < corner
}

std::uint64_t LevelStream::bytes_needed(const Rule& rule, unsigned levels, std::uint64_t limit) {
  // The columns in use at row x lie between x and about x*phi, or the limit: at most
  // (1 - 1/phi) * limit bits, at x = limit/phi. The diagonals in use are few. What is released
  // late comes on top, unless it is more than all there is.
  constexpr std::uint64_t kReleasedLate = std::uint64_t{20} << 20U;
  constexpr std::uint64_t kBatchBytes = kBatch * sizeof(std::uint64_t);
  const std::uint64_t sides = rule.symmetric() ? 1 : 2;
  return saturating_bytes(levels * sides,
                          kBatchBytes + std::min(limit / 4, limit / 20 + kReleasedLate));
}

const LevelSteps& LevelStream::next() {
  steps_.first = next_;
  steps_.count = std::min(kBatch, limit_ - next_);
  for (std::uint64_t i = 0; i < steps_.count; ++i) step(next_ + i, i);
  if (steps_.count < kBatch)
    for (auto* side : {&steps_.right, &steps_.down})
      for (auto& lines : *side)
        std::fill(lines.begin() + static_cast<std::ptrdiff_t>(steps_.count), lines.end(),
                  LevelSteps::kNone);
  next_ += steps_.count;
  if (exhausted()) next_ = limit_;
  release();
  return steps_;
}

void LevelStream::step(std::uint64_t s, std::uint64_t i) {
  // Of a symmetric rule, row s has what column s has.
  fill(right_, symmetric_ ? right_ : down_, s, i, steps_.right);
  if (!symmetric_) fill(down_, right_, s, i, steps_.down);
}

/// Finds what step s adds on one side; `other` knows which values its line, row s or column s, has
/// already.
void LevelStream::fill(Side& side, Side& other, std::uint64_t s, std::uint64_t i,
                       std::vector<std::vector<std::uint64_t>>& found) {
  taken_.clear();
  const bool terminals = s < terminal_steps_;
  for (unsigned v = 0; v < side.levels.size(); ++v) {
    std::uint64_t line = LevelSteps::kNone;
    if (!other.levels[v].lines.test(s)) {
      // The first terminal cell along the line gives it a 0.
      const bool ends_at_terminal = terminals && v == 0 && play_ == Play::kNormal;
      const std::uint64_t bound =
          ends_at_terminal ? std::min(limit_, first_terminal_line(side, s)) : limit_;
      line = terminals ? place<true>(side, v, s, bound) : place<false>(side, v, s, bound);
      if (line != LevelSteps::kNone) taken_.push_back(line);
    }
    found[v][i] = line;
  }
  if (terminals) count_terminal_cells(side, s);
}

/// The first line below `bound` that can have v in step s; marks it.
template <bool kTerminals>
std::uint64_t LevelStream::place(Side& side, unsigned v, std::uint64_t s, std::uint64_t bound) {
  Level& level = side.levels[v];
  std::uint64_t d = level.first_free_diagonal;
  if (kTerminals && corner_ > 2 * s) d = std::max(d, corner_ - 2 * s);
  for (; s + d < bound; d += 64) {
    std::uint64_t used = level.lines.window(s + d) | level.diagonals.window(d);
    for (; ~used != 0; used |= used + 1) {
      const std::uint64_t line = s + d + static_cast<std::uint64_t>(std::countr_one(used));
      if (line >= bound) return LevelSteps::kNone;
      if (std::find(taken_.begin(), taken_.end(), line) != taken_.end()) continue;
      if (kTerminals && is_terminal(side, s, line)) continue;
      mark(level, s, line);
      return line;
    }
  }
  return LevelSteps::kNone;
}

bool LevelStream::is_terminal(const Side& side, std::uint64_t s, std::uint64_t line) const {
  return s + line < corner_ ||
         std::binary_search(side.terminal.begin(), side.terminal.end(), TerminalCell{s, line});
}

std::uint64_t LevelStream::first_terminal_line(const Side& side, std::uint64_t s) const {
  if (2 * s + side.nearest < corner_) return s + side.nearest;
  const auto cell = side.terminal.begin() + static_cast<std::ptrdiff_t>(side.next_terminal);
  return cell != side.terminal.end() && cell->step == s ? cell->line : LevelSteps::kNone;
}

void LevelStream::count_terminal_cells(Side& side, std::uint64_t s) {
  const bool counted = play_ == Play::kNormal;
  // Further steps through the corner meet no lines and diagonals that step 0 does not meet.
  if (s == 0 && counted)
    for (std::uint64_t line = side.nearest; line < std::min(corner_, limit_); ++line)
      mark(side.levels[0], 0, line);
  for (; side.next_terminal < side.terminal.size(); ++side.next_terminal) {
    const TerminalCell& cell = side.terminal[side.next_terminal];
    if (cell.step != s) break;
    if (counted && cell.line < limit_) mark(side.levels[0], s, cell.line);
  }
}

void LevelStream::mark(Level& level, std::uint64_t s, std::uint64_t line) {
  level.lines.set(line);
  level.diagonals.set(line - s);
  std::uint64_t used = level.diagonals.window(level.first_free_diagonal);
  while ((used & 1) != 0) {
    level.first_free_diagonal += static_cast<std::uint64_t>(std::countr_one(used));
    used = level.diagonals.window(level.first_free_diagonal);
  }
}

/// Whether further steps find nothing below the limit: a free diagonal is never nearer than before.
bool LevelStream::exhausted() const {
  const auto passed = [this](const Side& side) {
    return std::all_of(side.levels.begin(), side.levels.end(), [this](const Level& level) {
      return level.first_free_diagonal >= limit_ - next_;
    });
  };
  return passed(right_) && passed(down_);
}

void LevelStream::release() {
  for (Side* side : {&right_, &down_}) {
    for (Level& level : side->levels) {
      level.lines.release_below(next_);
      level.diagonals.release_below(level.first_free_diagonal);
    }
  }
}

}  // namespace grundy
