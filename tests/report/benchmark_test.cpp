#include "grundy/report/benchmark.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/engine/devices.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/report/machine.hpp"
#include "grundy/report/machine_limits.hpp"
#include "grundy/report/peak_memory.hpp"

namespace grundy {
namespace {

using testing::HasSubstr;

/// The cpu engine, of which one cell can be made wrong, in a chosen run or always.
class Tampering final : public Engine {
 public:
  struct Options {
    int wrong_from_run = 1 << 20;
    bool wrong_values = false;  // in what is handed out only
    bool no_memory = false;
    std::stop_source* stop_in_run = nullptr;
  };
  Tampering(Options options, std::shared_ptr<std::atomic<int>> runs)
      : options_(options), runs_(std::move(runs)), engine_(make_engine("cpu", {1})) {}

  [[nodiscard]] std::string_view name() const override { return "tampering"; }
  [[nodiscard]] std::uint64_t bytes_needed(const Rule& /*rule*/,
                                           const Extent& /*extent*/) const override {
    return 4321;
  }
  [[nodiscard]] bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                             std::stop_token stop) override {
    return engine_->compute(rule, extent, sink, std::move(stop));
  }
  [[nodiscard]] bool summarize(const Rule& rule, const Extent& extent, const Wanted& wanted,
                               Result& result, std::stop_token stop) override {
    const int run = runs_->fetch_add(1);
    if (options_.no_memory) throw DeviceError("no memory for this");
    if (options_.stop_in_run != nullptr) options_.stop_in_run->request_stop();
    const bool complete = Engine::summarize(rule, extent, wanted, result, std::move(stop));
    if (options_.wrong_values && wanted.tiles != nullptr) {
      const std::uint32_t value = 7;
      wanted.tiles->consume({{0, 0, 1, 1, &value, 1, 1}, {}});
    }
    if (run >= options_.wrong_from_run) ++result.summary.digest;
    return complete;
  }

 private:
  Options options_;
  std::shared_ptr<std::atomic<int>> runs_;
  std::unique_ptr<Engine> engine_;
};

class RunBenchmark : public testing::Test {
 protected:
  RunBenchmark() {
    folder_ = std::filesystem::temp_directory_path() /
              ("grundy-benchmark-test-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
    plan_.rules = {Rule::classic(), Rule::extended()};
    plan_.sizes = {50, 90};
    plan_.figures = {{Stage::kCompute}, {Stage::kTransfer}, {Stage::kFile}};
    plan_.repeats = 3;
    plan_.folder = folder_.string();
    for (const char* name : {"reference", "bitset", "cpu"})
      plan_.contestants.push_back({name, [name] { return make_engine(name, {}); }, 2});
  }
  ~RunBenchmark() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    std::filesystem::remove_all(folder_);
  }

  void add(Tampering::Options options) {
    plan_.contestants.push_back(
        {"tampering", [this, options] { return std::make_unique<Tampering>(options, runs_); }, 2});
  }

