#include "grundy/engine/tile_schedule.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/text.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::to_text;
using support::Watchdog;

// Long enough for a thread to start to wait. When it does not, a test proves less but still passes.
void let_others_wait() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

// Which tiles are finished. Plain bytes: only the schedule orders the threads that use them, so a
// thread sanitizer sees when it does not.
class Done {
 public:
  explicit Done(const TileGrid& grid)
      : grid_(grid), times_(grid.tile_rows(), std::vector<unsigned char>(grid.tile_cols())) {}

  // Whether the tiles that this one needs are finished: left of it, above it, and between.
  [[nodiscard]] bool inputs_of(std::uint64_t i, std::uint64_t j) const {
    return (j == grid_.first_tile_col(i) || times_[i][j - 1] == 1) &&
           (i == 0 || times_[i - 1][j] == 1) && (i == 0 || j == 0 || times_[i - 1][j - 1] == 1);
  }
  void finish(std::uint64_t i, std::uint64_t j) { ++times_[i][j]; }

  [[nodiscard]] bool each_once() const {
    for (std::uint64_t i = 0; i < grid_.tile_rows(); ++i)
      for (std::uint64_t j = 0; j < grid_.tile_cols(); ++j)
        if (times_[i][j] != (j < grid_.first_tile_col(i) ? 0 : 1)) return false;
    return true;
  }

 private:
  TileGrid grid_;
  std::vector<std::vector<unsigned char>> times_;
};

std::string describe(const TileGrid& grid, unsigned threads) {
  return to_text(grid.extent) + ", tiles of " + std::to_string(grid.side) +
         (grid.upper_half ? ", upper half, " : ", ") + std::to_string(threads) + " threads";
}

TEST(TileSchedule, TakesEveryTileOnceAndAfterThoseItNeeds) {
  for (const std::uint64_t rows : {1U, 2U, 7U, 16U, 17U, 40U}) {
    for (const std::uint64_t cols : {1U, 3U, 4U, 5U, 16U, 33U, 70U}) {
      for (const std::uint64_t side : {1U, 2U, 5U, 100U}) {
        for (const bool upper_half : {false, true}) {
          for (const unsigned threads : {1U, 2U, 3U, 8U, 100U}) {
            const TileGrid grid{{rows, cols}, side, upper_half};
            SCOPED_TRACE(describe(grid, threads));
            TileSchedule schedule(grid, threads);
            Done taken(grid);
            for (TileSchedule::Unit unit{}; schedule.take(unit);) {
              ASSERT_LT(unit.band, grid.tile_rows());
              ASSERT_LE(grid.first_tile_col(unit.band), unit.first);
              ASSERT_LT(unit.first, unit.last);
              ASSERT_LE(unit.last, grid.tile_cols());
              for (std::uint64_t j = unit.first; j < unit.last; ++j) {
                ASSERT_TRUE(taken.inputs_of(unit.band, j)) << "tile " << unit.band << ',' << j;
                taken.finish(unit.band, j);
              }
            }
            ASSERT_TRUE(taken.each_once());
            TileSchedule::Unit unit{};
            ASSERT_FALSE(schedule.take(unit));
            ASSERT_FALSE(schedule.abandoned());
          }
        }
      }
    }
  }
}

// So that only a few blocks of a table are unfinished at a time.
TEST(TileSchedule, FinishesAGroupOfBandsBeforeTheNext) {
  constexpr std::uint64_t kBands = 100;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const std::uint64_t reach = std::max(4U, 2 * threads);
    TileSchedule schedule({{kBands, 200}, 1, false}, threads);
    std::vector<std::uint64_t> taken(kBands);
    for (TileSchedule::Unit unit{}; schedule.take(unit);) {
      if (unit.band >= reach) {
        ASSERT_EQ(taken[unit.band - reach], 200U) << unit.band;
      }
      taken[unit.band] = unit.last;
    }
  }
}

TEST(TileSchedule, AGroupOfBandsIsAMultipleOfTheRowsOfAChunk) {
  for (const std::uint64_t side : {64U, 128U}) {
    for (const unsigned threads : {1U, 2U, 3U, 5U, 9U}) {
      TileSchedule schedule({{64 * side, 64 * side}, side, false}, threads);
      // The first unit of a new group is the first that begins at the left below another.
      std::uint64_t group = 0;
      TileSchedule::Unit unit{};
      ASSERT_TRUE(schedule.take(unit));
      while (schedule.take(unit) && unit.first == 0) group = unit.band + 1;
      EXPECT_EQ(group * side % 512, 0U) << side << ", " << threads;
      EXPECT_GE(group, 2 * threads);
    }
  }
}

