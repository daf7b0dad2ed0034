#include "grundy/engine/cuda_engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "grundy/engine/cuda_support.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"

#include "support/collected_table.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::agrees;
using support::compute_table;
using support::RandomCase;
using support::throws_naming;
using support::to_text;

class CudaEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!device_usable(0)) GTEST_SKIP() << "no GPU that can be used";
  }
};

EngineOptions with(Schedule schedule, std::uint64_t steps = 0) { return {2, steps, 0, schedule}; }

Engine::Result summary_by(std::string_view engine, const EngineOptions& options, const Rule& rule,
                          const Extent& extent) {
  Engine::Result result;
  EXPECT_TRUE(
      make_engine(engine, options)->summarize(rule, extent, {nullptr, true, {}}, result, {}));
  return result;
}

// A rule whose table is not symmetric.
Rule random_asymmetric_rule() {
  RandomCase random(90);
  std::vector<Position> cells;
  for (int i = 0; i < 12; ++i) cells.push_back({random.below(40), random.below(40)});
  return Rule::cells(cells);
}

void expect_the_summary_of_the_cpu(const Rule& rule, const Extent& extent) {
  SCOPED_TRACE(rule.name() + " " + to_text(extent));
  const Engine::Result expected = summary_by("cpu", {}, rule, extent);
  for (const Schedule schedule : {Schedule::kWaves, Schedule::kBands}) {
    const Engine::Result result = summary_by("cuda", with(schedule), rule, extent);
    EXPECT_EQ(result.summary.digest, expected.summary.digest);
    EXPECT_EQ(result.summary, expected.summary);
    EXPECT_EQ(result.histogram, expected.histogram);
  }
}

TEST_F(CudaEngineTest, BothSchedulesGiveTheSummaryOfTheCpu) {
  ASSERT_FALSE(random_asymmetric_rule().symmetric());
  for (const Rule& rule :
       {Rule::classic(), Rule::extended(), Rule::triangle(3), random_asymmetric_rule()})
    for (const Extent& extent : {Extent{1, 1}, Extent{2, 2}, Extent{31, 31}, Extent{32, 32},
                                 Extent{33, 33}, Extent{64, 64}, Extent{100, 100}, Extent{257, 257},
                                 Extent{1, 300}, Extent{300, 1}, Extent{70, 300}, Extent{300, 70}})
      expect_the_summary_of_the_cpu(rule, extent);
}

TEST_F(CudaEngineTest, BothSchedulesGiveTheSummaryOfTheCpuForALargeTable) {
  for (const Rule& rule :
       {Rule::classic(), Rule::extended(), Rule::triangle(3), random_asymmetric_rule()})
    expect_the_summary_of_the_cpu(rule, {1000, 1000});
}

// Long enough that searches leave the first summary word, and the windows of staged lines move.
TEST_F(CudaEngineTest, LongStripsGiveTheSummaryOfTheCpu) {
  expect_the_summary_of_the_cpu(Rule::extended(), {40, 12000});
  expect_the_summary_of_the_cpu(random_asymmetric_rule(), {12000, 40});
}

TEST_F(CudaEngineTest, EpochsOfAnyLengthGiveTheSameTable) {
  for (const char* text : {"extended", "cells:2,0;1,6"}) {
    const Rule rule = Rule::parse(text);
    const auto expected = compute_table("reference", rule, {130, 170});
    for (const Schedule schedule : {Schedule::kWaves, Schedule::kBands})
      for (const std::uint64_t steps : {0U, 32U, 100U, 512U})
        EXPECT_TRUE(
            agrees(*compute_table("cuda", rule, {130, 170}, with(schedule, steps)), *expected))
            << text << ", epochs of " << steps;
  }
}

