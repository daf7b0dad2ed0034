#include "grundy/levels/level_equivalence.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "grundy/engine/memory.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/levels/level_stream.hpp"
#include "grundy/theory/beatty.hpp"
#include "grundy/theory/closed_form_set.hpp"

namespace grundy {
namespace {

using Lines = std::vector<std::uint64_t>;  // by step: the line of a position, or kNone

constexpr std::uint64_t kNone = LevelSteps::kNone;

/// One stream, a batch of steps at a time; nothing once it is done.
class Batches {
 public:
  Batches(const Rule& rule, Play play, unsigned levels, std::uint64_t limit)
      : symmetric_(rule.symmetric()),
        stream_(rule, play, levels, limit),
        nothing_(LevelStream::kBatch, kNone) {}

  void next() { steps_ = stream_.done() ? nullptr : &stream_.next(); }
  [[nodiscard]] bool done() const { return stream_.done(); }

  [[nodiscard]] const Lines& right(unsigned v) const {
    return steps_ == nullptr ? nothing_ : steps_->right[v];
  }
  [[nodiscard]] const Lines& down(unsigned v) const {
    if (symmetric_) return right(v);  // except on the main diagonal
    return steps_ == nullptr ? nothing_ : steps_->down[v];
  }

 private:
  bool symmetric_;
  LevelStream stream_;
  Lines nothing_;
  const LevelSteps* steps_ = nullptr;
};

/// The non-terminal positions (low,high) of a closed form, batch by batch, as a stream would find
/// them.
class ClosedFormBatches {
 public:
  ClosedFormBatches(const ClosedFormSet& set, const Rule& rule, std::uint64_t limit)
      : set_(set), rule_(rule), limit_(limit), next_diagonal_(set.first_diagonal()) {}

  const Lines& batch(std::uint64_t first, std::uint64_t count) {
    lines_.assign(LevelStream::kBatch, kNone);
    for (const Position& p : set_.small()) add(p, first, count);
    for (;; ++next_diagonal_) {
      const Position p = set_.pair(next_diagonal_);
      if (p.x >= first + count || p.y >= limit_) break;
      add(p, first, count);
    }
    return lines_;
  }

  [[nodiscard]] bool done() const { return set_.pair(next_diagonal_).y >= limit_; }

 private:
  void add(Position p, std::uint64_t first, std::uint64_t count) {
    if (p.x < first || p.x >= first + count || p.y >= limit_) return;
    if (first == 0 && rule_.is_terminal(p)) return;
    lines_[p.x - first] = p.y;
  }

  const ClosedFormSet& set_;
  Rule rule_;
  std::uint64_t limit_;
  std::uint64_t next_diagonal_;
  Lines lines_;
};

std::uint64_t count_positions(const Lines& right, const Lines& down, std::uint64_t first) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < right.size(); ++i) {
    count += right[i] != kNone ? 1U : 0U;
    count += down[i] != kNone && down[i] != first + i ? 1U : 0U;
  }
  return count;
}

/// Compares a batch of one set with the classic P-positions.
void add_batch(Equivalence& result, const Lines& right, const Lines& down, const Lines& classic,
               std::uint64_t first) {
  result.positions += count_positions(right, down, first);
  if (right == classic && down == classic) return;
  const auto add = [&result](Position p) {
    result.add_exception(p, LevelEquivalence::kMostListed);
  };
  for (std::uint64_t i = 0; i < classic.size(); ++i) {
    const std::uint64_t s = first + i;
    for (const std::uint64_t y : {right[i], classic[i]})
      if (right[i] != classic[i] && y != kNone) add({s, y});
    for (const std::uint64_t x : {down[i], classic[i]})
      if (down[i] != classic[i] && x != kNone && x != s) add({x, s});
  }
}

std::optional<Position> first_difference(const Lines& found, const Lines& expected,
                                         std::uint64_t first) {
  if (found == expected) return std::nullopt;
  const auto [a, b] = std::mismatch(found.begin(), found.end(), expected.begin());
  return Position{first + static_cast<std::uint64_t>(a - found.begin()), std::min(*a, *b)};
}

}  // namespace

LevelEquivalence compare_levels(const Rule& rule, std::uint64_t limit,
                                const std::function<void(std::uint64_t)>& progress,
                                const std::stop_token& stop) {
  if (limit >= kClosedFormLimit)
    throw UsageError(
        fmt::format("a limit of {} is too large: the closed forms need less than 2^62", limit));
  require_memory(fmt::format("four level sets up to {}", limit),
                 LevelStream::bytes_needed(rule, 3, limit) +
                     LevelStream::bytes_needed(Rule::classic(), 1, limit));
  Batches levels(rule, Play::kNormal, 2, limit);
  Batches misere(rule, Play::kMisere, 1, limit);
  Batches classic(Rule::classic(), Play::kNormal, 1, limit);
  ClosedFormBatches classic_form(ClosedFormSet::classic_p(), Rule::classic(), limit);
  const ClosedFormSet* zeros_set = closed_form(rule, Play::kNormal, 0);
  std::optional<ClosedFormBatches> zeros_form;
  if (zeros_set != nullptr) zeros_form.emplace(*zeros_set, rule, limit);

  LevelEquivalence result;
  result.zeros_have_closed_form = zeros_set != nullptr;
  // (0,0) is a classic P-position that no stream hands out, being terminal. It is terminal under
  // every rule, so G = 0 there, and it is no misere P-position.
  result.classic_positions = 1;
  for (Equivalence* set : {&result.ones, &result.misere})
    set->add_exception({0, 0}, LevelEquivalence::kMostListed);

  for (std::uint64_t first = 0; first < limit; first += LevelStream::kBatch) {
    if (stop.stop_requested()) {
      result.interrupted = true;
      break;
    }
    const bool all_done = first > 0 && levels.done() && misere.done() && classic.done() &&
                          classic_form.done() && (!zeros_form || zeros_form->done());
    const std::uint64_t count = std::min(all_done ? limit : LevelStream::kBatch, limit - first);
    if (all_done) {
      progress(count);
      break;
    }
    for (Batches* batches : {&levels, &misere, &classic}) batches->next();
    const Lines& expected = classic_form.batch(first, count);
    if (!result.classic_mistake)
      result.classic_mistake = first_difference(classic.right(0), expected, first);
    if (zeros_form && !result.zeros_mistake)
      result.zeros_mistake =
          first_difference(levels.right(0), zeros_form->batch(first, count), first);
    result.classic_positions += count_positions(expected, expected, first);
    add_batch(result.ones, levels.right(1), levels.down(1), expected, first);
    add_batch(result.misere, misere.right(0), misere.down(0), expected, first);
    progress(count);
  }
  result.ones.finish(limit);
  result.misere.finish(limit);
  return result;
}

}  // namespace grundy
