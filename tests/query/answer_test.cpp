#include "grundy/query/answer.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/dataset/writer.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/query/level_targets.hpp"
#include "grundy/theory/beatty.hpp"

#include "dataset/table_files.hpp"
#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::throws_naming;
using support::to_text;

constexpr std::uint64_t kLast = kClosedFormLimit - 1;

std::string text(const Answer& answer) {
  std::string text = answer.outcome == Outcome::kP ? "P" : "N";
  for (const auto& [p, heap] : answer.winning_moves)
    text += ' ' + to_text(p) + (heap != 0 ? '+' + std::to_string(heap) : "");
  return text;
}

/// The P-positions of a rule below a side, by definition, and answers from them.
class ByDefinition {
 public:
  ByDefinition(const Rule& rule, std::uint64_t side, Play play)
      : rule_(rule),
        play_(play),
        values_(support::values_by_definition(rule.terminal_cells(), {side, side})),
        misere_p_(side, std::vector<bool>(side)) {
    if (play == Play::kMisere)
      for (const Position& p : support::misere_p_by_definition(rule.terminal_cells(), {side, side}))
        misere_p_[p.x][p.y] = true;
  }

  [[nodiscard]] std::string answer(Position from, std::uint64_t heap) const {
    Answer answer;
    if (!rule_.is_terminal(from)) {
      for (std::uint64_t i = 0; i < from.x; ++i) add({i, from.y}, heap, answer);
      for (std::uint64_t j = 0; j < from.y; ++j) add({from.x, j}, heap, answer);
      for (std::uint64_t t = 1; t <= std::min(from.x, from.y); ++t)
        add({from.x - t, from.y - t}, heap, answer);
    }
    for (std::uint64_t z = 0; z < heap; ++z) add(from, z, answer);
    std::sort(answer.winning_moves.begin(), answer.winning_moves.end());
    answer.outcome = is_p(from, heap) ? Outcome::kP : Outcome::kN;
    return text(answer);
  }

  [[nodiscard]] std::uint64_t value(Position p) const { return values_[p.x][p.y]; }

 private:
  [[nodiscard]] bool is_p(Position p, std::uint64_t heap) const {
    return play_ == Play::kMisere ? misere_p_[p.x][p.y] : values_[p.x][p.y] == heap;
  }
  void add(Position to, std::uint64_t heap, Answer& answer) const {
    if (is_p(to, heap)) answer.winning_moves.push_back({to, heap});
  }

  Rule rule_;
  Play play_;
  support::ValueTable values_;
  std::vector<std::vector<bool>> misere_p_;
};

TEST(Answer, MatchesBruteForceForBothRulesAndPlays) {
  const std::uint64_t side = support::kSlowBuild ? 80 : 300;
  for (const Rule& rule : {Rule::classic(), Rule::extended()}) {
    for (const Play play : {Play::kNormal, Play::kMisere}) {
      const ByDefinition expected(rule, side, play);
      for (std::uint64_t x = 0; x < side; ++x) {
        for (std::uint64_t y = 0; y < side; ++y) {
          const Answer found = answer({rule, {x, y}, play, 0});
          ASSERT_EQ(text(found), expected.answer({x, y}, 0)) << rule.name() << ' ' << x << ',' << y;
          ASSERT_EQ(found.source, rule.is_terminal({x, y}) ? Answer::Source::kTerminal
                                                           : Answer::Source::kClosedForm);
          if (found.value) {
            ASSERT_EQ(*found.value, expected.value({x, y}));
          }
        }
      }
    }
  }
}

TEST(Answer, MatchesBruteForceWithOneStoneBesideTheExtendedGame) {
  const std::uint64_t side = support::kSlowBuild ? 60 : 200;
  const ByDefinition expected(Rule::extended(), side, Play::kNormal);
  for (std::uint64_t x = 0; x < side; ++x)
    for (std::uint64_t y = 0; y < side; ++y)
      ASSERT_EQ(text(answer({Rule::extended(), {x, y}, Play::kNormal, 1})),
                expected.answer({x, y}, 1))
          << x << ',' << y;
}

