#include "grundy/game/rule.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;

// All positions x+y <= k, in order.
std::vector<Position> triangle_cells(std::uint64_t k) {
  std::vector<Position> cells;
  for (std::uint64_t x = 0; x <= k; ++x)
    for (std::uint64_t y = 0; x + y <= k; ++y) cells.push_back({x, y});
  return cells;
}

testing::AssertionResult refuses(std::string_view text, std::string_view part) {
  return support::throws_naming<UsageError>(part, [&] { (void)Rule::parse(text); });
}

// ---- what the texts mean ------------------------------------------------------------------------

TEST(Rule, ClassicEndsAtTheCornerOnly) {
  EXPECT_EQ(to_text(Rule::parse("classic").terminal_cells()), "0,0");
  EXPECT_EQ(Rule::parse("classic"), Rule::classic());
}

TEST(Rule, ExtendedEndsInSixPositions) {
  EXPECT_EQ(to_text(Rule::parse("extended").terminal_cells()), "0,0;0,1;0,2;1,0;1,1;2,0");
  EXPECT_EQ(Rule::parse("extended"), Rule::extended());
}

TEST(Rule, TriangleEndsWhereTheSumIsAtMostK) {
  for (std::uint64_t k = 0; k < 12; ++k) {
    const Rule rule = Rule::parse("triangle:" + std::to_string(k));
    EXPECT_EQ(to_text(rule.terminal_cells()), to_text(triangle_cells(k)));
    EXPECT_EQ(rule, Rule::triangle(k));
    EXPECT_TRUE(rule.symmetric());
  }
}

TEST(Rule, TriangleOfLargestSizeIsAccepted) {
  const Rule rule = Rule::parse("triangle:1048576");
  EXPECT_TRUE(rule.is_terminal({1048576, 0}));
  EXPECT_TRUE(rule.is_terminal({500'000, 548'576}));
  EXPECT_FALSE(rule.is_terminal({1, 1048576}));
  EXPECT_EQ(rule.terminal_count(), std::uint64_t{1048577} * 1048578 / 2);
  EXPECT_EQ(rule.name(), "triangle:1048576");
}

TEST(Rule, CellsEndAtTheListedPositions) {
  EXPECT_EQ(to_text(Rule::parse("cells:3,1;0,0;2,7").terminal_cells()), "0,0;2,7;3,1");
  EXPECT_EQ(Rule::parse("cells:3,1;0,0;2,7"), Rule::cells({{2, 7}, {3, 1}}));
}

TEST(Rule, CornerIsTerminalEvenIfNotListed) {
  for (const char* text : {"classic", "cells:5,5", "cells:1,0", "cells:0,3;3,0"})
    EXPECT_TRUE(Rule::parse(text).is_terminal({0, 0})) << text;
  EXPECT_EQ(Rule::cells({}), Rule::classic());
}

TEST(Rule, LargestCoordinateIsAccepted) {
  const Rule rule = Rule::parse("cells:4294967295,4294967295");
  EXPECT_TRUE(rule.is_terminal({4294967295, 4294967295}));
  EXPECT_FALSE(rule.is_terminal({4294967295, 4294967294}));
  EXPECT_FALSE(rule.is_terminal({~std::uint64_t{0}, 0}));
}

TEST(Rule, LongestListIsAccepted) {
  std::string text = "cells:0,0";
  for (std::size_t i = 1; i < Rule::kMaxCells; ++i) text += ";7," + std::to_string(i);
  const Rule rule = Rule::parse(text);
  EXPECT_EQ(rule.terminal_count(), Rule::kMaxCells);
  EXPECT_EQ(Rule::parse(rule.name()), rule);
}

// ---- one form for one set -----------------------------------------------------------------------

TEST(RuleName, IsTheShortestKnownOne) {
  const std::vector<std::pair<const char*, const char*>> names{
      {"classic", "classic"},
      {"triangle:0", "classic"},
      {"triangle:000", "classic"},
      {"cells:0,0", "classic"},
      {"triangle:1", "triangle:1"},
      {"cells:1,0;0,1", "triangle:1"},
      {"extended", "extended"},
      {"triangle:2", "extended"},
      {"cells:2,0;1,1;0,2;1,0;0,1;0,0", "extended"},
      {"cells:2,0;1,1;0,2;1,0;0,1", "extended"},
      {"triangle:3", "triangle:3"},
      {"cells:5,5", "cells:0,0;5,5"},
      {"cells:05,0005", "cells:0,0;5,5"},
      // Not whole triangles: an anti-diagonal is missing or incomplete.
      {"cells:1,0", "cells:0,0;1,0"},
      {"cells:2,0;1,1;0,2", "cells:0,0;0,2;1,1;2,0"},
      {"cells:1,0;0,1;1,1", "cells:0,0;0,1;1,0;1,1"},
      {"cells:9,9;1,0;0,1", "cells:0,0;0,1;1,0;9,9"},
  };
  for (const auto& [text, name] : names) EXPECT_EQ(Rule::parse(text).name(), name) << text;
}

