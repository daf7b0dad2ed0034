#include "grundy/theory/closed_form_set.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/theory/beatty.hpp"
#include "grundy/theory/hofstadter.hpp"

#include "support/definition.hpp"
#include "support/random_case.hpp"
#include "support/reference_data.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::to_text;

constexpr std::uint64_t kLast = kClosedFormLimit - 1;
constexpr std::uint64_t kSide = 300;

// A set, and what it is claimed to be.
struct Claim {
  const char* name;
  const ClosedFormSet& (*set)();
  std::uint64_t terminal_sum;  // of the game with terminal set x+y <= terminal_sum
  Play play;
  std::uint64_t value;
  std::uint64_t shift;  // index n lies on diagonal n + shift
};

// So that test listings and failures show the claim, not its bytes.
void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.name; }

std::vector<Position> by_definition(const Claim& claim, const Extent& extent) {
  const auto terminal = Rule::triangle(claim.terminal_sum).terminal_cells();
  if (claim.play == Play::kMisere) return support::misere_p_by_definition(terminal, extent);
  const auto values = support::values_by_definition(terminal, extent);
  std::vector<Position> found;
  for (std::uint64_t x = 0; x < extent.rows; ++x)
    for (std::uint64_t y = 0; y < extent.cols; ++y)
      if (values[x][y] == claim.value) found.push_back({x, y});
  return found;
}

class ClosedForm : public testing::TestWithParam<Claim> {
 protected:
  [[nodiscard]] static const ClosedFormSet& set() { return GetParam().set(); }
};

TEST_P(ClosedForm, ListsMatchTheDefinitionOnSquaresAndRectangles) {
  for (const Extent extent : {Extent{kSide, kSide}, Extent{40, 250}, Extent{250, 40}, Extent{1, 90},
                              Extent{90, 1}, Extent{2, 3}, Extent{1, 1}})
    EXPECT_EQ(to_text(set().inside(extent)), to_text(by_definition(GetParam(), extent)))
        << extent.rows << " x " << extent.cols;
}

TEST_P(ClosedForm, EmptyExtentHasNone) {
  EXPECT_TRUE(set().inside({0, 0}).empty());
  EXPECT_TRUE(set().inside({0, 5}).empty());
  EXPECT_TRUE(set().inside({5, 0}).empty());
}

TEST_P(ClosedForm, MembershipMatchesTheListInEveryCell) {
  std::vector<Position> accepted;
  for (std::uint64_t x = 0; x < kSide; ++x)
    for (std::uint64_t y = 0; y < kSide; ++y)
      if (set().contains({x, y})) accepted.push_back({x, y});
  EXPECT_EQ(accepted, set().inside({kSide, kSide}));
}

TEST_P(ClosedForm, RowsAndDiagonalsMatchTheList) {
  const std::vector<Position> list = set().inside({3 * kSide, 3 * kSide});
  for (std::uint64_t i = 0; i < kSide; ++i) {
    std::vector<std::uint64_t> row;
    std::vector<Position> diagonal;
    for (const Position& p : list) {
      if (p.x == i) row.push_back(p.y);
      if (p.y - p.x == i && p.x <= p.y) diagonal.push_back(p);
    }
    EXPECT_EQ(set().in_row(i), row) << i;
    EXPECT_EQ(set().on_diagonal(i), diagonal) << i;
  }
}

TEST_P(ClosedForm, ReachablePositionsAreThoseOfTheListOnThreeLines) {
  const std::vector<Position> list = set().inside({kSide, kSide});
  support::RandomCase random(61);
  for (int round = 0; round < 3000; ++round) {
    const Position from = round < 1600
                              ? Position{std::uint64_t(round) / 40, std::uint64_t(round) % 40}
                              : Position{random.below(kSide), random.below(kSide)};
    std::vector<Position> reachable;
    for (const Position& p : list)
      if ((p.x == from.x && p.y < from.y) || (p.y == from.y && p.x < from.x) ||
          (p.x < from.x && p.y < from.y && from.x - p.x == from.y - p.y))
        reachable.push_back(p);
    EXPECT_EQ(to_text(set().reachable_from(from)), to_text(reachable)) << to_text(from);
  }
}

TEST_P(ClosedForm, MembershipAcceptsEveryListedPosition) {
  for (const Position p : set().inside({50'000, 100'000})) {
    ASSERT_TRUE(set().contains(p)) << to_text(p);
    const auto columns = set().in_row(p.x);
    ASSERT_TRUE(std::find(columns.begin(), columns.end(), p.y) != columns.end()) << to_text(p);
  }
}

