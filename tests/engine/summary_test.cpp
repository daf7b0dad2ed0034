#include "grundy/engine/summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/kernels/digest.hpp"

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/random_view.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::RandomView;

void add(Summary& sum, std::uint64_t x, std::uint64_t y, std::uint32_t value) {
  ++sum.cells;
  sum.zeros += value == 0 ? 1 : 0;
  sum.ones += value == 1 ? 1 : 0;
  sum.max_value = std::max(sum.max_value, value);
  sum.digest += cell_digest(x, y, value);
}

void add(Summary& sum, const TileView& view) {
  for (std::uint32_t i = 0; i < view.rows; ++i)
    for (std::uint32_t j = 0; j < view.cols; ++j) add(sum, view.x0 + i, view.y0 + j, view.at(i, j));
}

Summary by_cells(const TileView& view) {
  Summary sum;
  add(sum, view);
  return sum;
}

// Field by field, so that a failure says which one differs.
void expect_same(const Summary& actual, const Summary& expected) {
  EXPECT_EQ(actual.cells, expected.cells);
  EXPECT_EQ(actual.zeros, expected.zeros);
  EXPECT_EQ(actual.ones, expected.ones);
  EXPECT_EQ(actual.max_value, expected.max_value);
  EXPECT_EQ(actual.digest, expected.digest);
}

TEST(Summarize, CountsTheCellsOfAnyView) {
  RandomCase random(51);
  for (int i = 0; i < support::cases(1000); ++i) {
    SCOPED_TRACE(i);
    const RandomView random_view(random, 40, i % 2 == 0 ? 4 : 0xffff'ffff);
    expect_same(summarize(random_view.view()), by_cells(random_view.view()));
    const TileView transposed = random_view.view().transposed();
    expect_same(summarize(transposed), by_cells(transposed));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Summarize, TellsAViewFromItsTranspose) {
  RandomCase random(52);
  for (int i = 0; i < 20; ++i) {
    const RandomView view(random, 40, 50);
    EXPECT_NE(summarize(view.view()).digest, summarize(view.view().transposed()).digest);
  }
}

TEST(Summarize, OfAnEmptyViewIsNothing) {
  expect_same(summarize(TileView{}), Summary{});
  const std::uint32_t value = 7;
  expect_same(summarize({5, 6, 0, 1, &value, 1, 1}), Summary{});
  expect_same(summarize({5, 6, 1, 0, &value, 1, 1}), Summary{});
}

TEST(Summarize, FindsTheLargestValuesAndCoordinates) {
  const std::uint32_t value = 0xffff'fffe;
  const TileView view{0xffff'fffe, 0x1234'5678, 1, 1, &value, 1, 1};
  Summary expected;
  add(expected, 0xffff'fffe, 0x1234'5678, value);
  expect_same(summarize(view), expected);
  expect_same(summarize(view.transposed()), by_cells(view.transposed()));
}

TEST(SummarySink, IsTheSameForAnyTilingInAnyOrder) {
  RandomCase random(53);
  constexpr std::uint32_t kRows = 37;
  constexpr std::uint32_t kCols = 52;
  std::vector<std::uint32_t> values(std::size_t{kRows} * kCols);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random.below(60));
  const TileView whole{0, 0, kRows, kCols, values.data(), kCols, 1};
  for (const std::uint32_t side : {1U, 2U, 7U, 16U, 100U}) {
    std::vector<FinishedTile> tiles;
    for (std::uint32_t x = 0; x < kRows; x += side)
      for (std::uint32_t y = 0; y < kCols; y += side)
        tiles.push_back({{x, y, std::min(side, kRows - x), std::min(side, kCols - y),
                          &values[x * kCols + y], kCols, 1},
                         {}});
    random.shuffle(tiles);
    SummarySink sink;
    for (const FinishedTile& tile : tiles) sink.consume(tile);
    expect_same(sink.result(), by_cells(whole));
  }
}

TEST(SummarySink, CountsTheMirrorImageToo) {
  RandomCase random(54);
  const RandomView view(random, 30, 40);
  SummarySink sink;
  sink.consume({view.view(), view.view().transposed()});
  Summary expected = by_cells(view.view());
  add(expected, view.view().transposed());
  expect_same(sink.result(), expected);
}

TEST(SummarySink, StartsAtNothing) { expect_same(SummarySink().result(), Summary{}); }

TEST(SummarySink, LosesNothingWhenSeveralThreadsConsume) {
  constexpr unsigned kThreads = 4;
  constexpr int kRepeats = support::cases(400);
  RandomCase random(55);
  std::vector<RandomView> views;
  views.reserve(20);
  for (int i = 0; i < 20; ++i) views.emplace_back(random, 4, i + 2);  // small: consume() collides
  SummarySink sink;
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 0; t < kThreads; ++t)
      pool.emplace_back([&] {
        for (int repeat = 0; repeat < kRepeats; ++repeat)
          for (const RandomView& view : views) sink.consume({view.view(), {}});
      });
  }
  Summary once;
  for (const RandomView& view : views) add(once, view.view());
  constexpr std::uint64_t kTimes = std::uint64_t{kThreads} * kRepeats;
  expect_same(sink.result(), {once.cells * kTimes, once.zeros * kTimes, once.ones * kTimes,
                              once.max_value, once.digest * kTimes});
}

}  // namespace
}  // namespace grundy