TEST(RuleName, ReadsBackAsTheSameRule) {
  RandomCase random(11);
  for (int i = 0; i < support::cases(2000); ++i) {
    const Rule rule = random.rule();
    ASSERT_EQ(Rule::parse(rule.name()), rule) << rule.name();
    ASSERT_EQ(Rule::parse(rule.name()).name(), rule.name());
  }
}

TEST(RuleName, DependsOnTheSetAndNotOnTheOrderOfItsCells) {
  RandomCase random(12);
  for (int i = 0; i < support::cases(2000); ++i) {
    const Rule rule = random.rule();
    std::vector<Position> cells = rule.terminal_cells();
    random.shuffle(cells);
    ASSERT_EQ(Rule::cells(cells), rule) << to_text(cells);
    ASSERT_EQ(Rule::cells(cells).name(), rule.name());
    ASSERT_EQ(Rule::parse("cells:" + to_text(cells)), rule);
  }
}

TEST(RuleEquality, TellsSetsApart) {
  EXPECT_NE(Rule::classic(), Rule::extended());
  EXPECT_NE(Rule::parse("cells:1,2"), Rule::parse("cells:2,1"));
  EXPECT_NE(Rule::parse("cells:1,2"), Rule::classic());
  EXPECT_NE(Rule::parse("cells:0,1;1,0;5,5"), Rule::parse("cells:5,5"));
}

// ---- questions about a rule ---------------------------------------------------------------------

TEST(Rule, IsTerminalExactlyOnTheListedCells) {
  RandomCase random(13);
  for (int i = 0; i < support::cases(400); ++i) {
    const Rule rule = random.rule();
    const std::vector<Position> listed = rule.terminal_cells();
    const std::set<Position> set(listed.begin(), listed.end());
    ASSERT_TRUE(std::is_sorted(listed.begin(), listed.end())) << to_text(listed);
    ASSERT_EQ(set.size(), rule.terminal_count()) << to_text(listed);
    ASSERT_EQ(set.size(), listed.size()) << to_text(listed);
    for (std::uint64_t x = 0; x < 33; ++x)
      for (std::uint64_t y = 0; y < 33; ++y)
        ASSERT_EQ(rule.is_terminal({x, y}), set.contains({x, y}))
            << x << ',' << y << " of " << rule.name();
  }
}

TEST(Rule, KnowsTheCellsItWasGiven) {
  RandomCase random(14);
  for (int i = 0; i < support::cases(400); ++i) {
    std::set<Position> given;
    while (given.size() < 20) given.insert({random.below(8), random.below(8)});
    const Rule rule = Rule::cells({given.begin(), given.end()});
    given.insert({0, 0});
    ASSERT_EQ(to_text(rule.terminal_cells()), to_text({given.begin(), given.end()}));
  }
}

TEST(Rule, IsSymmetricWhenItsMirrorImageIsTheSameRule) {
  RandomCase random(15);
  int symmetric = 0;
  constexpr int kCases = support::cases(2000);
  for (int i = 0; i < kCases; ++i) {
    const Rule rule = random.rule();
    std::vector<Position> mirrored = rule.terminal_cells();
    for (Position& p : mirrored) std::swap(p.x, p.y);
    ASSERT_EQ(rule.symmetric(), Rule::cells(mirrored) == rule) << rule.name();
    symmetric += rule.symmetric() ? 1 : 0;
  }
  // The random rules are worth their name.
  EXPECT_GT(symmetric, kCases / 4);
  EXPECT_LT(symmetric, kCases * 3 / 4);
}

TEST(Rule, SymmetryOfSomeKnownRules) {
  EXPECT_TRUE(Rule::classic().symmetric());
  EXPECT_TRUE(Rule::extended().symmetric());
  EXPECT_TRUE(Rule::parse("cells:3,5;5,3").symmetric());
  EXPECT_TRUE(Rule::parse("cells:4,4").symmetric());
  EXPECT_FALSE(Rule::parse("cells:3,5").symmetric());
  EXPECT_FALSE(Rule::parse("cells:3,5;5,3;0,1").symmetric());
  EXPECT_FALSE(Rule::parse("cells:0,1;1,0;4,3").symmetric());
}

