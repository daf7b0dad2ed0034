#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/devices.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/errors.hpp"

#include "support/collected_table.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/reference_data.hpp"
#include "support/sink_sums.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::agrees;
using support::CollectedTable;
using support::compute_table;
using support::RandomCase;
using support::throws_naming;
using support::to_text;
using support::Watchdog;

// Hands on to nobody.
class Discard final : public TileSink {
 public:
  void consume(const FinishedTile& /*tile*/) override {}
};

// ---- published values ---------------------------------------------------------------------------

// The engines of this test program; one that needs a GPU has a program of its own.
#ifndef GRUNDY_TEST_ENGINES
#define GRUNDY_TEST_ENGINES "reference", "bitset", "cpu"
#endif

class AnyEngine : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (by_gpu() && !device_usable(0)) GTEST_SKIP() << "no GPU that can be used";
  }

  [[nodiscard]] static bool by_gpu() { return GetParam() == std::string("cuda"); }
  [[nodiscard]] static bool by_definition() { return GetParam() == std::string("reference"); }
  [[nodiscard]] std::unique_ptr<CollectedTable> classic(std::uint64_t rows,
                                                        std::uint64_t cols) const {
    return compute_table(GetParam(), Rule::classic(), {rows, cols});
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, AnyEngine, testing::Values(GRUNDY_TEST_ENGINES),
                         [](const auto& engine) { return std::string(engine.param); });

TEST_P(AnyEngine, HasTheNameItIsMadeBy) {
  EXPECT_EQ(make_engine(GetParam(), {})->name(), GetParam());
}

TEST_P(AnyEngine, GivesKnownDigestsAndCounts) {
  for (const support::KnownTable& known : support::kKnownTables) {
    if (by_definition() && known.extent.rows > 100) continue;  // N^3 steps
    SCOPED_TRACE(std::string(known.rule) + " " + to_text(known.extent));
    const auto [summary, counts] =
        support::sink_sums(GetParam(), Rule::parse(known.rule), known.extent);
    EXPECT_EQ(summary.cells, known.extent.cells());
    EXPECT_EQ(summary.digest, known.digest);
    EXPECT_EQ(summary.zeros, known.zeros);
    EXPECT_EQ(summary.ones, known.ones);
    EXPECT_EQ(summary.max_value, known.max_value);
    std::uint64_t sum = 0;
    for (std::uint64_t value = 0; value < counts.size(); ++value) sum += value * counts[value];
    EXPECT_EQ(sum, known.sum);
  }
}

TEST_P(AnyEngine, GivesThePublishedSequences) {
  const auto table = classic(100, 100);
  for (const auto& [cell, value, sequence] : support::known_classic_cells())
    ASSERT_EQ(table->at(cell.x, cell.y), value) << sequence << ": " << to_text(cell);
}

TEST_P(AnyEngine, GivesThePublishedPPositions) {
  const std::uint64_t rows = support::kA002251.size();
  const std::uint64_t cols =
      1 + *std::max_element(support::kA002251.begin(), support::kA002251.end());
  std::vector<Position> expected;
  for (std::uint64_t x = 0; x < rows; ++x) expected.push_back({x, support::kA002251[x]});
  PositionSink zeros(0);
  ASSERT_TRUE(make_engine(GetParam(), {})->compute(Rule::classic(), {rows, cols}, zeros, {}));
  EXPECT_EQ(to_text(zeros.positions()), to_text(expected));
}

// ---- against each other -------------------------------------------------------------------------

TEST_P(AnyEngine, AgreesWithTheReferenceOnRandomRulesAndRectangles) {
  const Watchdog watchdog;
  for (int i = 0; i < support::cases(40); ++i) {
    RandomCase random(2600 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(150);
    const EngineOptions options{1 + static_cast<unsigned>(random.below(4)), random.between(1, 300)};
    SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", tiles of " +
                 std::to_string(options.tile_side));
    ASSERT_TRUE(agrees(*compute_table(GetParam(), rule, extent, options),
                       *compute_table("reference", rule, extent)));
  }
}

