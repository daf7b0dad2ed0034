#include "grundy/engine/line_map.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/game/limits.hpp"
#include "grundy/kernels/staged_lines.hpp"

#include "support/effort.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::to_text;

constexpr std::uint64_t kCacheLineWords = 8;
constexpr std::uint64_t kStrides[] = {kStagedLineStride, kLineStride};

// The line sets of a map, each with the number of values that its cells can have: by walking over
// all cells that are computed, with G(x,y) <= x+y.
std::map<LineWord*, std::uint64_t> lines_by_place(const Extent& extent, bool symmetric,
                                                  const TableLines& lines) {
  std::map<LineWord*, std::uint64_t> values;
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = symmetric ? x : 0; y < extent.cols; ++y) {
      const auto [row, column, diagonal] = lines.through(x, y);
      for (LineWord* line : {row, column, diagonal})
        values[line] = std::max(values[line], x + y + 1);
    }
  }
  return values;
}

// Whether the lines have room and lie apart from each other within the words they asked for.
void expect_room_for_every_line(const Extent& extent, bool symmetric, std::uint64_t stride) {
  SCOPED_TRACE(to_text(extent) + (symmetric ? ", symmetric" : "") + ", stride " +
               std::to_string(stride));
  const std::uint64_t words = LineMap::words_needed(extent, symmetric, stride);
  std::vector<LineWord> block(words);
  const LineMap map(extent, symmetric, stride, block.data());
  const TableLines lines = map.lines();
  const auto values = lines_by_place(extent, symmetric, lines);

  // Nothing is shared but the rows and columns of a symmetric table.
  const std::uint64_t diagonals = symmetric ? extent.cols : extent.rows + extent.cols - 1;
  ASSERT_EQ(values.size(), extent.cols + (symmetric ? 0 : extent.rows) + diagonals);

  std::vector<bool> taken(words);
  for (const auto& [line, count] : values) {
    ASSERT_GE(lines.summary_words, summary_words_for(count));
    // Counted from the start of the block.
    const auto value_0 = static_cast<std::uint64_t>(line - block.data());
    const std::uint64_t start = value_0 - stride * (lines.summary_words + 1);
    ASSERT_LT(start % kCacheLineWords, stride) << "not in the first cache line of a group";
    for (std::uint64_t word = 0; word < line_words(lines.summary_words, count); ++word) {
      const std::uint64_t at = start + stride * word;
      ASSERT_LT(at, words) << "beyond the block";
      ASSERT_FALSE(taken[at]) << "overlaps another line";
      taken[at] = true;
    }
  }
}

TEST(LineMap, HasRoomForEveryLineOfSmallTables) {
  for (std::uint64_t rows = 1; rows <= 24; ++rows) {
    for (std::uint64_t cols = 1; cols <= 24; ++cols) {
      for (const std::uint64_t stride : kStrides) {
        expect_room_for_every_line({rows, cols}, false, stride);
        if (rows <= cols) expect_room_for_every_line({rows, cols}, true, stride);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(LineMap, HasRoomForEveryLineOfTablesOfManyShapes) {
  for (const Extent extent : {Extent{1, 1000}, Extent{2, 1000}, Extent{63, 64}, Extent{64, 64},
                              Extent{64, 65}, Extent{64, 500}, Extent{100, 201}, Extent{300, 300},
                              Extent{299, 300}, Extent{5, 2000}, Extent{150, 1500}}) {
    for (const std::uint64_t stride : kStrides) {
      expect_room_for_every_line(extent, true, stride);
      expect_room_for_every_line(extent, false, stride);
      expect_room_for_every_line({extent.cols, extent.rows}, false, stride);
    }
  }
}

TEST(LineMap, NeedsNoMoreWordsThanItsLinesWithTheirPadding) {
  for (const Extent extent : {Extent{1, 1}, Extent{64, 64}, Extent{100, 300}, Extent{700, 700}}) {
    for (const bool symmetric : {false, true}) {
      for (const std::uint64_t stride : kStrides) {
        std::vector<LineWord> block(LineMap::words_needed(extent, symmetric, stride));
        const LineMap map(extent, symmetric, stride, block.data());
        const std::uint64_t longest =
            line_words(map.lines().summary_words, extent.rows + extent.cols - 1);
        // Up to six groups are not full.
        std::uint64_t words = 6 * stride * (longest + 1) + 6 * kCacheLineWords;
        for (const auto& [line, count] : lines_by_place(extent, symmetric, map.lines())) {
          // As wide as the widest of the group, and an odd number of cache lines.
          const std::uint64_t widest = count + stride - 1;
          words += line_words(map.lines().summary_words, widest) + 2 * kCacheLineWords / stride;
        }
        EXPECT_LE(block.size(), words) << to_text(extent) << ", stride " << stride;
      }
    }
  }
}

TEST(LineMap, SharesLinesOfASymmetricTable) {
  std::vector<LineWord> block(LineMap::words_needed({5, 9}, true, kLineStride));
  const LineMap map({5, 9}, true, kLineStride, block.data());
  const TableLines lines = map.lines();
  for (std::uint64_t k = 0; k < 5; ++k)
    EXPECT_EQ(lines.through(k, k).row, lines.through(k, k).column);
  EXPECT_EQ(lines.through(3, 4).row, lines.through(1, 3).column);
}

TEST(LineMap, TakesAboutThreeEighthsOfAByteForACellOfALargeSymmetricTable) {
  constexpr double kSide = 16384;
  const double symmetric =
      static_cast<double>(LineMap::bytes_needed({16384, 16384}, true, kLineStride));
  EXPECT_GE(symmetric, 0.375 * kSide * kSide);
  EXPECT_LE(symmetric, 0.45 * kSide * kSide);
  const double full =
      static_cast<double>(LineMap::bytes_needed({16384, 16384}, false, kLineStride));
  EXPECT_GE(full, 2 * 0.375 * kSide * kSide);
  EXPECT_LE(full, 2 * 0.45 * kSide * kSide);
}

TEST(LineMap, CountsTheBlockAndTheMapItself) {
  for (const bool symmetric : {false, true}) {
    const std::uint64_t lines = symmetric ? 2 * 200 : 2 * 100 + 2 * 200 - 1;
    EXPECT_EQ(LineMap::bytes_needed({100, 200}, symmetric, kLineStride),
              8 * (LineMap::words_needed({100, 200}, symmetric, kLineStride) + lines));
  }
}

TEST(LineMap, GivesTheSizeOfTheLargestTablesWithoutOverflow) {
  constexpr std::uint64_t kHalf = (kValueLimit + 1) / 2;
  const double cells = static_cast<double>(kHalf) * static_cast<double>(kHalf);
  const double symmetric =
      static_cast<double>(LineMap::bytes_needed({kHalf, kHalf}, true, kLineStride));
  EXPECT_NEAR(symmetric / cells, 0.375, 0.01);
  const double full =
      static_cast<double>(LineMap::bytes_needed({kHalf, kHalf}, false, kLineStride));
  EXPECT_NEAR(full / cells, 0.75, 0.02);
  // One column of 2^32 - 1: row x and the diagonal through it have x+1 values each.
  constexpr auto kSide = static_cast<double>(kValueLimit);
  EXPECT_NEAR(static_cast<double>(LineMap::bytes_needed({kValueLimit, 1}, false, kLineStride)) /
                  kSide / kSide,
              0.125, 0.01);
}

}  // namespace
}  // namespace grundy
