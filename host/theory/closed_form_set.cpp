#include "grundy/theory/closed_form_set.hpp"

#include <algorithm>
#include <utility>

#include "grundy/theory/beatty.hpp"
#include "grundy/theory/hofstadter.hpp"

namespace grundy {
namespace {

Position classic_pair(std::uint64_t d) { return {lower_wythoff(d), upper_wythoff(d)}; }

Position extended_pair(std::uint64_t d) {
  const std::uint64_t n = d - 1;
  const std::uint64_t g = extended_shift(n);
  return {lower_wythoff(n) + g - 1, upper_wythoff(n) + g};
}

Position mirror(Position p) { return {p.y, p.x}; }

}  // namespace

ClosedFormSet::ClosedFormSet(std::vector<Position> small, std::uint64_t first_diagonal,
                             std::uint64_t shift, Pair closed_form_pair)
    : small_(std::move(small)),
      first_diagonal_(first_diagonal),
      shift_(shift),
      pair_(closed_form_pair) {}

const ClosedFormSet& ClosedFormSet::classic_p() {
  static const ClosedFormSet set({}, 0, 0, classic_pair);
  return set;
}

const ClosedFormSet& ClosedFormSet::extended_p() {
  static const ClosedFormSet set({{0, 0}, {1, 1}}, 1, 1, extended_pair);
  return set;
}

const ClosedFormSet& ClosedFormSet::classic_misere_p() {
  static const ClosedFormSet set({{0, 1}, {2, 2}}, 2, 0, classic_pair);
  return set;
}

const ClosedFormSet& ClosedFormSet::extended_ones() {
  static const ClosedFormSet set({{0, 3}, {1, 2}, {4, 4}, {5, 7}}, 4, 0, classic_pair);
  return set;
}

bool ClosedFormSet::contains(Position p) const {
  check_closed_form_range(p.x);
  check_closed_form_range(p.y);
  const auto [low, high] = std::minmax(p.x, p.y);
  const std::vector<Position> on_its_diagonal = on_diagonal(high - low);
  return std::find(on_its_diagonal.begin(), on_its_diagonal.end(), Position{low, high}) !=
         on_its_diagonal.end();
}

std::vector<std::uint64_t> ClosedFormSet::in_row(std::uint64_t x) const {
  check_closed_form_range(x);
  std::vector<std::uint64_t> columns;
  for (const Position& p : small_) {
    if (p.x == x) columns.push_back(p.y);
    if (p.y == x && p.x != x) columns.push_back(p.x);
  }
  // The closed forms stay within a step of (d*phi, d*phi^2), d or d-1 from the diagonal: those near
  // x/phi and x/phi^2 are all that can have x as a coordinate.
  const std::uint64_t as_low = lower_wythoff(x) - x;
  for (std::uint64_t d = std::max(first_diagonal_, as_low); d <= as_low + 3; ++d)
    if (const Position p = pair_(d); p.x == x) columns.push_back(p.y);
  const std::uint64_t as_high = x - std::min(x, as_low + 1);
  for (std::uint64_t d = std::max(first_diagonal_, as_high); d <= as_high + 3; ++d)
    if (const Position p = pair_(d); p.y == x) columns.push_back(p.x);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());  // (0,0) is its mirror
  return columns;
}

std::vector<Position> ClosedFormSet::on_diagonal(std::uint64_t d) const {
  check_closed_form_range(d);
  std::vector<Position> found;
  for (const Position& p : small_)
    if (p.y - p.x == d) found.push_back(p);
  if (d >= first_diagonal_) found.push_back(pair_(d));
  return found;
}

std::vector<Position> ClosedFormSet::reachable_from(Position p) const {
  std::vector<Position> found;
  for (const std::uint64_t y : in_row(p.x))
    if (y < p.y) found.push_back({p.x, y});
  for (const std::uint64_t x : in_row(p.y))
    if (x < p.x) found.push_back({x, p.y});
  const auto [low, high] = std::minmax(p.x, p.y);
  for (const Position& target : on_diagonal(high - low))
    if (target.x < low) found.push_back(p.x <= p.y ? target : mirror(target));
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Position> ClosedFormSet::inside(const Extent& extent) const {
  std::vector<Position> found;
  const auto add_if_inside = [&](Position p) {
    if (extent.contains(p)) found.push_back(p);
    if (p.x != p.y && extent.contains(mirror(p))) found.push_back(mirror(p));
  };
  for (const Position& p : small_) add_if_inside(p);
  const auto [narrow, wide] = std::minmax(extent.rows, extent.cols);
  for (std::uint64_t d = first_diagonal_;; ++d) {
    const Position p = pair_(d);
    if (p.x >= narrow || p.y >= wide) break;
    add_if_inside(p);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::uint64_t> ClosedFormSet::index(Position p) const {
  const auto [low, high] = std::minmax(p.x, p.y);
  const std::uint64_t d = high - low;
  if (!contains(p) || d < first_diagonal_ || pair_(d) != Position{low, high}) return std::nullopt;
  return d - shift_;
}

const ClosedFormSet* closed_form(const Rule& rule, Play play, std::uint64_t value) {
  if (play == Play::kMisere && value != 0) return nullptr;
  if (rule == Rule::classic() && value == 0)
    return play == Play::kNormal ? &ClosedFormSet::classic_p() : &ClosedFormSet::classic_misere_p();
  if (rule == Rule::extended() && value == 0 && play == Play::kNormal)
    return &ClosedFormSet::extended_p();
  // G = 1, or P under misere play.
  if (rule == Rule::extended() && value <= 1) return &ClosedFormSet::extended_ones();
  return nullptr;
}

}  // namespace grundy