// At most one in a row, for one of two would be an option of the other; at least one, for the
// finitely many P-positions in lower rows cannot make every cell of the row an N-position.
TEST_P(ClosedForm, HasOnePositionInEveryNonterminalRow) {
  const std::uint64_t rows = 10'000;
  std::uint64_t row = GetParam().terminal_sum + 1;
  for (const Position p : set().inside({rows, 3 * rows})) {
    if (p.x > GetParam().terminal_sum) {
      ASSERT_EQ(p.x, row++);
    }
  }
  EXPECT_EQ(row, rows);
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t x =
        i < 5000 ? kLast - static_cast<std::uint64_t>(i) : 100 + (random() >> 3);
    const auto columns = set().in_row(x);
    ASSERT_EQ(columns.size(), 1U) << "row " << x;
    if (columns[0] < kClosedFormLimit) {
      EXPECT_TRUE(set().contains({x, columns[0]})) << "row " << x;
      EXPECT_EQ(set().in_row(columns[0]), std::vector{x}) << "row " << x;
    }
  }
}

TEST_P(ClosedForm, IndexLeadsBackToThePosition) {
  for (std::uint64_t n = 10; n < 2000; ++n) {
    const Position p = set().pair(n + GetParam().shift);
    EXPECT_EQ(set().index(p), n);
    EXPECT_EQ(set().index({p.y, p.x}), n);
    EXPECT_EQ(set().index({p.x + 1, p.y}), std::nullopt);
  }
  for (const Position& p : set().small()) EXPECT_EQ(set().index(p), std::nullopt) << to_text(p);
}

TEST_P(ClosedForm, ArgumentsFromTheLimitOnThrow) {
  EXPECT_FALSE(set().contains({kLast, kLast}));
  EXPECT_FALSE(set().contains({0, kLast}));
  EXPECT_EQ(set().on_diagonal(kLast).size(), 1U);
  for (const std::uint64_t value :
       {kClosedFormLimit, kClosedFormLimit + 1, 2 * kClosedFormLimit, ~std::uint64_t{0}}) {
    EXPECT_THROW((void)set().contains({value, 0}), std::out_of_range);
    EXPECT_THROW((void)set().contains({0, value}), std::out_of_range);
    EXPECT_THROW((void)set().contains({value, value}), std::out_of_range);
    EXPECT_THROW((void)set().in_row(value), std::out_of_range);
    EXPECT_THROW((void)set().on_diagonal(value), std::out_of_range);
    EXPECT_THROW((void)set().reachable_from({value, 1}), std::out_of_range);
    EXPECT_THROW((void)set().reachable_from({1, value}), std::out_of_range);
    EXPECT_THROW((void)set().index({value, value}), std::out_of_range);
  }
}

// The set is that of the P-positions of its game plus a heap: nothing in it reaches another one,
// everything else, terminal positions aside, does. Where brute force is out of reach this is what
// is left to check.
TEST_P(ClosedForm, OfLargeCoordinatesReachesTheSetFromOutsideOnly) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const Position p{random() & kLast, random() & kLast};
    EXPECT_TRUE(set().contains(p) || !set().reachable_from(p).empty() || GetParam().value == 1)
        << to_text(p);
    for (const Position& target : set().reachable_from(p)) {
      EXPECT_TRUE(set().contains(target)) << to_text(target);
      EXPECT_TRUE(set().reachable_from(target).empty()) << to_text(target);
    }
  }
}

// p is in the set; the six neighbours that it attacks, or that attack it, are not.
void expect_member_among_others(const ClosedFormSet& set, Position p) {
  EXPECT_TRUE(set.contains(p)) << to_text(p);
  EXPECT_TRUE(set.contains({p.y, p.x})) << to_text(p);
  for (const Position n :
       {Position{p.x - 1, p.y}, Position{p.x + 1, p.y}, Position{p.x, p.y - 1},
        Position{p.x, p.y + 1}, Position{p.x - 1, p.y - 1}, Position{p.x + 1, p.y + 1}}) {
    EXPECT_FALSE(set.contains(n)) << to_text(n);
    EXPECT_FALSE(set.contains({n.y, n.x})) << to_text(n);
  }
}

TEST_P(ClosedForm, LargePairsAreAcceptedAndTheirNeighboursAreNot) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t d = 1000 + (random() >> 4);  // keeps d*phi^2 below 2^62
    expect_member_among_others(set(), set().pair(d));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sets, ClosedForm,
    testing::Values(
        Claim{"classic_p", ClosedFormSet::classic_p, 0, Play::kNormal, 0, 0},
        Claim{"extended_p", ClosedFormSet::extended_p, 2, Play::kNormal, 0, 1},
        Claim{"classic_misere_p", ClosedFormSet::classic_misere_p, 0, Play::kMisere, 0, 0},
        Claim{"extended_ones", ClosedFormSet::extended_ones, 2, Play::kNormal, 1, 0},
        Claim{"extended_misere_p", ClosedFormSet::extended_ones, 2, Play::kMisere, 0, 0}),
    [](const auto& claim) { return claim.param.name; });