TEST_P(AnyEngine, SummarizesAsSinksDo) {
  const Watchdog watchdog;
  for (int i = 0; i < support::cases(20); ++i) {
    RandomCase random(2700 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(180);
    SCOPED_TRACE(rule.name() + ", " + to_text(extent));
    const auto [summary, counts] = support::sink_sums("cpu", rule, extent);

    const auto engine = make_engine(GetParam(), {2, random.between(1, 300)});
    CollectedTable table(extent);
    std::atomic<std::uint64_t> cells{0};
    const auto progress = [&](std::uint64_t more) { cells += more; };
    for (const bool with_tiles : {false, true}) {
      for (const bool with_histogram : {false, true}) {
        Engine::Result result;
        ASSERT_TRUE(engine->summarize(
            rule, extent,
            {with_tiles && with_histogram ? &table : nullptr, with_histogram, progress}, result,
            {}));
        EXPECT_EQ(result.summary, summary);
        EXPECT_EQ(result.histogram, with_histogram ? counts : std::vector<std::uint64_t>{});
      }
    }
    EXPECT_EQ(cells, 4 * extent.cells());
    EXPECT_TRUE(table.complete());
  }
}

TEST_P(AnyEngine, FindsLevelsAsSinksDo) {
  const Watchdog watchdog;
  for (int i = 0; i < support::cases(20); ++i) {
    RandomCase random(2800 + static_cast<std::uint64_t>(i));
    const Rule first = random.rule();
    const Rule second = random.coin() ? Rule::classic() : random.rule();
    const Extent extent = random.extent(180);
    const auto a = static_cast<std::uint32_t>(random.below(3));
    const auto b = static_cast<std::uint32_t>(random.below(3));
    SCOPED_TRACE(first.name() + " and " + second.name() + ", " + to_text(extent));
    PositionSink in_first(a);
    PositionSink in_second(b);
    ASSERT_TRUE(make_engine("cpu", {})->compute(first, extent, in_first, {}));
    ASSERT_TRUE(make_engine("cpu", {})->compute(second, extent, in_second, {}));

    Engine::LevelPair levels;
    std::atomic<std::uint64_t> cells{0};
    ASSERT_TRUE(make_engine(GetParam(), {2, random.between(1, 300)})
                    ->find_levels({&first, a}, {&second, b}, extent, levels,
                                  [&](std::uint64_t more) { cells += more; }, {}));
    EXPECT_EQ(to_text(levels.first), to_text(in_first.positions()));
    EXPECT_EQ(to_text(levels.second), to_text(in_second.positions()));
    EXPECT_EQ(cells, 2 * extent.cells());
  }
}

TEST_P(AnyEngine, SymmetricTableEqualsItsTranspose) {
  for (const char* text : {"classic", "triangle:5", "cells:3,7;7,3;4,4"}) {
    const auto square = compute_table(GetParam(), Rule::parse(text), {77, 77});
    const auto wide = compute_table(GetParam(), Rule::parse(text), {50, 77});
    const auto tall = compute_table(GetParam(), Rule::parse(text), {77, 50});
    const auto mirrored = [&](std::uint64_t x, std::uint64_t y) { return square->at(y, x); };
    EXPECT_TRUE(agrees(*square, mirrored)) << text;
    EXPECT_TRUE(agrees(*wide, mirrored)) << text;
    EXPECT_TRUE(agrees(*tall, mirrored)) << text;
  }
}

TEST_P(AnyEngine, MirroredRuleGivesTheMirroredTable) {
  const auto table = compute_table(GetParam(), Rule::parse("cells:1,0;2,5;3,3"), {40, 60});
  const auto mirrored = compute_table(GetParam(), Rule::parse("cells:0,1;5,2;3,3"), {60, 40});
  EXPECT_TRUE(agrees(*table, [&](std::uint64_t x, std::uint64_t y) { return mirrored->at(y, x); }));
}

TEST_P(AnyEngine, TerminalCellsBeyondTheTableDoNotMatter) {
  const auto table =
      compute_table(GetParam(), Rule::parse("cells:30,0;0,30;4294967295,7"), {30, 30});
  EXPECT_TRUE(agrees(*table, *compute_table("reference", Rule::classic(), {30, 30})));
}

TEST_P(AnyEngine, TableOfTerminalCellsOnlyIsZero) {
  const auto zero = [](std::uint64_t, std::uint64_t) { return 0U; };
  EXPECT_TRUE(agrees(*compute_table(GetParam(), Rule::triangle(60), {30, 31}), zero));
  EXPECT_TRUE(agrees(*compute_table(GetParam(), Rule::triangle(1U << 20U), {100, 100}), zero));
}

// ---- stopping -----------------------------------------------------------------------------------

// Asks the engine to stop while it consumes tile number `last`.
class StopAfter final : public TileSink {
 public:
  StopAfter(TileSink& next, std::uint64_t last) : next_(next), last_(last) {}

  void consume(const FinishedTile& tile) override {
    next_.consume(tile);
    if (++tiles_ == last_) stop_.request_stop();
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  TileSink& next_;
  std::uint64_t last_;
  std::atomic<std::uint64_t> tiles_{0};
  std::stop_source stop_;
};

TEST_P(AnyEngine, DoesNothingWhenStoppedBeforehand) {
  const Watchdog watchdog;
  std::stop_source stop;
  stop.request_stop();
  for (const unsigned threads : {1U, 4U}) {
    CollectedTable table({50, 50});
    const auto engine = make_engine(GetParam(), {threads, 8});
    EXPECT_FALSE(engine->compute(Rule::classic(), {50, 50}, table, stop.get_token()));
    EXPECT_EQ(table.tiles(), 0U);
  }
}

TEST_P(AnyEngine, TilesHandedOutBeforeAStopAreRight) {
  const Watchdog watchdog;
  constexpr Extent kExtent{160, 200};
  for (const char* text : {"extended", "cells:2,0;1,6"}) {
    const auto whole = compute_table(GetParam(), Rule::parse(text), kExtent, {1, 8});
    for (const unsigned threads : {1U, 4U}) {
      for (const std::uint64_t last : {1U, 2U, 9U, 40U}) {
        if (last >= whole->tiles()) continue;
        SCOPED_TRACE(std::to_string(threads) + " threads, stopped in tile " + std::to_string(last));
        CollectedTable table(kExtent);
        StopAfter sink(table, last);
        const auto engine = make_engine(GetParam(), {threads, 8});
        ASSERT_FALSE(engine->compute(Rule::parse(text), kExtent, sink, sink.token()));
        EXPECT_GE(table.tiles(), last);
        // At most what was under way in the other threads.
        EXPECT_LE(table.tiles(), last + std::uint64_t{10} * (threads - 1));
        EXPECT_TRUE(table.consistent());
        EXPECT_TRUE(agrees(table, *whole));
      }
    }
  }
}

TEST_P(AnyEngine, StopAfterTheLastTileLeavesTheTableComplete) {
  CollectedTable table({40, 40});
  const auto whole = compute_table(GetParam(), Rule::classic(), {40, 40}, {1, 8});
  StopAfter sink(table, whole->tiles());
  EXPECT_TRUE(
      make_engine(GetParam(), {1, 8})->compute(Rule::classic(), {40, 40}, sink, sink.token()));
  EXPECT_TRUE(table.complete());
}

TEST_P(AnyEngine, ComputesAgainAfterAStop) {
  const auto engine = make_engine(GetParam(), {2, 8});
  Discard discard;
  StopAfter sink(discard, 3);
  EXPECT_FALSE(engine->compute(Rule::classic(), {90, 90}, sink, sink.token()));
  CollectedTable table({90, 90});
  EXPECT_TRUE(engine->compute(Rule::extended(), {90, 90}, table, {}));
  EXPECT_TRUE(table.complete());
  EXPECT_TRUE(agrees(table, *compute_table("reference", Rule::extended(), {90, 90})));
}

// ---- sinks that misbehave -----------------------------------------------------------------------

struct SinkFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws in tile number `first` and all after it.
class ThrowFrom final : public TileSink {
 public:
  explicit ThrowFrom(std::uint64_t first) : first_(first) {}

  void consume(const FinishedTile& /*tile*/) override {
    if (++tiles_ >= first_) throw SinkFailure("the disk is full");
  }
  [[nodiscard]] std::uint64_t tiles() const { return tiles_; }

 private:
  std::uint64_t first_;
  std::atomic<std::uint64_t> tiles_{0};
};

TEST_P(AnyEngine, WhatTheSinkThrowsComesOut) {
  const Watchdog watchdog;
  for (const unsigned threads : {1U, 4U}) {
    for (const std::uint64_t first : {1U, 2U, 10U, 30U}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, thrown in tile " + std::to_string(first));
      ThrowFrom sink(first);
      const auto engine = make_engine(GetParam(), {threads, 8});
      EXPECT_TRUE(throws_naming<SinkFailure>("the disk is full", [&] {
        (void)engine->compute(Rule::classic(), {200, 200}, sink, {});
      }));
      EXPECT_GE(sink.tiles(), first);
      EXPECT_LE(sink.tiles(), first + std::uint64_t{10} * (threads - 1))
          << "tiles under way at that time";
      CollectedTable table({50, 50});
      EXPECT_TRUE(engine->compute(Rule::classic(), {50, 50}, table, {})) << "and again";
      EXPECT_TRUE(table.complete());
    }
  }
}

TEST_P(AnyEngine, WhatTheSinkThrowsInTheLastTileComesOut) {
  const Watchdog watchdog;
  const auto whole = compute_table(GetParam(), Rule::classic(), {60, 60}, {1, 8});
  for (const unsigned threads : {1U, 4U}) {
    ThrowFrom sink(whole->tiles());
    const auto engine = make_engine(GetParam(), {threads, 8});
    EXPECT_THROW((void)engine->compute(Rule::classic(), {60, 60}, sink, {}), SinkFailure);
  }
}

// Takes its time, and notes how many threads it holds at once.
class SlowSink final : public TileSink {
 public:
  void consume(const FinishedTile& /*tile*/) override {
    const int now = ++inside_;
    int most = most_;
    while (most < now && !most_.compare_exchange_weak(most, now)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    --inside_;
  }
  [[nodiscard]] int most() const { return most_; }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

TEST_P(AnyEngine, SlowSinkHoldsNoMoreTilesThanThereAreThreads) {
  const Watchdog watchdog;
  for (const int threads : {1, 3}) {
    SlowSink sink;
    const auto engine = make_engine(GetParam(), {static_cast<unsigned>(threads), 8});
    ASSERT_TRUE(engine->compute(Rule::classic(), {100, 100}, sink, {}));
    EXPECT_GE(sink.most(), 1);
    EXPECT_LE(sink.most(), threads);
  }
}

// ---- what is refused ----------------------------------------------------------------------------

// All numbers in a text.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
    std::size_t length = 0;
    numbers.push_back(std::stod(text.substr(at), &length));
    at += length;
  }
  return numbers;
}

TEST_P(AnyEngine, RefusesATableBeyondTheMemoryAtOnceAndSaysHowMuchItNeeds) {
  const auto engine = make_engine(GetParam(), {});
  for (const Extent extent : {Extent{4'000'000, 4'000'000}, Extent{30'000'000, 2'000'000},
                              Extent{2'000'000, 30'000'000}}) {
    for (const char* rule : {"classic", "cells:1,0"}) {
      SCOPED_TRACE(std::string(rule) + " " + to_text(extent));
      Discard sink;
      const auto start = std::chrono::steady_clock::now();
      std::string message;
      try {
        (void)engine->compute(Rule::parse(rule), extent, sink, {});
      } catch (const DeviceError& error) {
        message = error.what();
      }
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));

      const std::uint64_t needed = engine->bytes_needed(Rule::parse(rule), extent);
      EXPECT_NE(message.find(std::to_string(needed)), std::string::npos) << message;
      // Other processes take and free memory meanwhile.
      const auto available =
          static_cast<double>(by_gpu() ? describe_device(0).free_bytes : available_memory());
      const auto numbers = numbers_in(message);
      EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), [&](double number) {
        return number > available / 2 && number < available * 2;
      })) << message;
    }
  }
}

TEST_P(AnyEngine, RefusesTheLargestTableThatHasValues) {
  constexpr Extent kLargest{1U << 31U, 1U << 31U};  // 2^62 cells, 2^64 bytes of 32-bit values
  Discard sink;
  EXPECT_TRUE(throws_naming<DeviceError>("2147483648", [&] {
    (void)make_engine(GetParam(), {})->compute(Rule::classic(), kLargest, sink, {});
  }));
}

TEST_P(AnyEngine, RefusesExtentsThatAreNoTable) {
  Discard sink;
  const auto engine = make_engine(GetParam(), {});
  for (const Extent extent : {Extent{0, 0}, Extent{0, 5}, Extent{5, 0}, Extent{1, ~0ULL},
                              Extent{~0ULL, ~0ULL}, Extent{1U << 31U, (1U << 31U) + 1}}) {
    EXPECT_TRUE(throws_naming<UsageError>(to_text(extent), [&] {
      (void)engine->compute(Rule::classic(), extent, sink, {});
    })) << to_text(extent);
  }
}

}  // namespace
}  // namespace grundy