TEST(Answer, MatchesBruteForceForRandomRulesAndHeaps) {
  RandomCase random(91);
  for (int round = 0; round < support::cases(40); ++round) {
    const Rule rule = round % 4 == 0 ? Rule::extended() : random.rule();
    const ByDefinition expected(rule, 40, Play::kNormal);
    for (int i = 0; i < 20; ++i) {
      const Position p{random.below(40), random.below(40)};
      const std::uint64_t heap = random.below(random.coin() ? 4 : 100);
      const Answer found = answer({rule, p, Play::kNormal, heap});
      ASSERT_EQ(text(found), expected.answer(p, heap))
          << rule.name() << ' ' << to_text(p) << " heap " << heap;
      if (found.value) {
        ASSERT_EQ(*found.value, expected.value(p));
      }
    }
  }
}

TEST(Answer, MatchesBruteForceOfMisereForRandomRules) {
  RandomCase random(92);
  for (int round = 0; round < support::cases(40); ++round) {
    const Rule rule = random.rule();
    const ByDefinition expected(rule, 40, Play::kMisere);
    for (int i = 0; i < 40; ++i) {
      const Position p{random.below(40), random.below(40)};
      ASSERT_EQ(text(answer({rule, p, Play::kMisere, 0})), expected.answer(p, 0))
          << rule.name() << ' ' << to_text(p);
    }
  }
}

TEST(Answer, ByLevelsIsThatOfTheTable) {
  RandomCase random(93);
  for (int round = 0; round < support::cases(60); ++round) {
    const Rule rule = random.rule();
    const Position p{random.below(200), random.below(200)};
    const std::uint64_t value = random.below(round % 5 == 0 ? 64 : 4);
    if (rule.is_terminal(p)) continue;
    const Answer expected =
        answer_from_values({rule, p, Play::kNormal, value}, compute_line_values(rule, p),
                           Answer::Source::kComputedTable);
    const LevelTargets found = find_by_levels(rule, Play::kNormal, p, value);
    EXPECT_EQ(found.value == value, expected.outcome == Outcome::kP);
    if (found.value) {
      EXPECT_EQ(found.value, expected.value);
    }
    std::vector<Position> in_game;
    for (const auto& [to, heap] : expected.winning_moves)
      if (to != p) in_game.push_back(to);
    EXPECT_EQ(to_text(found.positions), to_text(in_game)) << rule.name() << ' ' << to_text(p);
  }
}

TEST(Answer, UsesLevelsWhereTablesAreTooLarge) {
  const Answer found = answer({Rule::triangle(4), {100'000, 161'804}, Play::kNormal, 0});
  EXPECT_EQ(found.source, Answer::Source::kLevels);
  for (const auto& [p, heap] : found.winning_moves)
    EXPECT_EQ(answer({Rule::triangle(4), p, Play::kNormal, 0}).outcome, Outcome::kP) << to_text(p);
  // The same question to levels and to the closed form.
  RandomCase random(94);
  for (int round = 0; round < 10; ++round) {
    const Position p{random.below(100'000), random.below(100'000)};
    const LevelTargets levels = find_by_levels(Rule::extended(), Play::kNormal, p, 1);
    std::vector<Position> in_game;
    for (const auto& [to, heap] : answer({Rule::extended(), p, Play::kNormal, 1}).winning_moves)
      if (to != p) in_game.push_back(to);
    EXPECT_EQ(to_text(levels.positions), to_text(in_game));
  }
}

