#include "grundy/game/parse.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/throws.hpp"

namespace grundy {
namespace {

using support::throws_naming;

testing::AssertionResult refuses(const std::string& text, const std::string& part) {
  return throws_naming<UsageError>(part, [&] { (void)parse_count("rows", text); });
}

TEST(ParseCount, ReadsDecimalNumbersOfUpTo64Bits) {
  EXPECT_EQ(parse_count("rows", "0"), 0U);
  EXPECT_EQ(parse_count("rows", "7"), 7U);
  EXPECT_EQ(parse_count("rows", "0012"), 12U);
  EXPECT_EQ(parse_count("rows", "4294967296"), 4294967296U);
  EXPECT_EQ(parse_count("rows", "18446744073709551615"), ~std::uint64_t{0});
}

TEST(ParseCount, RefusesWhatDoesNotFit64Bits) {
  EXPECT_TRUE(refuses("18446744073709551616", "18446744073709551616"));
  EXPECT_TRUE(refuses("99999999999999999999", "99999999999999999999"));
  EXPECT_TRUE(refuses(std::string(100'000, '9'), "999"));
}

TEST(ParseCount, RefusesEverythingButDigits) {
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "0x10", "ten", "1,0",
                           "1'000", "\xD9\xA1"})  // the last is a digit, but an Arabic one
    EXPECT_TRUE(refuses(text, "'" + std::string(text) + "'")) << text;
  EXPECT_TRUE(refuses(std::string("1\0002", 3), "'1"));
  EXPECT_TRUE(refuses(std::string(100'000, 'x'), "xxx"));
}

TEST(ParseCount, StatesTheMaximumToWhatIsLarger) {
  const auto refuses_above = [](const std::string& text, std::uint64_t most,
                                const std::string& part) {
    return throws_naming<UsageError>(part, [&] { (void)parse_count("rows", text, most); });
  };
  EXPECT_EQ(parse_count("rows", "63", 63), 63U);
  EXPECT_EQ(parse_count("rows", "18446744073709551615", ~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_TRUE(refuses_above("64", 63, "rows: 64 is too large; at most 63"));
  EXPECT_TRUE(refuses_above(std::string(100'000, '9'), 63, "... is too large; at most 63"));
  EXPECT_TRUE(refuses_above("4611686018427387904", (std::uint64_t{1} << 62U) - 1,
                            "at most 2^62 - 1 = 4611686018427387903"));
  EXPECT_TRUE(refuses_above("18446744073709551616", ~std::uint64_t{0},
                            "at most 2^64 - 1 = 18446744073709551615"));
  EXPECT_TRUE(refuses_above("x", 63, "'x' is not a whole number"));
}

TEST(ParseCount, SaysWhatTheNumberWasFor) {
  EXPECT_TRUE(refuses("-1", "rows"));
  EXPECT_TRUE(refuses("18446744073709551616", "rows"));
}

TEST(Excerpt, IsShortTextItselfAndTheBeginningOfLongText) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt("cells:1,2"), "cells:1,2");
  const std::string longest(60, 'x');
  EXPECT_EQ(excerpt(longest), longest);
  EXPECT_EQ(excerpt(longest + 'y'), longest + "...");
  EXPECT_EQ(excerpt(std::string(100'000, 'x')), longest + "...");
}

}  // namespace
}  // namespace grundy