// ---- what is refused ----------------------------------------------------------------------------

TEST(RuleParse, RefusesUnknownNames) {
  for (const char* text :
       {"", "nim", "Classic", "CLASSIC", "classic ", " classic", "classic:", "classic\n",
        "extended:1", "triangle", "cells", "triangles:1", "triangle 1", "cell:1,2", ":", "1,2"})
    EXPECT_TRUE(refuses(text, "'" + std::string(text) + "'")) << text;
  EXPECT_TRUE(refuses(std::string_view("classic\0", 8), "'classic"));
  EXPECT_TRUE(refuses(std::string(1'000'000, 'x'), "xxx"));
}

TEST(RuleParse, RefusesTrianglesThatAreNoNumberOrTooLarge) {
  const std::vector<std::pair<const char*, const char*>> malformed{
      {"triangle:", "''"},
      {"triangle:-1", "'-1'"},
      {"triangle:+1", "'+1'"},
      {"triangle: 1", "' 1'"},
      {"triangle:1 ", "'1 '"},
      {"triangle:two", "'two'"},
      {"triangle:1.5", "'1.5'"},
      {"triangle:0x2", "'0x2'"},
      {"triangle:2:3", "'2:3'"},
      {"triangle:1048577", "1048577"},
      {"triangle:18446744073709551615", "18446744073709551615"},  // K + 1 would be 0
      {"triangle:18446744073709551616", "18446744073709551616"},
      {"triangle:99999999999999999999", "99999999999999999999"},
  };
  for (const auto& [text, part] : malformed) EXPECT_TRUE(refuses(text, part)) << text;
}

TEST(RuleParse, RefusesMalformedCells) {
  const std::vector<std::pair<const char*, const char*>> malformed{
      {"cells:", "''"},           {"cells:;", "''"},        {"cells:,", "''"},
      {"cells:1", "'1'"},         {"cells:1,", "''"},       {"cells:,1", "''"},
      {"cells:1;2", "'1'"},       {"cells:1,2;", "''"},     {"cells:;1,2", "''"},
      {"cells:1,2;;3,4", "''"},   {"cells:1,2,3", "'2,3'"}, {"cells: 1,2", "' 1'"},
      {"cells:1, 2", "' 2'"},     {"cells:1 ,2", "'1 '"},   {"cells:1,2 ", "'2 '"},
      {"cells:1,2; 3,4", "' 3'"}, {"cells:a,b", "'a'"},     {"cells:1,b", "'b'"},
      {"cells:-1,2", "'-1'"},     {"cells:1,-2", "'-2'"},   {"cells:+1,2", "'+1'"},
      {"cells:1.0,2", "'1.0'"},   {"cells:(1,2)", "'(1'"},  {"cells:1:2", "'1:2'"},
  };
  for (const auto& [text, part] : malformed) EXPECT_TRUE(refuses(text, part)) << text;
  EXPECT_TRUE(refuses("cells:" + std::string(1'000'000, 'x'), "xxx"));
}

TEST(RuleParse, RefusesCellsNamedTwice) {
  EXPECT_TRUE(refuses("cells:1,2;1,2", "1,2"));
  EXPECT_TRUE(refuses("cells:1,2;3,4;01,02", "1,2"));
  EXPECT_TRUE(refuses("cells:0,0;0,0", "0,0"));
}

TEST(RuleParse, RefusesCoordinatesThatAreTooLarge) {
  EXPECT_TRUE(refuses("cells:4294967296,0", "4294967296"));
  EXPECT_TRUE(refuses("cells:0,4294967296", "4294967296"));
  EXPECT_TRUE(refuses("cells:18446744073709551615,18446744073709551615", "18446744073709551615"));
  EXPECT_TRUE(refuses("cells:0,18446744073709551616", "18446744073709551616"));
}

TEST(RuleParse, RefusesMoreCellsThanARuleMayHave) {
  std::string text = "cells:0,1";
  for (int i = 2; i <= 4096; ++i) text += ";0," + std::to_string(i);
  EXPECT_TRUE(refuses(text, "4096")) << "4096 cells and the corner";
  for (int i = 4097; i <= 1'000'000; ++i) text += ";0," + std::to_string(i);
  EXPECT_TRUE(refuses(text, "4096"));
  EXPECT_TRUE(
      support::throws_naming<UsageError>("5151", [] { (void)Rule::cells(triangle_cells(100)); }));
}

}  // namespace
}  // namespace grundy
