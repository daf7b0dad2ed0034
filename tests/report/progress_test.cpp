#include "grundy/report/progress.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/watchdog.hpp"

namespace grundy {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

constexpr std::uint64_t kMillion = 1'000'000;

Progress cells_of(std::string label, std::uint64_t done, std::uint64_t total, double seconds) {
  return {std::move(label), done, total, seconds};
}

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line(cells_of("cpu", 25 * kMillion, 100 * kMillion, 10)),
            "cpu   25.0 %  2.5 million cells/s  30 s left");
  EXPECT_EQ(progress_line(cells_of("extended", 123 * kMillion, 1000 * kMillion, 12.3)),
            "extended   12.3 %  10.0 million cells/s  1 min 28 s left");
}

TEST(ProgressLine, NamesTheUnit) {
  EXPECT_EQ(progress_line({"levels", 4 * kMillion, 4 * kMillion, 2, "rows"}),
            "levels  100.0 %  2.0 million rows/s");
  EXPECT_EQ(progress_line({"check", 30, 60, 2, "chunks"}), "check   50.0 %  15 chunks/s  2 s left");
}

TEST(ProgressLine, KnowsNoRateBeforeTheFirstCell) {
  EXPECT_EQ(progress_line(cells_of("cpu", 0, 100, 5)), "cpu    0.0 %");
  EXPECT_EQ(progress_line(cells_of("cpu", 50, 100, 0)), "cpu   50.0 %");
}

TEST(ProgressLine, LeavesNoTimeAtTheEnd) {
  EXPECT_EQ(progress_line(cells_of("cpu", 4 * kMillion, 4 * kMillion, 2)),
            "cpu  100.0 %  2.0 million cells/s");
}

TEST(ProgressLine, TakesNoCellsAsDone) {
  EXPECT_EQ(progress_line(cells_of("cpu", 0, 0, 1)), "cpu  100.0 %");
}

TEST(ProgressLine, WritesTimesInTwoUnits) {
  // Half is done, so as much time is left as has passed.
  const auto left = [](double seconds) {
    const std::string line = progress_line(cells_of("", 1, 2, seconds));
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
  EXPECT_THAT(progress_line(cells_of("cpu", cells / 1000, cells, 1e6)),
              testing::StartsWith("cpu    0.1 %  9223.4 million cells/s  "));
  EXPECT_LT(progress_line(cells_of("cpu", 4096, cells, 100)).size(), 80U);
}

const Progress kQuarter{"cpu", 25 * kMillion, 100 * kMillion, 10, "cells"};

TEST(ProgressBarLine, HasABarAsLongAsThereIsRoom) {
  EXPECT_EQ(progress_bar_line(kQuarter, 200, false),
            "cpu  [##########..............................]   25.0 %  2.5 million cells/s  30 s "
            "left");
  EXPECT_EQ(progress_bar_line(kQuarter, 61, false),
            "cpu  [###.........]   25.0 %  2.5 million cells/s  30 s left");
  EXPECT_EQ(progress_bar_line(kQuarter, 57, false),
            "cpu  [##......]   25.0 %  2.5 million cells/s  30 s left");
  EXPECT_EQ(progress_bar_line(kQuarter, 55, true),
            "cpu  \u2588\u2588\u2591\u2591\u2591\u2591\u2591\u2591   25.0 %  2.5 million cells/s  "
            "30 s left");
}

TEST(ProgressBarLine, LeavesOutWhatHasNoRoom) {
  EXPECT_EQ(progress_bar_line(kQuarter, 50, false), "cpu   25.0 %  2.5 million cells/s  30 s left");
  EXPECT_EQ(progress_bar_line(kQuarter, 40, false), "cpu   25.0 %  30 s left");
  EXPECT_EQ(progress_bar_line(kQuarter, 20, false), "cpu   25.0 %");
  EXPECT_EQ(progress_bar_line(kQuarter, 10, false), " 25.0 %");
  EXPECT_EQ(progress_bar_line(kQuarter, 5, false), " 25.");
  EXPECT_EQ(progress_bar_line(kQuarter, 1, false), "");
  EXPECT_EQ(progress_bar_line(kQuarter, 0, false), "");
}

TEST(ProgressBarLine, CutsALongLabel) {
  Progress progress = kQuarter;
  progress.label = "cells:0,0;0,1;0,2;0,3;0,4;0,5;0,6;0,7";
  EXPECT_EQ(progress_bar_line(progress, 41, false), "cells:0,0;0,1;0,2...   25.0 %  30 s left");
}

// Each line in each width, done or not: shorter than the terminal, and never longer for less room.
TEST(ProgressBarLine, AlwaysFits) {
  const auto columns_of = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned>(c) & 0xC0U) != 0x80U;
    }));
  };
  for (const std::uint64_t done : {0U, 1U, 500U, 999U, 1000U, 1001U})
    for (const bool unicode : {false, true})
      for (const double seconds : {0.0, 0.1, 1e5}) {
        const Progress progress = cells_of("reference", done, 1000, seconds);
        std::size_t before = 0;
        for (std::size_t columns = 1; columns < 150; ++columns) {
          const std::size_t width = columns_of(progress_bar_line(progress, columns, unicode));
          EXPECT_LT(width, columns);
          EXPECT_GE(width, before);
          before = width;
          EXPECT_LT(progress_summary(progress, columns).size(), columns);
        }
      }
}

TEST(ProgressSummary, SaysWhatThereWasInAll) {
  EXPECT_EQ(progress_summary(cells_of("cpu", 4 * kMillion, 4 * kMillion, 2.04), 80),
            "cpu  4000000 cells in 2.0 s, 2.0 million cells/s");
  EXPECT_EQ(progress_summary({"check", 12, 12, 65, "chunks"}, 80),
            "check  12 chunks in 1 min 5 s, 0.2 chunks/s");
  EXPECT_EQ(progress_summary(cells_of("cpu", 0, 0, 1), 80), "cpu  0 cells in 1.0 s");
}

TEST(ProgressSummary, SaysHowFarAnAbandonedRunCame) {
  EXPECT_EQ(progress_summary(cells_of("cpu", 400, 1000, 1), 80),
            "cpu  400 of 1000 cells in 1.0 s, 400 cells/s");
}

TEST(ProgressSummary, LeavesOutWhatHasNoRoom) {
  const Progress progress = cells_of("cpu", 4 * kMillion, 4 * kMillion, 2.04);
  EXPECT_EQ(progress_summary(progress, 40), "cpu  4000000 cells in 2.0 s");
  EXPECT_EQ(progress_summary(progress, 25), "4000000 cells in 2.0 s");
  EXPECT_EQ(progress_summary(progress, 10), "4000000 c");
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
  EXPECT_THAT(output(), MatchesRegex("verify  4000 cells in [0-9.]+ s, [^,\n\x1b]+ cells/s\n"));
}

TEST_F(ProgressMeterTest, SaysHowFarAnAbandonedRunCame) {
  {
    ProgressMeter meter("cpu", 1000, true);
    meter.add(400);
  }
  EXPECT_THAT(output(), HasSubstr("cpu  400 of 1000 cells in "));
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