// A table up to such a position would have few cells, but takes memory for its long diagonals.
TEST(Answer, OfThinPositionsUsesLevels) {
  for (const Position p : {Position{0, (1U << 24U) - 2}, Position{(1U << 24U) - 2, 0},
                           Position{63, (1U << 18U) - 2}, Position{7, 1'000'000}}) {
    EXPECT_FALSE(can_compute_table(p)) << to_text(p);
    const Answer found = answer({Rule::triangle(4), p, Play::kNormal, 0});
    EXPECT_EQ(found.source, Answer::Source::kLevels);
    EXPECT_EQ(found.outcome, Outcome::kN) << to_text(p);
    EXPECT_FALSE(found.winning_moves.empty()) << to_text(p);
    for (const auto& [to, heap] : found.winning_moves)
      EXPECT_EQ(answer({Rule::triangle(4), to, Play::kNormal, 0}).outcome, Outcome::kP);
  }
  EXPECT_TRUE(can_compute_table({4095, 4095}));
  EXPECT_FALSE(can_compute_table({4096, 4095}));
  EXPECT_TRUE(can_compute_table({0, kMostTableSum}));
  EXPECT_FALSE(can_compute_table({1, kMostTableSum}));
  EXPECT_FALSE(can_compute_table({kLast, kLast}));
}

TEST(Answer, AddsAValueOnlyWhereATableIsSmall) {
  Question question{Rule::classic(), {4, 6}, Play::kNormal, 0};
  Answer found = answer(question);
  EXPECT_EQ(found.value, std::nullopt);
  EXPECT_EQ(found.value_source, std::nullopt);
  add_value_by_table(question, found);
  EXPECT_EQ(found.value, 9U);
  EXPECT_EQ(found.source, Answer::Source::kClosedForm);
  EXPECT_EQ(found.value_source, Answer::Source::kComputedTable);

  question.position = {4, 7};
  found = answer(question);
  add_value_by_table(question, found);
  EXPECT_EQ(found.value, 0U);
  EXPECT_EQ(found.value_source, Answer::Source::kClosedForm);

  for (const Question& other : {Question{Rule::extended(), {0, (1U << 24U) - 2}, Play::kNormal, 0},
                                Question{Rule::classic(), {4, 6}, Play::kMisere, 0}}) {
    found = answer(other);
    add_value_by_table(other, found);
    EXPECT_EQ(found.value, std::nullopt);
    EXPECT_EQ(found.value_source, std::nullopt);
  }
}

// Three lines, but two P-positions on one of them: (1,1) is terminal.
TEST(Answer, ListsFourWinningMovesWhereADiagonalHoldsTwo) {
  EXPECT_EQ(text(answer({Rule::extended(), {6, 6}, Play::kNormal, 0})), "N 0,0 1,1 3,6 6,3");
}

