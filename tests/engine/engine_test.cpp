#include "grundy/engine/engine.hpp"

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

#include "grundy/engine/line_map.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"

#include "support/collected_table.hpp"
#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/reference_data.hpp"
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

class AnyEngine : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::unique_ptr<CollectedTable> classic(std::uint64_t rows,
                                                        std::uint64_t cols) const {
    return compute_table(GetParam(), Rule::classic(), {rows, cols});
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, AnyEngine, testing::Values("reference", "cpu"),
                         [](const auto& engine) { return std::string(engine.param); });

TEST_P(AnyEngine, HasTheNameItIsMadeBy) {
  EXPECT_EQ(make_engine(GetParam(), {})->name(), GetParam());
}

TEST_P(AnyEngine, GivesKnownDigestsAndCounts) {
  for (const support::KnownTable& known : support::kKnownTables) {
    const bool by_definition = GetParam() == std::string("reference");
    if (by_definition && known.extent.rows > 100) continue;  // N^3 steps
    SCOPED_TRACE(std::string(known.rule) + " " + to_text(known.extent));
    SummarySink summary;
    HistogramSink histogram;
    TileFanout both({&summary, &histogram});
    ASSERT_TRUE(
        make_engine(GetParam(), {})->compute(Rule::parse(known.rule), known.extent, both, {}));
    EXPECT_EQ(summary.result().cells, known.extent.cells());
    EXPECT_EQ(summary.result().digest, known.digest);
    EXPECT_EQ(summary.result().zeros, known.zeros);
    EXPECT_EQ(summary.result().ones, known.ones);
    EXPECT_EQ(summary.result().max_value, known.max_value);
    std::uint64_t sum = 0;
    const std::vector<std::uint64_t> counts = histogram.counts();
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

// ---- against the definition ---------------------------------------------------------------------

TEST(ReferenceEngine, AgreesWithTheDefinitionWrittenAnotherWay) {
  for (int i = 0; i < support::cases(80); ++i) {
    RandomCase random(2000 + static_cast<std::uint64_t>(i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(45);
    SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", seed " + std::to_string(2000 + i));
    const auto expected = support::values_by_definition(rule.terminal_cells(), extent);
    ASSERT_TRUE(agrees(*compute_table("reference", rule, extent),
                       [&](std::uint64_t x, std::uint64_t y) { return expected[x][y]; }));
  }
}

// The cpu engine with these options gives, cell for cell, what the reference engine gives.
void expect_cpu_agrees(const Rule& rule, const Extent& extent, const EngineOptions& options) {
  SCOPED_TRACE(rule.name() + ", " + to_text(extent) + ", " + std::to_string(options.threads) +
               " threads, tiles of " + std::to_string(options.tile_side));
  const auto expected = compute_table("reference", rule, extent);
  ASSERT_TRUE(agrees(*compute_table("cpu", rule, extent, options), *expected));
}

TEST(CpuEngine, AgreesWithTheReferenceOnRandomRulesAndRectangles) {
  const Watchdog watchdog;
  for (int i = 0; i < support::cases(400); ++i) {
    RandomCase random(3000 + static_cast<std::uint64_t>(i));
    SCOPED_TRACE("seed " + std::to_string(3000 + i));
    const Rule rule = random.rule();
    const Extent extent = random.extent(random.below(4) == 0 ? 10 : 90);
    const auto threads = static_cast<unsigned>(random.between(1, 5));
    expect_cpu_agrees(rule, extent, {threads, random.below(41)});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CpuEngine, AgreesWithTheReferenceOnLongStrips) {
  // Values beyond 4096 = 64 * 64: more than one summary word, and hints far from the start.
  constexpr std::uint64_t kLong = support::kSlowBuild ? 1500 : 4600;
  const Watchdog watchdog;
  for (const char* text : {"classic", "extended", "cells:0,1;2,2;7,3"}) {
    for (const std::uint64_t width : {1U, 5U}) {
      expect_cpu_agrees(Rule::parse(text), {width, kLong}, {3, 0});
      expect_cpu_agrees(Rule::parse(text), {kLong, width}, {3, 0});
    }
  }
}

TEST(CpuEngine, AgreesWithTheReferenceWhereOneTileHoldsTheTable) {
  for (const char* text : {"classic", "cells:1,0"}) {
    expect_cpu_agrees(Rule::parse(text), {1, 1}, {1, 1});
    expect_cpu_agrees(Rule::parse(text), {30, 20}, {4, 30});
    expect_cpu_agrees(Rule::parse(text), {20, 30}, {4, 1000});
  }
}

TEST(CpuEngine, CellsOfALargeTableAreTheMexOfTheirOptions) {
  constexpr std::uint64_t kSide = support::kSlowBuild ? 600 : 3000;  // values up to 4500
  const Watchdog watchdog;
  for (const char* text : {"classic", "extended", "cells:0,3;5,5;9,2"}) {
    const auto table = compute_table("cpu", Rule::parse(text), {kSide, kSide}, {2, 0});
    RandomCase random(71);
    for (int i = 0; i < support::cases(1000); ++i) {
      const std::uint64_t x = 10 + random.below(kSide - 10);
      const std::uint64_t y = 10 + random.below(kSide - 10);
      std::vector<bool> reached(x + y + 1);
      for (std::uint64_t a = 0; a < x; ++a) reached[table->at(a, y)] = true;
      for (std::uint64_t b = 0; b < y; ++b) reached[table->at(x, b)] = true;
      for (std::uint64_t t = 1; t <= std::min(x, y); ++t) reached[table->at(x - t, y - t)] = true;
      const auto mex = std::find(reached.begin(), reached.end(), false) - reached.begin();
      ASSERT_EQ(table->at(x, y), mex) << x << ',' << y << " of " << text;
    }
  }
}

// ---- whole tables -------------------------------------------------------------------------------

TEST(CpuEngine, PPositionsOfALargeClassicTableAreWythoffs) {
  constexpr std::uint64_t kSide = support::kSlowBuild ? 1000 : 5000;
  // floor(n * phi) and n more; the mex of all terms so far, without any arithmetic of phi.
  std::vector<Position> expected{{0, 0}};
  std::vector<bool> used(4 * kSide);
  for (std::uint64_t n = 1, a = 1; a < kSide; ++n) {
    used[a] = used[a + n] = true;
    if (a + n < kSide) {
      expected.push_back({a, a + n});
      expected.push_back({a + n, a});
    }
    while (used[a]) ++a;
  }
  std::sort(expected.begin(), expected.end());
  PositionSink zeros(0);
  ASSERT_TRUE(make_engine("cpu", {2, 0})->compute(Rule::classic(), {kSide, kSide}, zeros, {}));
  EXPECT_EQ(to_text(zeros.positions()), to_text(expected));
}

TEST(CpuEngine, OnesOfExtendedAreClassicPPositionsFromCoordinate8On) {
  constexpr Extent kExtent{700, 700};
  PositionSink zeros(0);
  PositionSink ones(1);
  ASSERT_TRUE(make_engine("cpu", {})->compute(Rule::classic(), kExtent, zeros, {}));
  ASSERT_TRUE(make_engine("cpu", {})->compute(Rule::extended(), kExtent, ones, {}));
  const auto split = [](const std::vector<Position>& positions) {
    std::pair<std::vector<Position>, std::vector<Position>> parts;
    for (const Position& p : positions)
      (p.x >= 8 || p.y >= 8 ? parts.first : parts.second).push_back(p);
    return parts;
  };
  const auto [far_zeros, near_zeros] = split(zeros.positions());
  const auto [far_ones, near_ones] = split(ones.positions());
  EXPECT_EQ(to_text(far_ones), to_text(far_zeros));
  EXPECT_EQ(to_text(near_zeros), "0,0;1,2;2,1;3,5;4,7;5,3;7,4");
  EXPECT_EQ(to_text(near_ones), "0,3;1,2;2,1;3,0;4,4;5,7;7,5");
}

TEST(CpuEngine, GivesTheSameTableForAnyThreadsAndTiles) {
  const Watchdog watchdog;
  constexpr Extent kExtent{support::kSlowBuild ? 150U : 500U, support::kSlowBuild ? 200U : 700U};
  for (const char* text : {"extended", "cells:4,1;0,2"}) {
    SummarySink expected;
    ASSERT_TRUE(make_engine("cpu", {1, 0})->compute(Rule::parse(text), kExtent, expected, {}));
    for (const unsigned threads : {0U, 1U, 2U, 5U, 16U}) {
      for (const std::uint64_t side : {0U, 1U, 31U, 128U, 700U}) {
        SummarySink sum;
        ASSERT_TRUE(
            make_engine("cpu", {threads, side})->compute(Rule::parse(text), kExtent, sum, {}));
        EXPECT_EQ(sum.result().digest, expected.result().digest)
            << threads << " threads, tiles of " << side;
        EXPECT_EQ(sum.result(), expected.result());
      }
    }
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
      const auto available = static_cast<double>(available_memory());
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

TEST(CpuEngine, BytesNeededAreThoseOfTheLinesAndOneTileForEachThread) {
  const auto bytes = [](const char* rule, const Extent& extent) {
    return make_engine("cpu", {3, 50})->bytes_needed(Rule::parse(rule), extent);
  };
  constexpr std::uint64_t kTiles = std::uint64_t{3} * 50 * 50 * 4;
  EXPECT_EQ(bytes("classic", {700, 900}), LineMap::bytes_needed({700, 900}, true) + kTiles);
  EXPECT_EQ(bytes("classic", {900, 700}), LineMap::bytes_needed({700, 900}, true) + kTiles);
  EXPECT_EQ(bytes("cells:1,0", {700, 900}), LineMap::bytes_needed({700, 900}, false) + kTiles);
  EXPECT_EQ(bytes("cells:1,0", {900, 700}), LineMap::bytes_needed({900, 700}, false) + kTiles);
  // Tiles are cut to the table.
  EXPECT_EQ(bytes("classic", {20, 900}),
            LineMap::bytes_needed({20, 900}, true) + std::uint64_t{3} * 20 * 50 * 4);
}

TEST(CpuEngine, HugeTilesAreRefusedOrCutToTheTable) {
  const auto expected = compute_table("reference", Rule::classic(), {10, 20});
  for (const std::uint64_t side : {std::uint64_t{100'000'000}, std::uint64_t{1} << 31U,
                                   std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    CollectedTable table({10, 20});
    try {
      EXPECT_TRUE(make_engine("cpu", {4, side})->compute(Rule::classic(), {10, 20}, table, {}));
      EXPECT_TRUE(table.complete()) << side;
      EXPECT_TRUE(agrees(table, *expected)) << side;
    } catch (const DeviceError&) {
      EXPECT_EQ(table.tiles(), 0U) << side;
    }
  }
}

TEST(ReferenceEngine, BytesNeededAreThoseOfTheTable) {
  EXPECT_EQ(make_engine("reference", {})->bytes_needed(Rule::classic(), {70, 90}), 70U * 90 * 4);
}

TEST(MakeEngine, RefusesUnknownNames) {
  for (const char* name : {"abacus", "", "CPU", "cpu ", "auto,cpu"}) {
    EXPECT_TRUE(throws_naming<UsageError>("'" + std::string(name) + "'",
                                          [&] { (void)make_engine(name, {}); }));
  }
  EXPECT_TRUE(
      throws_naming<UsageError>("xxx", [] { (void)make_engine(std::string(1'000'000, 'x'), {}); }));
}

TEST(MakeEngine, AutoIsAnEngineThatThisMachineCanUse) {
  const auto engine = make_engine("auto", {});
  EXPECT_EQ(make_engine(engine->name(), {})->name(), engine->name());
  EXPECT_NE(engine->name(), "reference");
  EXPECT_TRUE(agrees(*compute_table("auto", Rule::extended(), {50, 80}),
                     *compute_table("reference", Rule::extended(), {50, 80})));
}

}  // namespace
}  // namespace grundy