  std::filesystem::path folder_;
  BenchmarkPlan plan_;
  BenchmarkResult result_;
  std::shared_ptr<std::atomic<int>> runs_ = std::make_shared<std::atomic<int>>(0);
};

TEST_F(RunBenchmark, MeasuresEachContestantStageSizeAndRule) {
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  EXPECT_EQ(result_.measurements.size(), 2U * 2 * 3 * 3);
  EXPECT_TRUE(result_.mismatches.empty());
  EXPECT_TRUE(result_.left_out.empty());
  for (const Measurement& one : result_.measurements) {
    EXPECT_EQ(one.seconds.size(), 3U);
    for (const double seconds : one.seconds) EXPECT_GT(seconds, 0);
    EXPECT_EQ(one.file_bytes > 0, one.stage == Stage::kFile);
    EXPECT_GT(one.needed_bytes, 0U);
    EXPECT_EQ(one.digest, std::find_if(result_.measurements.begin(), result_.measurements.end(),
                                       [&](const Measurement& other) {
                                         return other.rule == one.rule && other.size == one.size;
                                       })
                              ->digest);
  }
}

TEST_F(RunBenchmark, NoticesADigestThatDiffersInAnyRun) {
  add({5});
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  ASSERT_FALSE(result_.mismatches.empty());
  for (const std::string& mismatch : result_.mismatches) {
    EXPECT_THAT(mismatch, HasSubstr("tampering"));
    EXPECT_THAT(mismatch, HasSubstr("reference"));
  }
}

TEST_F(RunBenchmark, NoticesHandedOutValuesThatDiffer) {
  plan_.figures = {{Stage::kCompute}, {Stage::kTransfer}};
  add({1 << 20, true});
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  ASSERT_EQ(result_.mismatches.size(), 2U * 2 * 3);
  EXPECT_THAT(result_.mismatches[0], HasSubstr("sum"));
}

TEST_F(RunBenchmark, LeavesOutWhatWouldTakeTooLong) {
  plan_.longest = 0;
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  EXPECT_TRUE(result_.measurements.empty());
  ASSERT_EQ(result_.left_out.size(), 2U * 2 * 3);
  for (const LeftOut& one : result_.left_out) {
    EXPECT_EQ(one.what, "all");
    EXPECT_THAT(one.reason, HasSubstr("--longest"));
  }
}

TEST_F(RunBenchmark, MeasuresOnlyComputingOnceWithoutABudget) {
  plan_.budget = 0;
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  EXPECT_EQ(result_.measurements.size(), 2U * 2 * 3);
  for (const Measurement& one : result_.measurements) {
    EXPECT_EQ(one.stage, Stage::kCompute);
    EXPECT_EQ(one.seconds.size(), 1U);
  }
  EXPECT_EQ(result_.left_out.size(), 2U * 2 * 3 * 2);
}

TEST_F(RunBenchmark, KeepsToTheSizesAskedFor) {
  plan_.contestants[0].most = 50;
  plan_.figures[2].most = 49;
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  EXPECT_EQ(result_.measurements.size(), 2U * (3 + 2) * 2);
  for (const Measurement& one : result_.measurements) {
    EXPECT_NE(one.stage, Stage::kFile);
    EXPECT_TRUE(one.contestant != "reference" || one.size == 50U);
  }
}

TEST_F(RunBenchmark, LeavesOutAContestantThatTheMachineCannotRun) {
  add({1 << 20, false, true});
  ASSERT_TRUE(run_benchmark(plan_, result_, {}));
  EXPECT_EQ(result_.measurements.size(), 2U * 2 * 3 * 3);
  ASSERT_EQ(result_.left_out.size(), 2U * 2);
  EXPECT_EQ(result_.left_out[0].reason, "no memory for this");
}

TEST_F(RunBenchmark, EndsWhenAStopIsRequested) {
  std::stop_source stop;
  add({1 << 20, false, false, &stop});
  EXPECT_FALSE(run_benchmark(plan_, result_, stop.get_token()));
  EXPECT_FALSE(run_benchmark(plan_, result_, stop.get_token()));
  EXPECT_EQ(runs_->load(), 1);
}

TEST_F(RunBenchmark, FailsWhereFilesCannotBeWritten) {
  plan_.folder = (folder_ / "missing").string();
  EXPECT_THROW(run_benchmark(plan_, result_, {}), IoError);
}

TEST(PeakMemory, SeesWhatARunTakesAndForgetsItAfterwards) {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  if (!reset_peak_memory() || !peak_memory()) GTEST_SKIP() << "the system does not say";
  const std::uint64_t before = *peak_memory();
  {
    // From the system and back to it: what is freed otherwise may be kept for later.
    const MappedWords block = map_zeroed_words(kBytes / sizeof(std::uint64_t));
    std::fill_n(block.get(), kBytes / sizeof(std::uint64_t), 1);
  }
  const std::uint64_t with = *peak_memory();
  EXPECT_GE(with, before + kBytes * 9 / 10);
  ASSERT_TRUE(reset_peak_memory());
  EXPECT_LT(*peak_memory(), with - kBytes / 2);
}

TEST(MachineLimits, ArePositive) {
  EXPECT_GT(copy_bandwidth(1), 0);
  EXPECT_GT(copy_bandwidth(3), 0);
  EXPECT_GT(load_latency(1 << 18U), 0);
  EXPECT_GT(load_latency(1), 0);
}

TEST(MachineLimits, TheCriticalPathIsThatOfTheAntiDiagonals) {
  EXPECT_DOUBLE_EQ(critical_path(1, 1, 1e-9), kReadsInAStep * 1e-9);
  EXPECT_DOUBLE_EQ(critical_path(100, 50, 2e-9), 149 * kReadsInAStep * 2e-9);
}

TEST(MachineFacts, NameWhatWasMeasuredOn) {
  const MachineFacts facts = machine_facts();
  for (const std::string& text :
       {facts.host, facts.system, facts.processor, facts.compiler, facts.software})
    EXPECT_FALSE(text.empty());
  EXPECT_GE(facts.cores, 1U);
  EXPECT_GT(facts.memory_bytes, 0U);
  EXPECT_EQ(facts.gpus.empty(), !device_usable(0) && device_count() == 0);
  EXPECT_THAT(facts.date, testing::MatchesRegex("....-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace grundy
