#include "grundy/engine/sinks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/summary.hpp"

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/random_view.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::RandomView;
using support::to_text;

constexpr unsigned kThreads = 4;

// The sink consumes every view, with its mirror image, on several threads at once.
void consume_on_threads(TileSink& sink, const std::vector<RandomView>& views) {
  std::vector<std::jthread> pool;
  for (unsigned t = 0; t < kThreads; ++t)
    pool.emplace_back([&sink, &views, t] {
      for (std::size_t i = t; i < views.size(); i += kThreads)
        sink.consume({views[i].view(), views[i].view().transposed()});
    });
}

std::vector<RandomView> random_views(std::uint64_t seed, int count) {
  RandomCase random(seed);
  std::vector<RandomView> views;
  views.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) views.emplace_back(random, 12, 1 + random.below(70));
  return views;
}

TEST(HistogramSink, CountsEachValueOfAllTiles) {
  const auto views = random_views(61, support::cases(800));
  HistogramSink sink;
  consume_on_threads(sink, views);

  std::map<std::uint32_t, std::uint64_t> expected;
  for (const RandomView& random_view : views) {
    const TileView& view = random_view.view();
    for (std::uint32_t i = 0; i < view.rows; ++i)
      for (std::uint32_t j = 0; j < view.cols; ++j) expected[view.at(i, j)] += 2;  // and mirrored
  }
  const std::vector<std::uint64_t> counts = sink.counts();
  ASSERT_EQ(counts.size(), expected.rbegin()->first + 1);
  for (std::uint32_t value = 0; value < counts.size(); ++value)
    EXPECT_EQ(counts[value], expected[value]) << "value " << value;
}

TEST(HistogramSink, EndsWithTheLargestValue) {
  const std::vector<std::uint32_t> values{5, 2, 2, 0};
  HistogramSink sink;
  EXPECT_TRUE(sink.counts().empty());
  sink.consume({{0, 0, 2, 2, values.data(), 2, 1}, {}});
  EXPECT_EQ(sink.counts(), (std::vector<std::uint64_t>{1, 0, 2, 0, 0, 1}));
}

TEST(PositionSink, CollectsThePositionsOfItsValueInOrder) {
  const auto views = random_views(62, support::cases(800));
  for (const std::uint32_t value : {0U, 1U, 7U}) {
    PositionSink sink(value);
    consume_on_threads(sink, views);

    std::vector<Position> expected;
    for (const RandomView& random_view : views) {
      const TileView& view = random_view.view();
      for (std::uint32_t i = 0; i < view.rows; ++i)
        for (std::uint32_t j = 0; j < view.cols; ++j)
          if (view.at(i, j) == value) {
            expected.push_back({view.x0 + i, view.y0 + j});
            expected.push_back({view.y0 + j, view.x0 + i});
          }
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(to_text(sink.positions()), to_text(expected));
  }
}

TEST(TileFanout, HandsEveryTileToEverySink) {
  const auto views = random_views(63, 40);
  SummarySink expected;
  consume_on_threads(expected, views);
  SummarySink first;
  SummarySink second;
  TileFanout both({&first, &second});
  consume_on_threads(both, views);
  EXPECT_NE(expected.result().digest, 0U);
  EXPECT_EQ(first.result(), expected.result());
  EXPECT_EQ(second.result(), expected.result());
}

TEST(ForEachView, SkipsEmptyViews) {
  const std::uint32_t value = 3;
  const TileView cell{4, 5, 1, 1, &value, 1, 1};
  std::vector<Position> seen;
  const auto note = [&](const TileView& view) { seen.push_back({view.x0, view.y0}); };
  for_each_view({cell, {}}, note);
  for_each_view({{}, cell.transposed()}, note);
  for_each_view({{}, {}}, note);
  EXPECT_EQ(to_text(seen), "4,5;5,4");
}

}  // namespace
}  // namespace grundy
