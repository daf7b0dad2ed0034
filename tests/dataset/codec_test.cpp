#include "grundy/dataset/codec.hpp"

#include <string>

#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "support/throws.hpp"

namespace grundy {
namespace {

TEST(Codec, ReadsEveryNameItWrites) {
  for (int level = 0; level <= 12; ++level) {
    const std::string name = Codec{level}.name();
    EXPECT_EQ(name, level == 0 ? "none" : "deflate:" + std::to_string(level));
    EXPECT_EQ(Codec::parse(name), Codec{level});
  }
  for (int level = 1; level <= 19; ++level) {
    const Codec codec{level, Codec::Method::kZstd};
    EXPECT_EQ(codec.name(), "zstd:" + std::to_string(level));
    EXPECT_EQ(Codec::parse(codec.name()), codec);
  }
}

TEST(Codec, AMethodAloneHasItsUsualLevel) {
  EXPECT_EQ(Codec::parse("deflate"), Codec{});
  EXPECT_GT(Codec{}.level, 0);
  EXPECT_EQ(Codec::parse("zstd").method, Codec::Method::kZstd);
  EXPECT_GT(Codec::parse("zstd").level, 0);
}

TEST(Codec, RefusesEverythingElse) {
  for (const std::string text :
       {"", "gzip", "None", "none ", "none:1", "deflate:", "deflate:0", "deflate:13", "deflate:-1",
        "zstd:", "zstd:0", "zstd:20", "zstd4", "lz4", "deflate:+1", "deflate:1.5", "deflate: 1",
        "deflate:99999999999999999999", "deflate4"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(
        support::throws_naming<UsageError>("compression", [&] { (void)Codec::parse(text); }));
  }
}

}  // namespace
}  // namespace grundy
