#include "grundy/dataset/theory_checks.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grundy/theory/closed_form_set.hpp"

namespace grundy {
namespace {

/// Where the two sets of the equivalence still differ.
constexpr std::uint64_t kSmall = 8;

constexpr const char* kUnknown = "none is known for this rule";

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

std::string list_of(const std::vector<Position>& positions) {
  std::string text;
  for (const Position& p : positions) text += fmt::format(" ({},{})", p.x, p.y);
  return text.empty() ? " none" : text;
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// The lowest `count` bits.
constexpr std::uint64_t low_bits(std::uint64_t count) {
  return count >= 64 ? kAll : (std::uint64_t{1} << count) - 1;
}

/// 64 bits of a set, from any bit on.
std::uint64_t bits_from(const std::vector<std::uint64_t>& words, std::uint64_t bit) {
  const std::uint64_t shift = bit % 64;
  const std::uint64_t low = words[bit / 64] >> shift;
  return shift == 0 ? low : low | words[bit / 64 + 1] << (64 - shift);
}

void set_bits_from(std::vector<std::uint64_t>& words, std::uint64_t bit, std::uint64_t bits) {
  const std::uint64_t shift = bit % 64;
  words[bit / 64] |= bits << shift;
  if (shift != 0 && bits >> (64 - shift) != 0) words[bit / 64 + 1] |= bits >> (64 - shift);
}

/// Which of up to 64 values are 0, and which are 1.
struct SmallValues {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
};

SmallValues small_values(const std::uint32_t* values, std::uint64_t count) {
  std::uint32_t any = 0;
  for (std::uint64_t j = 0; j < count; ++j) any |= values[j] <= 1 ? 1U : 0U;
  SmallValues found;
  if (any == 0) return found;  // as nearly always
  for (std::uint64_t j = 0; j < count; ++j) {
    found.zeros |= std::uint64_t{values[j] == 0} << j;
    found.ones |= std::uint64_t{values[j] == 1} << j;
  }
  return found;
}

}  // namespace

std::optional<TheoryChecks::ExpectedCells> TheoryChecks::expected_cells(const Rule& rule,
                                                                        const Extent& extent,
                                                                        const Region& stored,
                                                                        std::uint32_t value) {
  const ClosedFormSet* set = closed_form(rule, Play::kNormal, value);
  if (set == nullptr) return std::nullopt;
  ExpectedCells cells{value, set->inside(extent), {}};
  std::erase_if(cells.positions, [&](const Position& p) { return !stored.contains(p); });
  return cells;
}

TheoryChecks::TheoryChecks(const Rule& rule, const Extent& extent, const Region& stored)
    : rule_(rule),
      extent_(extent),
      stored_(stored),
      zeros_(expected_cells(rule, extent, stored, 0)),
      ones_(expected_cells(rule, extent, stored, 1)),
      row_has_zero_(extent.rows),
      column_has_zero_(extent.cols / 64 + 1),
      diagonal_has_zero_((extent.rows + extent.cols) / 64 + 3),
      // Whole words, so that diagonals of tiles begin in words of their own as columns do.
      main_diagonal_((extent.rows + 63) / 64 * 64) {}

std::uint64_t TheoryChecks::bytes_needed(const Extent& extent) {
  // Three lists of at most one position per row and column, and bytes or bits per line.
  return (3 * sizeof(Position) + 2) * (extent.rows + extent.cols);
}

const std::vector<const char*>& TheoryChecks::names() {
  static const std::vector<const char*> names{"closed form", "ones",     "misere",
                                              "lemma 8",     "lemma 12", "small sets"};
  return names;
}

/// What one tile has shown.
struct TheoryChecks::TileState {
  std::uint64_t zeros_seen = 0;
  FirstCell wrong_zero;
  FirstCell wrong_one;
  FirstCell lemma_8;
  FirstCell lemma_12;
  std::vector<Position> small;
};

void TheoryChecks::check_tile(const Region& tile, const std::uint32_t* values) {
  if (tile.x0 % kTileStep != 0 || tile.y0 % kTileStep != 0)
    throw std::logic_error("tiles whose corners are not multiples of 64");
  TileState state;
  for (std::uint64_t x = tile.x0; x < tile.x1(); ++x)
    check_row(tile, x, values + (x - tile.x0) * tile.extent.cols, state);
  const std::scoped_lock lock(mutex_);
  const auto merge = [](FirstCell& all, const FirstCell& one) {
    if (one.found) all.add(one.found->cell, one.found->value);
  };
  zeros_seen_ += state.zeros_seen;
  if (zeros_) merge(zeros_->wrong, state.wrong_zero);
  if (ones_) merge(ones_->wrong, state.wrong_one);
  merge(lemma_8_, state.lemma_8);
  merge(lemma_12_, state.lemma_12);
  small_.insert(small_.end(), state.small.begin(), state.small.end());
}

/// One row of a tile, 64 cells at a time: which are 0 or 1, which can move to a 0, which should.
void TheoryChecks::check_row(const Region& tile, std::uint64_t x, const std::uint32_t* values,
                             TileState& state) {
  const auto expected_from = [&](const std::optional<ExpectedCells>& expected) {
    const Position* begin = expected ? expected->positions.data() : nullptr;
    const Position* end = begin + (expected ? expected->positions.size() : 0);
    return std::pair{std::lower_bound(begin, end, Position{x, tile.y0}), end};
  };
  auto [zero, zeros_end] = expected_from(zeros_);
  auto [one, ones_end] = expected_from(ones_);
  const bool row_is_stored = x >= stored_.x0 && x < stored_.x1();
  const auto small = x < kSmall && tile.y0 == 0 ? small_set(rule_) : std::nullopt;
  for (std::uint64_t y = tile.y0; y < tile.y1(); y += 64) {
    const std::uint32_t* const group = values + (y - tile.y0);
    const std::uint64_t count = std::min<std::uint64_t>(64, tile.y1() - y);
    const std::uint64_t present = low_bits(count);
    std::uint64_t stored = 0;
    if (row_is_stored && y < stored_.y1() && y + 64 > stored_.y0) {
      stored = present & low_bits(stored_.y1() - y);
      if (stored_.y0 > y) stored &= ~low_bits(stored_.y0 - y);
    }
    const auto [zeros, ones] = small_values(group, count);
    const auto note = [&](FirstCell& failures, std::uint64_t wrong) {
      if ((wrong & stored) == 0) return;
      const auto j = static_cast<std::uint64_t>(std::countr_zero(wrong & stored));
      failures.add({x, y + j}, group[j]);
    };
    // Which of the group a closed form demands.
    const auto demanded = [&](const Position*& next, const Position* end) {
      std::uint64_t bits = 0;
      for (; next != end && next->x == x && next->y < y + 64; ++next)
        bits |= std::uint64_t{1} << (next->y - y);
      return bits;
    };
    if (zeros_) note(state.wrong_zero, zeros ^ demanded(zero, zeros_end));
    if (ones_) note(state.wrong_one, ones ^ demanded(one, ones_end));
    state.zeros_seen += static_cast<std::uint64_t>(std::popcount(zeros & stored));
    if (small && y == 0)
      for (std::uint64_t j = 0; j < std::min(kSmall, count); ++j)
        if ((stored >> j & 1) != 0 && group[j] == small->value) state.small.push_back({x, y + j});

    std::uint64_t& column_bits = column_has_zero_[y / 64];
    const std::uint64_t diagonal = main_diagonal_ + y - x;
    std::uint64_t reaches_zero = column_bits | bits_from(diagonal_has_zero_, diagonal);
    if (row_has_zero_[x] != 0) {
      reaches_zero = kAll;
    } else if (zeros != 0) {
      // All beyond the first zero of the row.
      reaches_zero |= ~low_bits(static_cast<std::uint64_t>(std::countr_zero(zeros)) + 1);
    }
    note(state.lemma_12, ~zeros & ~reaches_zero & present);
    if (zeros == 0) continue;
    // From a terminal zero there is no move, whatever lies before it.
    std::uint64_t moves = zeros & reaches_zero;
    for (std::uint64_t bits = moves; bits != 0; bits &= bits - 1)
      if (rule_.is_terminal({x, y + static_cast<std::uint64_t>(std::countr_zero(bits))}))
        moves &= ~(bits & -bits);
    note(state.lemma_8, moves);
    row_has_zero_[x] = 1;
    column_bits |= zeros;
    set_bits_from(diagonal_has_zero_, diagonal, zeros);
  }
}

TheoryChecks::Result TheoryChecks::closed_form_result(const char* name,
                                                      const std::optional<ExpectedCells>& expected,
                                                      const char* what) const {
  Result result{name, std::nullopt, std::nullopt, ""};
  if (!expected) {
    result.skipped = kUnknown;
    return result;
  }
  result.passed = fmt::format("{} the {} of the closed form", what, expected->positions.size());
  if (const auto& wrong = expected->wrong.found) {
    const auto& [x, y] = wrong->cell;
    const std::uint32_t value = expected->value;
    if (wrong->value == value) {
      result.failure =
          fmt::format("cell ({},{}): {} is stored, but {} by the closed form", x, y, value,
                      value == 0 ? "it is no P-position" : fmt::format("G is not {}", value));
    } else {
      result.failure =
          fmt::format("cell ({},{}): {} by the closed form, but {} is stored", x, y,
                      value == 0 ? "a P-position" : fmt::format("G = {}", value), wrong->value);
    }
  }
  return result;
}

TheoryChecks::Result TheoryChecks::misere_result() const {
  Result result{"misere", std::nullopt, std::nullopt, ""};
  const ClosedFormSet* set = closed_form(rule_, Play::kMisere, 0);
  if (set == nullptr) {
    result.skipped = kUnknown;
    return result;
  }
  const std::vector<Position> expected = set->inside(extent_);
  const std::vector<Position> found = misere_p_positions(rule_, extent_);
  result.passed = fmt::format("the misere P-positions by definition are the {} of the closed form",
                              expected.size());
  if (found != expected) {
    const std::size_t shorter = std::min(found.size(), expected.size());
    const auto differ = static_cast<std::size_t>(
        std::mismatch(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shorter),
                      expected.begin())
            .first -
        found.begin());
    std::uint64_t x = extent_.rows;
    if (differ < found.size()) x = found[differ].x;
    if (differ < expected.size()) x = std::min(x, expected[differ].x);
    result.failure = fmt::format("row {}: the definition and the closed form differ", x);
  } else if (set == closed_form(rule_, Play::kNormal, 1) && ones_->wrong.found) {
    // The same set as that of the ones, which the cells have been held against.
    const auto& [cell, value] = *ones_->wrong.found;
    result.failure = fmt::format("cell ({},{}): {}a misere P-position, but {} is stored", cell.x,
                                 cell.y, value == 1 ? "not " : "", value);
  }
  return result;
}

TheoryChecks::Result TheoryChecks::small_sets_result() const {
  Result result{"small sets", std::nullopt, std::nullopt, ""};
  auto expected = small_set(rule_);
  if (!expected) {
    result.skipped = kUnknown;
    return result;
  }
  if (stored_.x0 >= kSmall || stored_.y0 >= kSmall) {
    result.skipped = fmt::format("no position below {} is stored", kSmall);
    return result;
  }
  std::erase_if(expected->positions, [this](Position p) { return !stored_.contains(p); });
  if (expected->positions != small_)
    result.failure = fmt::format("value {} below {} at{}, not at{}", expected->value, kSmall,
                                 list_of(small_), list_of(expected->positions));
  result.passed = fmt::format("value {} below {} at{}", expected->value, kSmall, list_of(small_));
  return result;
}

std::vector<TheoryChecks::Result> TheoryChecks::results() const {
  std::vector<Result> results;
  results.push_back(closed_form_result("closed form", zeros_, "the zeros are the P-positions,"));
  results.push_back(closed_form_result("ones", ones_, "the cells of value 1 are"));
  results.push_back(misere_result());
  const auto add_lemma = [&](const char* name, const FirstCell& first, const auto& failure,
                             std::string passed) {
    results.push_back({name, std::nullopt, std::nullopt, std::move(passed)});
    if (first.found) results.back().failure = failure(*first.found);
  };
  add_lemma(
      "lemma 8", lemma_8_,
      [](const FirstCell::Found& f) {
        return fmt::format("cell ({},{}): a move leads from this 0 to another", f.cell.x, f.cell.y);
      },
      fmt::format("no move leads from one of the {} zeros to another", zeros_seen_));
  add_lemma(
      "lemma 12", lemma_12_,
      [](const FirstCell::Found& f) {
        return fmt::format("cell ({},{}): {} is stored, and no move leads to a 0", f.cell.x,
                           f.cell.y, f.value);
      },
      fmt::format("from each of the {} other cells a move leads to a zero",
                  stored_.extent.cells() - zeros_seen_));
  results.push_back(small_sets_result());
  return results;
}

std::vector<Position> misere_p_positions(const Rule& rule, const Extent& extent) {
  const std::uint64_t rows = extent.rows;
  const std::uint64_t cols = extent.cols;
  // Lines that hold one already, as in TheoryChecks.
  std::vector<std::uint64_t> columns(cols / 64 + 1);
  std::vector<std::uint64_t> diagonals((rows + cols) / 64 + 3);
  std::vector<Position> found;
  const auto find_in_row = [&](std::uint64_t x) {
    for (std::uint64_t y = 0; y < cols; y += 64) {
      std::uint64_t free = ~(columns[y / 64] | bits_from(diagonals, rows + y - x));
      for (free &= low_bits(cols - y); free != 0; free &= free - 1) {
        const Position p{x, y + static_cast<std::uint64_t>(std::countr_zero(free))};
        if (!rule.is_terminal(p)) return std::optional(p);
      }
    }
    return std::optional<Position>();
  };
  for (std::uint64_t x = 0; x < rows; ++x) {
    if (const auto p = find_in_row(x)) {
      found.push_back(*p);
      set_bits_from(columns, p->y, 1);
      set_bits_from(diagonals, rows + p->y - x, 1);
    }
  }
  return found;
}

}  // namespace grundy