TEST(Answer, OfHugePositionsIsConsistent) {
  std::mt19937_64 random(95);
  const auto coordinate = [&random] { return (random() & kLast) >> random() % 60; };
  for (int i = 0; i < support::cases(20'000); ++i) {
    Question question;
    question.rule = i % 2 == 0 ? Rule::classic() : Rule::extended();
    question.play = i % 4 < 2 ? Play::kNormal : Play::kMisere;
    if (i % 8 == 1) question.heap = 1;
    question.position = {coordinate(), i % 7 == 0 ? kLast : coordinate()};
    // Half of them P-positions, by way of a winning move.
    if (i % 16 >= 8) {
      const auto moves = answer(question).winning_moves;
      if (!moves.empty()) question.position = moves[random() % moves.size()].position;
    }
    const Answer found = answer(question);
    const std::string where = question.rule.name() + ' ' + to_text(question.position);
    if (!question.rule.is_terminal(question.position)) {
      ASSERT_EQ(found.outcome == Outcome::kN, !found.winning_moves.empty()) << where;
    }
    for (const auto& [p, heap] : found.winning_moves) {
      Question reached = question;
      reached.position = p;
      reached.heap = heap;
      ASSERT_EQ(answer(reached).outcome, Outcome::kP) << where << " to " << to_text(p);
      const Position from = question.position;
      ASSERT_TRUE(heap == question.heap
                      ? p != from && p.x <= from.x && p.y <= from.y &&
                            (p.x == from.x || p.y == from.y || from.x - p.x == from.y - p.y)
                      : p == from && heap < question.heap)
          << where << " to " << to_text(p);
    }
  }
}

TEST(Answer, OfTerminalPositions) {
  const Rule rule = Rule::extended();
  for (const Position p : rule.terminal_cells()) {
    EXPECT_EQ(text(answer({rule, p, Play::kNormal, 0})), "P");
    EXPECT_EQ(text(answer({rule, p, Play::kMisere, 0})), "N");
    EXPECT_EQ(text(answer({rule, p, Play::kNormal, 7})), "N " + to_text(p));
    EXPECT_EQ(answer({rule, p, Play::kNormal, 7}).value, 0U);
  }
}

TEST(Answer, FromATableFileIsTheSame) {
  const support::TemporaryFolder folder;
  RandomCase random(96);
  for (const char* name : {"extended", "cells:0,1;5,2;7,7"}) {
    const Rule rule = Rule::parse(name);
    const Extent extent{700, 900};
    const std::string path = folder.file(rule.symmetric() ? "symmetric.h5" : "other.h5");
    support::write_table(path, rule, support::engine_values(rule, extent));
    const DatasetReader reader(path);
    for (int round = 0; round < 60; ++round) {
      const Position p = round == 0   ? Position{0, 0}
                         : round == 1 ? Position{699, 899}
                         : round == 2 ? Position{0, 899}
                         : round == 3 ? Position{699, 0}
                                      : Position{random.below(700), random.below(900)};
      const LineValues read = read_line_values(reader, p);
      const LineValues computed = compute_line_values(rule, p);
      EXPECT_EQ(read.own, computed.own);
      EXPECT_EQ(read.row, computed.row);
      EXPECT_EQ(read.column, computed.column);
      EXPECT_EQ(read.diagonal, computed.diagonal) << to_text(p);
    }
    EXPECT_TRUE(throws_naming<UsageError>("700 x 900", [&] {
      (void)read_line_values(reader, {700, 0});
    }));
    EXPECT_TRUE(throws_naming<UsageError>("misere", [&] {
      (void)answer_from_values({rule, {9, 9}, Play::kMisere, 0}, read_line_values(reader, {9, 9}),
                               Answer::Source::kTableFile);
    }));
  }
}

TEST(Answer, RefusesWhatIsOutOfReach) {
  const auto ask = [](const Rule& rule, Position p, Play play, std::uint64_t heap) {
    return [=] { (void)answer({rule, p, play, heap}); };
  };
  for (const std::uint64_t value :
       {kClosedFormLimit, kClosedFormLimit + 1, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    for (const Rule& rule : {Rule::classic(), Rule::extended(), Rule::triangle(5)}) {
      EXPECT_TRUE(throws_naming<UsageError>("2^62", ask(rule, {value, 1}, Play::kNormal, 0)));
      EXPECT_TRUE(throws_naming<UsageError>("2^62", ask(rule, {1, value}, Play::kMisere, 0)));
      EXPECT_TRUE(throws_naming<UsageError>("2^62", ask(rule, {value, value}, Play::kNormal, 1)));
    }
  }
  EXPECT_TRUE(
      throws_naming<UsageError>("not agreed", ask(Rule::classic(), {5, 5}, Play::kMisere, 1)));
  const Position far{1000, kMostLevelWork};
  EXPECT_TRUE(throws_naming<UsageError>("--table", ask(Rule::triangle(3), far, Play::kNormal, 0)));
  EXPECT_TRUE(throws_naming<UsageError>("--table", ask(Rule::triangle(3), far, Play::kMisere, 0)));
  EXPECT_TRUE(throws_naming<UsageError>("--table", ask(Rule::classic(), far, Play::kNormal, 1)));
  EXPECT_TRUE(throws_naming<UsageError>("63 stones",
                                        ask(Rule::extended(), {10'000, 9'000}, Play::kNormal, 64)));
  EXPECT_TRUE(throws_naming<UsageError>(
      "--table", ask(Rule::extended(), {kLast, kLast}, Play::kNormal, ~std::uint64_t{0})));
}

}  // namespace
}  // namespace grundy