TEST_F(CudaEngineTest, OnesOfExtendedAreClassicPPositionsFromCoordinate8On) {
  const Rule classic = Rule::classic();
  const Rule extended = Rule::extended();
  Engine::LevelPair levels;
  ASSERT_TRUE(make_engine("cuda", {})
                  ->find_levels({&extended, 1}, {&classic, 0}, {700, 700}, levels, {}, {}));
  std::vector<Position> exceptions;
  std::set_symmetric_difference(levels.first.begin(), levels.first.end(), levels.second.begin(),
                                levels.second.end(), std::back_inserter(exceptions));
  EXPECT_EQ(to_text(exceptions), "0,0;0,3;3,0;3,5;4,4;4,7;5,3;5,7;7,4;7,5");
}

TEST_F(CudaEngineTest, RefusesADeviceThatIsNotThere) {
  const auto count = device_count();
  EXPECT_TRUE(throws_naming<DeviceError>("no GPU " + std::to_string(count), [&] {
    (void)make_engine("cuda", {0, 0, count, {}});
  }));
}

// The number of rows of the square that an error says would fit.
double suggested_side(const std::string& message) {
  const std::string before = "largest square table that fits is ";
  const std::size_t at = message.find(before);
  if (at == std::string::npos) return 0;
  return std::stod(message.substr(at + before.size()));
}

TEST_F(CudaEngineTest, SaysWhichSquareFitsWhenATableDoesNot) {
  const auto engine = make_engine("cuda", {});
  const Rule classic = Rule::classic();
  std::string one;
  std::string two;
  try {
    Engine::Result result;
    (void)engine->summarize(classic, {3'000'000, 3'000'000}, {}, result, {});
  } catch (const DeviceError& error) {
    one = error.what();
  }
  try {
    Engine::LevelPair levels;
    (void)engine->find_levels({&classic, 0}, {&classic, 1}, {3'000'000, 3'000'000}, levels, {}, {});
  } catch (const DeviceError& error) {
    two = error.what();
  }
  // Others may take and free memory meanwhile.
  const auto side = static_cast<double>(largest_square(classic, describe_device(0).free_bytes, {}));
  EXPECT_NEAR(suggested_side(one) / side, 1, 0.05) << one;
  EXPECT_NEAR(suggested_side(two) / side, std::sqrt(0.5), 0.05) << two;
}

TEST_F(CudaEngineTest, StopsBetweenEpochs) {
  std::stop_source stop;
  const auto stop_at_once = [&](std::uint64_t) { stop.request_stop(); };
  const auto engine = make_engine("cuda", with(kDefaultSchedule, 32));
  Engine::Result result;
  EXPECT_FALSE(engine->summarize(Rule::classic(), {200, 200}, {nullptr, false, stop_at_once},
                                 result, stop.get_token()));
  EXPECT_GT(result.summary.cells, 0U);
  EXPECT_LT(result.summary.cells, 200U * 200);
  const Rule classic = Rule::classic();
  std::stop_source stop_levels;
  Engine::LevelPair levels;
  EXPECT_FALSE(engine->find_levels(
      {&classic, 0}, {&classic, 1}, {200, 200}, levels,
      [&](std::uint64_t) { stop_levels.request_stop(); }, stop_levels.get_token()));
}

TEST_F(CudaEngineTest, DeviceArraysBeyondTheMemoryAreErrorsThatNameCallPlaceAndMeaning) {
  EXPECT_TRUE(throws_naming<DeviceError>("cudaMalloc failed in cuda_support.hpp", [] {
    const cuda::DeviceArray<std::uint64_t> too_large(std::uint64_t{1} << 50U);
  }));
  EXPECT_TRUE(throws_naming<DeviceError>("cudaErrorMemoryAllocation", [] {
    const cuda::DeviceArray<std::uint64_t> too_large(std::uint64_t{1} << 50U);
  }));
  // And the device goes on.
  EXPECT_EQ(summary_by("cuda", {}, Rule::classic(), {100, 100}).summary.digest,
            summary_by("cpu", {}, Rule::classic(), {100, 100}).summary.digest);
}

}  // namespace
}  // namespace grundy
