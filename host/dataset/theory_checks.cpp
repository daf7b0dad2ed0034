#include "grundy/dataset/theory_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grundy/theory/closed_form_set.hpp"

namespace grundy {
namespace {

/// Where the two sets of the equivalence still differ.
constexpr std::uint64_t kSmall = 8;

/// The sets below 8 that the paper lists, and the value that its cells have.
struct SmallSet {
  std::uint32_t value;
  std::vector<Position> positions;
};

std::optional<SmallSet> small_set(const Rule& rule) {
  if (rule == Rule::classic())
    return SmallSet{0, {{0, 0}, {1, 2}, {2, 1}, {3, 5}, {4, 7}, {5, 3}, {7, 4}}};
  if (rule == Rule::extended())
    return SmallSet{1, {{0, 3}, {1, 2}, {2, 1}, {3, 0}, {4, 4}, {5, 7}, {7, 5}}};
  return std::nullopt;
}

std::optional<PositionsCheck> closed_form_check(const Rule& rule, const Extent& extent, Play play,
                                                std::uint32_t value) {
  const ClosedFormSet* set = closed_form(rule, play, value);
  if (set == nullptr) return std::nullopt;
  return PositionsCheck(value, set->inside(extent));
}

std::string list_of(const std::vector<Position>& positions) {
  std::string text;
  for (const Position& p : positions) text += fmt::format(" ({},{})", p.x, p.y);
  return text.empty() ? " none" : text;
}

}  // namespace

void PositionsCheck::check_row(std::uint64_t x, std::span<const std::uint32_t> values) {
  for (std::uint64_t y = 0; y < values.size() && !failure_; ++y) {
    const bool is_expected = next_ < expected_.size() && expected_[next_] == Position{x, y};
    if (is_expected) ++next_;
    if (is_expected && values[y] != value_)
      failure_ =
          fmt::format("cell ({},{}): {} by the closed form, but {} is stored", x, y,
                      value_ == 0 ? "a P-position" : fmt::format("G = {}", value_), values[y]);
    if (!is_expected && values[y] == value_)
      failure_ =
          fmt::format("cell ({},{}): {} is stored, but {} by the closed form", x, y, value_,
                      value_ == 0 ? "it is no P-position" : fmt::format("G is not {}", value_));
  }
}

TheoryChecks::TheoryChecks(const Rule& rule, const Extent& extent)
    : rule_(rule),
      extent_(extent),
      zeros_(closed_form_check(rule, extent, Play::kNormal, 0)),
      ones_(closed_form_check(rule, extent, Play::kNormal, 1)),
      column_has_zero_(extent.cols),
      diagonal_has_zero_(extent.rows + extent.cols) {
  if (const ClosedFormSet* set = closed_form(rule, Play::kMisere, 0)) {
    // By value 1 for "P": what the outcome scan says.
    misere_.emplace(1, set->inside(extent));
    outcomes_.emplace(rule, extent, Play::kMisere);
    misere_row_.resize(extent.cols);
  }
}

std::uint64_t TheoryChecks::bytes_needed(const Extent& extent) {
  // Three lists of at most one position per row and column, and bytes per line.
  return (3 * sizeof(Position) + 8) * (extent.rows + extent.cols);
}

const std::vector<const char*>& TheoryChecks::names() {
  static const std::vector<const char*> names{"closed form", "ones",     "misere",
                                              "lemma 8",     "lemma 12", "small sets"};
  return names;
}

void TheoryChecks::check_row(std::uint64_t x, std::span<const std::uint32_t> values) {
  if (zeros_) zeros_->check_row(x, values);
  if (ones_) ones_->check_row(x, values);
  if (misere_) check_misere(x, values);
  check_lemmas(x, values);
  if (x >= kSmall) return;
  if (const auto small = small_set(rule_))
    for (std::uint64_t y = 0; y < std::min<std::uint64_t>(kSmall, values.size()); ++y)
      if (values[y] == small->value) small_.push_back({x, y});
}

void TheoryChecks::check_misere(std::uint64_t x, std::span<const std::uint32_t> values) {
  const std::vector<std::uint8_t>& is_p = outcomes_->next_row();
  std::copy(is_p.begin(), is_p.end(), misere_row_.begin());
  misere_->check_row(x, misere_row_);
  if (misere_->failure() && !misere_failure_)
    misere_failure_ = fmt::format("row {}: the definition and the closed form differ", x);
  if (rule_ != Rule::extended()) return;
  for (std::uint64_t y = 0; y < values.size() && !misere_failure_; ++y)
    if ((values[y] == 1) != (is_p[y] != 0))
      misere_failure_ = fmt::format("cell ({},{}): {}a misere P-position, but {} is stored", x, y,
                                    is_p[y] != 0 ? "" : "not ", values[y]);
}

void TheoryChecks::check_lemmas(std::uint64_t x, std::span<const std::uint32_t> values) {
  std::uint8_t row_has_zero = 0;
  for (std::uint64_t y = 0; y < values.size(); ++y) {
    std::uint8_t& column = column_has_zero_[y];
    std::uint8_t& diagonal = diagonal_has_zero_[extent_.rows + y - x];
    const bool is_zero = values[y] == 0;
    const bool reaches_zero = (row_has_zero | column | diagonal) != 0;
    // From a terminal zero there is no move, whatever lies before it.
    if (is_zero && reaches_zero && !lemma_8_failure_ && !rule_.is_terminal({x, y}))
      lemma_8_failure_ = fmt::format("cell ({},{}): a move leads from this 0 to another", x, y);
    if (!is_zero && !reaches_zero && !lemma_12_failure_)
      lemma_12_failure_ =
          fmt::format("cell ({},{}): {} is stored, and no move leads to a 0", x, y, values[y]);
    if (is_zero) {
      row_has_zero = column = diagonal = 1;
      ++zeros_seen_;
    }
  }
}

std::vector<TheoryChecks::Result> TheoryChecks::results() const {
  const std::string unknown = "none is known for this rule";
  std::vector<Result> results;
  const auto add_closed_form = [&](const char* name, const std::optional<PositionsCheck>& check,
                                   const char* what) {
    Result result{name, std::nullopt, std::nullopt, ""};
    if (!check) {
      result.skipped = unknown;
    } else {
      result.failure = check->failure();
      result.passed = fmt::format("{} the {} of the closed form", what, check->positions());
    }
    results.push_back(std::move(result));
  };
  add_closed_form("closed form", zeros_, "the zeros are the P-positions,");
  add_closed_form("ones", ones_, "the cells of value 1 are");
  add_closed_form("misere", misere_, "the misere P-positions by definition are");
  if (misere_) results.back().failure = misere_failure_;
  results.push_back(
      {"lemma 8", lemma_8_failure_, std::nullopt,
       fmt::format("no move leads from one of the {} zeros to another", zeros_seen_)});
  results.push_back({"lemma 12", lemma_12_failure_, std::nullopt,
                     fmt::format("from each of the {} other cells a move leads to a zero",
                                 extent_.cells() - zeros_seen_)});
  Result small{"small sets", std::nullopt, std::nullopt, ""};
  if (auto expected = small_set(rule_)) {
    std::erase_if(expected->positions, [this](Position p) { return !extent_.contains(p); });
    if (expected->positions != small_)
      small.failure = fmt::format("value {} below {} at{}, not at{}", expected->value, kSmall,
                                  list_of(small_), list_of(expected->positions));
    small.passed = fmt::format("value {} below {} at{}", expected->value, kSmall, list_of(small_));
  } else {
    small.skipped = unknown;
  }
  results.push_back(std::move(small));
  return results;
}

}  // namespace grundy
