#include "grundy/game/names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

const std::vector<std::string> kEngines{"auto", "cpu", "cuda", "bitset", "reference"};
const std::vector<std::string> kRules{"classic", "extended", "triangle:K", "cells:x,y;x,y;..."};

TEST(ClosestName, ForgivesAFewLetters) {
  EXPECT_EQ(closest_name("cuad", kEngines), "cuda");            // swapped
  EXPECT_EQ(closest_name("bitst", kEngines), "bitset");         // omitted
  EXPECT_EQ(closest_name("autoo", kEngines), "auto");           // added
  EXPECT_EQ(closest_name("rafarence", kEngines), "reference");  // replaced
  EXPECT_EQ(closest_name("CPU", kEngines), "cpu");
  EXPECT_EQ(closest_name("cpu", kEngines), "cpu");
}

TEST(ClosestName, TakesTheBeginningOfAName) {
  EXPECT_EQ(closest_name("ref", kEngines), "reference");
  EXPECT_EQ(closest_name("cl", kRules), "classic");
  EXPECT_EQ(closest_name("r", kEngines), std::nullopt);
}

TEST(ClosestName, PrefersTheClosest) {
  const std::vector<std::string> names{"waves", "wave", "waver"};
  EXPECT_EQ(closest_name("waver", names), "waver");
  EXPECT_EQ(closest_name("wave", names), "wave");
  EXPECT_EQ(closest_name("waverr", names), "waver");
}

TEST(ClosestName, NeedsOnlyWhatPrecedesAColon) {
  EXPECT_EQ(closest_name("triangel:5", kRules), "triangle:K");
  EXPECT_EQ(closest_name("triangle", kRules), "triangle:K");
  EXPECT_EQ(closest_name("cell:1,2", kRules), "cells:x,y;x,y;...");
}

TEST(ClosestName, IsNoneForSomethingElse) {
  EXPECT_EQ(closest_name("gpu", kEngines), std::nullopt);  // not cpu
  EXPECT_EQ(closest_name("wythoff", kRules), std::nullopt);
  EXPECT_EQ(closest_name("", kEngines), std::nullopt);
  EXPECT_EQ(closest_name(std::string(5000, 'c'), kEngines), std::nullopt);
  EXPECT_EQ(closest_name("cpu", {}), std::nullopt);
}

TEST(UnknownName, SaysWhatIsMeantAndWhatIsKnown) {
  EXPECT_EQ(unknown_name("engine", "cuad", kEngines),
            "unknown engine 'cuad'; did you mean cuda? known are auto, cpu, cuda, bitset and "
            "reference");
  EXPECT_EQ(unknown_name("engine", "gpu", {"cpu"}), "unknown engine 'gpu'; known are cpu");
}

}  // namespace
}  // namespace grundy