TEST(ClosedFormSet, ClassicPartnersAreOeisA002251) {
  for (std::uint64_t x = 0; x < support::kA002251.size(); ++x)
    EXPECT_EQ(ClosedFormSet::classic_p().in_row(x),
              std::vector<std::uint64_t>{support::kA002251[x]});
}

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with a typedef only
__extension__ typedef unsigned __int128 Wide;

// By the square root of 5n^2, which the library does not use.
std::uint64_t floor_n_phi(std::uint64_t n) {
  const Wide square = Wide{n} * n * 5;
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U)
    if (Wide{root | bit} * (root | bit) <= square) root |= bit;
  return static_cast<std::uint64_t>((Wide{n} + root) / 2);
}

// Wythoff's decision procedure: of a <= b, a decides which b makes a P-position.
bool is_classic_p_by_procedure(Position p) {
  const auto [a, b] = std::minmax(p.x, p.y);
  const std::uint64_t j = floor_n_phi(a) - a;  // floor(a/phi)
  if (floor_n_phi(j) == a) return b == a + j;
  if (floor_n_phi(j + 1) == a) return b == a + j + 1;
  return false;  // a is no smaller coordinate of a pair
}

TEST(ClosedFormSet, ClassicMembershipIsThatOfTheDecisionProcedure) {
  for (std::uint64_t x = 0; x < kSide; ++x)
    for (std::uint64_t y = 0; y < kSide; ++y)
      ASSERT_EQ(ClosedFormSet::classic_p().contains({x, y}), is_classic_p_by_procedure({x, y}))
          << x << ',' << y;
  std::mt19937_64 random(7);
  int members = 0;
  const auto expect_same = [&members](std::uint64_t x, std::uint64_t y) {
    if (x > kLast || y > kLast) return;
    const bool is_p = is_classic_p_by_procedure({x, y});
    ASSERT_EQ(ClosedFormSet::classic_p().contains({x, y}), is_p) << x << ',' << y;
    members += is_p ? 1 : 0;
  };
  for (int i = 0; i < 2000; ++i) {
    // A random position, and those around the pair on a random diagonal and in a random row: up to
    // 2^62, of all magnitudes and at the very end.
    const std::uint64_t x =
        i < 200 ? kLast - std::uint64_t(i) : (random() & kLast) >> random() % 60;
    expect_same(x, (random() & kLast) >> random() % 60);
    const Position pair = ClosedFormSet::classic_p().pair(x / 4);
    const std::uint64_t low = floor_n_phi(x) - x;  // in the pair whose other coordinate is near x
    for (std::uint64_t near = 0; near < 7; ++near) {
      for (std::uint64_t beside = 0; beside < 5; ++beside) {
        expect_same(pair.x + near - 3, pair.y + beside - 2);
        expect_same(low + near - 3, x - beside);
        expect_same(x - beside, low + near - 3);
      }
    }
  }
  EXPECT_GT(members, 4000);
}

TEST(ClosedFormSet, ExtendedPPositionsIncludeEveryTerminalPosition) {
  EXPECT_EQ(to_text(ClosedFormSet::extended_p().inside({3, 3})), "0,0;0,1;0,2;1,0;1,1;2,0");
}

TEST(ClosedFormSet, ExtendedPairsFollowTheirDefinition) {
  for (std::uint64_t n = 0; n < 1000; ++n) {
    const std::uint64_t g = extended_shift(n);
    EXPECT_EQ(ClosedFormSet::extended_p().pair(n + 1),
              (Position{lower_wythoff(n) + g - 1, upper_wythoff(n) + g}));
  }
}

TEST(ClosedFormSet, OnlyProvedSetsAreOffered) {
  EXPECT_EQ(closed_form(Rule::classic(), Play::kNormal, 0), &ClosedFormSet::classic_p());
  EXPECT_EQ(closed_form(Rule::extended(), Play::kNormal, 0), &ClosedFormSet::extended_p());
  EXPECT_EQ(closed_form(Rule::extended(), Play::kNormal, 1), &ClosedFormSet::extended_ones());
  EXPECT_EQ(closed_form(Rule::classic(), Play::kMisere, 0), &ClosedFormSet::classic_misere_p());
  EXPECT_EQ(closed_form(Rule::extended(), Play::kMisere, 0), &ClosedFormSet::extended_ones());
  EXPECT_EQ(closed_form(Rule::classic(), Play::kNormal, 1), nullptr);
  EXPECT_EQ(closed_form(Rule::extended(), Play::kNormal, 2), nullptr);
  EXPECT_EQ(closed_form(Rule::classic(), Play::kMisere, 1), nullptr);
  EXPECT_EQ(closed_form(Rule::extended(), Play::kMisere, 1), nullptr);
  EXPECT_EQ(closed_form(Rule::triangle(3), Play::kNormal, 0), nullptr);
  EXPECT_EQ(closed_form(Rule::triangle(1), Play::kMisere, 0), nullptr);
}

}  // namespace
}  // namespace grundy
