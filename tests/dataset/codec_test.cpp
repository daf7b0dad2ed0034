#include "grundy/dataset/codec.hpp"

#include <string>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/throws.hpp"

namespace grundy {
namespace {

TEST(Codec, ReadsEveryNameItWrites) {
  for (int level = 0; level <= 9; ++level) {
    const std::string name = Codec{level}.name();
    EXPECT_EQ(name, level == 0 ? "none" : "deflate:" + std::to_string(level));
    EXPECT_EQ(Codec::parse(name).level, level);
  }
}

TEST(Codec, DeflateAloneIsTheDefault) {
  EXPECT_EQ(Codec::parse("deflate").level, Codec{}.level);
  EXPECT_GT(Codec{}.level, 0);
}

TEST(Codec, RefusesEverythingElse) {
  for (const std::string text :
       {"", "gzip", "None", "none ", "none:1", "deflate:", "deflate:0", "deflate:10", "deflate:-1",
        "deflate:+1", "deflate:1.5", "deflate: 1", "deflate:99999999999999999999", "deflate4"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(
        support::throws_naming<UsageError>("compression", [&] { (void)Codec::parse(text); }));
  }
}

}  // namespace
}  // namespace grundy
