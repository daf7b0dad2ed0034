// Level sets against closed forms, far out: 10^7, or as far as GRUNDY_TEST_LEVEL_LIMIT says. 10^8
// takes a minute or two.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "grundy/game/parse.hpp"
#include "grundy/levels/level_stream.hpp"
#include "grundy/theory/closed_form_set.hpp"

#include "support/effort.hpp"

namespace grundy {
namespace {

std::uint64_t test_limit() {
  const char* text = std::getenv("GRUNDY_TEST_LEVEL_LIMIT");
  if (text != nullptr) return parse_count("GRUNDY_TEST_LEVEL_LIMIT", text);
  return support::kSlowBuild ? 500'000 : 10'000'000;
}

/// The y >= x below the limit with (x,y) in the set and not terminal, as a stream hands it out.
std::uint64_t expected_in_row(const ClosedFormSet& set, const Rule& rule, std::uint64_t x,
                              std::uint64_t limit) {
  for (const std::uint64_t y : set.in_row(x))
    if (y >= x && y < limit && !rule.is_terminal({x, y})) return y;
  return LevelSteps::kNone;
}

void expect_level_0_in_closed_form(const Rule& rule) {
  const std::uint64_t limit = test_limit();
  const ClosedFormSet& set = *closed_form(rule, Play::kNormal, 0);
  LevelStream stream(rule, Play::kNormal, 1, limit);
  std::uint64_t row = 0;
  while (!stream.done()) {
    const LevelSteps& steps = stream.next();
    for (std::uint64_t i = 0; i < steps.count; ++i, ++row)
      ASSERT_EQ(steps.right[0][i], expected_in_row(set, rule, row, limit)) << "row " << row;
  }
  // Nothing was left out where the stream ended.
  EXPECT_GT(row, limit / 2);
  for (; row < limit; row += 1 + limit / 10'000)
    ASSERT_EQ(expected_in_row(set, rule, row, limit), LevelSteps::kNone) << "row " << row;
}

TEST(FarLevels, ZerosOfClassicHaveTheClosedForm) { expect_level_0_in_closed_form(Rule::classic()); }

TEST(FarLevels, ZerosOfExtendedHaveTheClosedForm) {
  expect_level_0_in_closed_form(Rule::extended());
}

}  // namespace
}  // namespace grundy
