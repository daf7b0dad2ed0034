#include "grundy/report/progress.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/watchdog.hpp"

namespace grundy {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kMillion = 1'000'000;

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("cpu", 25 * kMillion, 100 * kMillion, 10),
            "cpu   25.0 %  2.5 million cells/s  30 s left");
  EXPECT_EQ(progress_line("extended", 123 * kMillion, 1000 * kMillion, 12.3),
            "extended   12.3 %  10.0 million cells/s  1 min 28 s left");
}

TEST(ProgressLine, NamesTheUnit) {
  EXPECT_EQ(progress_line("levels", 4 * kMillion, 4 * kMillion, 2, "rows"),
            "levels  100.0 %  2.0 million rows/s");
}

TEST(ProgressLine, KnowsNoRateBeforeTheFirstCell) {
  EXPECT_EQ(progress_line("cpu", 0, 100, 5), "cpu    0.0 %");
  EXPECT_EQ(progress_line("cpu", 50, 100, 0), "cpu   50.0 %");
}

TEST(ProgressLine, LeavesNoTimeAtTheEnd) {
  EXPECT_EQ(progress_line("cpu", 4 * kMillion, 4 * kMillion, 2),
            "cpu  100.0 %  2.0 million cells/s");
}

TEST(ProgressLine, TakesNoCellsAsDone) { EXPECT_EQ(progress_line("cpu", 0, 0, 1), "cpu  100.0 %"); }

TEST(ProgressLine, WritesTimesInTwoUnits) {
  // Half is done, so as much time is left as has passed.
  const auto left = [](double seconds) {
    const std::string line = progress_line("", 1, 2, seconds);
    return line.substr(line.find("cells/s") + 9);
  };
  EXPECT_EQ(left(0.2), "0 s left");
  EXPECT_EQ(left(1), "1 s left");
  EXPECT_EQ(left(59.4), "59 s left");
  EXPECT_EQ(left(59.6), "1 min 0 s left");
  EXPECT_EQ(left(65), "1 min 5 s left");
  EXPECT_EQ(left(3599), "59 min 59 s left");
  EXPECT_EQ(left(3600), "1 h 0 min left");
  EXPECT_EQ(left(90060), "25 h 1 min left");
}

TEST(ProgressLine, StaysShortForTheLargestTables) {
  const std::uint64_t cells = std::numeric_limits<std::uint64_t>::max() / 2;
  EXPECT_THAT(progress_line("cpu", cells / 1000, cells, 1e6),
              testing::StartsWith("cpu    0.1 %  9223.4 million cells/s  "));
  EXPECT_LT(progress_line("cpu", 4096, cells, 100).size(), 80U);
}

// Capturing replaces standard error by a file: not a terminal.
class ProgressMeterTest : public testing::Test {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override {
    if (!taken_) testing::internal::GetCapturedStderr();
  }
  std::string output() {
    taken_ = true;
    return testing::internal::GetCapturedStderr();
  }

 private:
  support::Watchdog watchdog_;
  bool taken_ = false;
};

TEST_F(ProgressMeterTest, EndsWithALineOfTheWhole) {
  {
    ProgressMeter meter("verify", 4000, true);
    std::vector<std::jthread> pool;
    for (int t = 0; t < 4; ++t)
      pool.emplace_back([&meter] {
        for (int i = 0; i < 1000; ++i) meter.add(1);
      });
    pool.clear();
  }
  const std::string text = output();
  EXPECT_THAT(text, HasSubstr("verify  100.0 %  "));
  EXPECT_THAT(text, EndsWith(" million cells/s\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(ProgressMeterTest, SaysHowFarAnAbandonedRunCame) {
  {
    ProgressMeter meter("cpu", 1000, true);
    meter.add(400);
  }
  EXPECT_THAT(output(), HasSubstr("cpu   40.0 %"));
}

TEST_F(ProgressMeterTest, IsSilentUnlessEnabled) {
  {
    ProgressMeter meter("cpu", 1000, false);
    meter.add(1000);
  }
  EXPECT_EQ(output(), "");
}

}  // namespace
}  // namespace grundy