TEST(TileSchedule, LetsAnyNumberOfThreadsWorkAsTilesNeed) {
  const Watchdog watchdog;
  for (int round = 0; round < support::cases(24); ++round) {
    const auto workers = static_cast<unsigned>(1 + round % 6);
    const auto expected_threads = static_cast<unsigned>(1 + round % 4);
    const TileGrid grid{{60, 60 + static_cast<std::uint64_t>(round)}, 2, round % 2 == 0};
    SCOPED_TRACE(describe(grid, expected_threads) + ", worked by " + std::to_string(workers));
    TileSchedule schedule(grid, expected_threads);
    Done done(grid);
    std::atomic<int> too_early{0};
    std::atomic<int> refused{0};
    const auto work = [&] {
      for (TileSchedule::Unit unit{}; schedule.take(unit);) {
        for (std::uint64_t j = unit.first; j < unit.last; ++j) {
          if (!schedule.wait_for_inputs(unit.band, j)) ++refused;
          if (!done.inputs_of(unit.band, j)) ++too_early;
          done.finish(unit.band, j);
          schedule.finish(unit.band);
        }
      }
    };
    {
      std::vector<std::jthread> pool;
      for (unsigned t = 0; t < workers; ++t) pool.emplace_back(work);
    }
    ASSERT_EQ(too_early, 0);
    ASSERT_EQ(refused, 0);
    ASSERT_TRUE(done.each_once());
  }
}

// What a tile needs, one at a time; the others are finished.
TEST(TileSchedule, WaitsForTheTileToTheLeft) {
  const Watchdog watchdog;
  TileSchedule schedule({{3, 3}, 1, false}, 2);
  for (int tile = 0; tile < 3; ++tile) schedule.finish(0);
  std::atomic<bool> ready{false};
  const std::jthread waiting([&] { ready = schedule.wait_for_inputs(1, 1); });
  let_others_wait();
  EXPECT_FALSE(ready);
  schedule.finish(1);
  while (!ready) std::this_thread::yield();
}

TEST(TileSchedule, WaitsForTheTileAbove) {
  const Watchdog watchdog;
  TileSchedule schedule({{3, 3}, 1, false}, 2);
  schedule.finish(0);
  schedule.finish(1);
  std::atomic<bool> ready{false};
  const std::jthread waiting([&] { ready = schedule.wait_for_inputs(1, 1); });
  let_others_wait();
  EXPECT_FALSE(ready);
  schedule.finish(0);
  while (!ready) std::this_thread::yield();
}

TEST(TileSchedule, AbandonWakesThoseWhoWaitOnEveryBand) {
  const Watchdog watchdog;
  TileSchedule schedule({{5, 5}, 1, false}, 4);
  std::atomic<int> woken{0};
  {
    std::vector<std::jthread> waiting;
    for (std::uint64_t band = 0; band < 5; ++band)
      waiting.emplace_back([&, band] { woken += schedule.wait_for_inputs(band, 4) ? 100 : 1; });
    let_others_wait();
    EXPECT_EQ(woken, 0);
    schedule.abandon();
  }
  EXPECT_EQ(woken, 5);
}

TEST(TileSchedule, AbandonEndsTheWork) {
  const Watchdog watchdog;
  TileSchedule schedule({{5, 5}, 1, false}, 2);
  TileSchedule::Unit unit{};
  ASSERT_TRUE(schedule.take(unit));
  EXPECT_FALSE(schedule.abandoned());
  schedule.abandon();
  schedule.abandon();
  EXPECT_TRUE(schedule.abandoned());
  EXPECT_FALSE(schedule.take(unit));
  EXPECT_FALSE(schedule.wait_for_inputs(0, 0));
  // A tile that was under way when the others gave up.
  schedule.finish(0);
  EXPECT_FALSE(schedule.wait_for_inputs(0, 1));
  EXPECT_FALSE(schedule.wait_for_inputs(1, 0));
}

TEST(TileSchedule, MayBeAbandonedBySeveralThreadsAtOnce) {
  const Watchdog watchdog;
  for (int round = 0; round < support::cases(100); ++round) {
    TileSchedule schedule({{20, 20}, 1, false}, 4);
    const auto work = [&] {
      int tiles = 0;
      for (TileSchedule::Unit unit{}; schedule.take(unit);) {
        for (std::uint64_t j = unit.first; j < unit.last; ++j) {
          if (++tiles > round % 20) schedule.abandon();
          if (!schedule.wait_for_inputs(unit.band, j)) return;
          schedule.finish(unit.band);
        }
      }
    };
    {
      std::vector<std::jthread> pool;
      pool.reserve(4);
      for (int t = 0; t < 4; ++t) pool.emplace_back(work);
    }
    ASSERT_TRUE(schedule.abandoned());
  }
}

}  // namespace
}  // namespace grundy
