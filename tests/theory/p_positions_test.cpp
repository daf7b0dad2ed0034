#include "grundy/theory/p_positions.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/theory/beatty.hpp"
#include "grundy/theory/hofstadter.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kLast = kClosedFormLimit - 1;
constexpr std::uint64_t kSide = 200;

// The game with terminal set x+y <= terminal_sum, and the closed forms claimed for it.
struct Game {
  const char* name;
  std::uint64_t terminal_sum;
  bool (*is_p)(Position);
  std::vector<Position> (*p_positions)(Extent);
  Position (*term)(std::uint64_t n);  // the n-th P-position off the main diagonal, x < y
};

// So that test listings and failures show the game, not its bytes.
void PrintTo(const Game& game, std::ostream* out) { *out << game.name; }

// By definition: the value of a cell is the least one that no move from it reaches.
std::vector<Position> brute_force_p_positions(Extent extent, std::uint64_t terminal_sum) {
  std::vector<std::vector<std::uint64_t>> value(extent.rows,
                                                std::vector<std::uint64_t>(extent.cols));
  std::vector<Position> found;
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = 0; y < extent.cols; ++y) {
      if (x + y > terminal_sum) {
        std::vector<bool> reached(x + y + 2);
        for (std::uint64_t t = 1; t <= x; ++t) reached[value[x - t][y]] = true;
        for (std::uint64_t t = 1; t <= y; ++t) reached[value[x][y - t]] = true;
        for (std::uint64_t t = 1; t <= std::min(x, y); ++t) reached[value[x - t][y - t]] = true;
        while (reached[value[x][y]]) ++value[x][y];
      }
      if (value[x][y] == 0) found.push_back({x, y});
    }
  }
  return found;
}

class PPositions : public testing::TestWithParam<Game> {};

TEST_P(PPositions, ListsMatchBruteForceOnSquaresAndRectangles) {
  const auto& game = GetParam();
  for (const Extent extent : {Extent{kSide, kSide}, Extent{40, 250}, Extent{250, 40}, Extent{1, 90},
                              Extent{90, 1}, Extent{2, 3}, Extent{1, 1}}) {
    EXPECT_EQ(game.p_positions(extent), brute_force_p_positions(extent, game.terminal_sum))
        << extent.rows << " x " << extent.cols;
  }
}

TEST_P(PPositions, EmptyExtentHasNone) {
  EXPECT_TRUE(GetParam().p_positions({0, 0}).empty());
  EXPECT_TRUE(GetParam().p_positions({0, 5}).empty());
  EXPECT_TRUE(GetParam().p_positions({5, 0}).empty());
}

TEST_P(PPositions, PredicateMatchesBruteForceInEveryCell) {
  const auto& game = GetParam();
  std::vector<Position> accepted;
  for (std::uint64_t x = 0; x < kSide; ++x) {
    for (std::uint64_t y = 0; y < kSide; ++y) {
      if (game.is_p({x, y})) accepted.push_back({x, y});
    }
  }
  EXPECT_EQ(accepted, brute_force_p_positions({kSide, kSide}, game.terminal_sum));
}

TEST_P(PPositions, PredicateAcceptsEveryListedPosition) {
  for (const Position p : GetParam().p_positions({50'000, 100'000})) {
    ASSERT_TRUE(GetParam().is_p(p)) << p.x << ',' << p.y;
  }
}

// At most one in a row, for one of two would be an option of the other; at least one, for the
// finitely many P-positions in lower rows cannot make every cell of the row an N-position.
TEST_P(PPositions, ListHoldsEveryNonterminalRowOnce) {
  const std::uint64_t rows = 10'000;
  const auto list = GetParam().p_positions({rows, 3 * rows});
  std::uint64_t row = GetParam().terminal_sum + 1;
  for (const Position p : list) {
    if (p.x > GetParam().terminal_sum) {
      ASSERT_EQ(p.x, row++);
    }
  }
  EXPECT_EQ(row, rows);
}

TEST_P(PPositions, CoordinatesFromTheLimitOnThrow) {
  const auto is_p = GetParam().is_p;
  EXPECT_FALSE(is_p({kLast, kLast}));
  EXPECT_FALSE(is_p({0, kLast}));
  EXPECT_THROW((void)is_p({kClosedFormLimit, 0}), std::out_of_range);
  EXPECT_THROW((void)is_p({0, kClosedFormLimit}), std::out_of_range);
  EXPECT_THROW((void)is_p({kClosedFormLimit + 2, kClosedFormLimit + 1}), std::out_of_range);
}

// p is a P-position; the six neighbours that it attacks, or that attack it, are not.
void expect_p_among_n(const Game& game, Position p) {
  EXPECT_TRUE(game.is_p(p)) << p.x << ',' << p.y;
  EXPECT_TRUE(game.is_p({p.y, p.x})) << p.y << ',' << p.x;
  for (const Position n :
       {Position{p.x - 1, p.y}, Position{p.x + 1, p.y}, Position{p.x, p.y - 1},
        Position{p.x, p.y + 1}, Position{p.x - 1, p.y - 1}, Position{p.x + 1, p.y + 1}}) {
    EXPECT_FALSE(game.is_p(n)) << n.x << ',' << n.y;
    EXPECT_FALSE(game.is_p({n.y, n.x})) << n.y << ',' << n.x;
  }
}

TEST_P(PPositions, LargeTermsAreAcceptedAndTheirNeighboursAreNot) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t n = 1000 + (random() >> 4);  // keeps upper_wythoff(n) below 2^62
    expect_p_among_n(GetParam(), GetParam().term(n));
  }
}

// Far beyond any table. A P-position in row x lies near y = x*phi or y = x/phi.
TEST_P(PPositions, EveryLargeRowHoldsExactlyOne) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t x = 1000 + (random() >> 3);  // keeps x*phi below 2^62
    const std::uint64_t above = lower_wythoff(x);
    const std::uint64_t below = above - x;
    int count = 0;
    for (std::uint64_t d = 0; d <= 10; ++d) {
      count += GetParam().is_p({x, above + d - 5}) ? 1 : 0;
      count += GetParam().is_p({x, below + d - 5}) ? 1 : 0;
    }
    EXPECT_EQ(count, 1) << "row " << x;
  }
}

constexpr Game kClassic{"classic", 0, is_classic_p, classic_p_positions, [](std::uint64_t n) {
                          return Position{lower_wythoff(n), upper_wythoff(n)};
                        }};

constexpr Game kExtended{"extended", 2, is_extended_p, extended_p_positions, [](std::uint64_t n) {
                           const std::uint64_t g = extended_shift(n);
                           return Position{lower_wythoff(n) + g - 1, upper_wythoff(n) + g};
                         }};

INSTANTIATE_TEST_SUITE_P(Games, PPositions, testing::Values(kClassic, kExtended),
                         [](const auto& game) { return game.param.name; });

TEST(ExtendedPPositions, IncludeEveryTerminalPosition) {
  const std::vector<Position> terminal{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}};
  EXPECT_EQ(extended_p_positions({3, 3}), terminal);
}

}  // namespace
}  // namespace grundy
