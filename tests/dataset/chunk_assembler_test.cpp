#include "grundy/dataset/chunk_assembler.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/engine.hpp"

#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;

// Differs between neighbours, and in both halves of its 32 bits.
std::uint32_t value_at(std::uint64_t x, std::uint64_t y, unsigned value_bytes) {
  const auto value = static_cast<std::uint32_t>((x + 1) * 2654435761U ^ (y + 7) * 40503U * 65521U);
  return value_bytes == 2 ? value & 0xffffU : value;
}

// A rectangle of the table that owns its values, stored by rows or by columns.
class OwnedTile {
 public:
  OwnedTile(std::uint64_t x0, std::uint64_t y0, std::uint64_t rows, std::uint64_t cols,
            unsigned value_bytes, bool by_columns, std::uint64_t padding) {
    const std::uint64_t line = (by_columns ? rows : cols) + padding;
    values_.assign(line * (by_columns ? cols : rows), 0xdead'beef);
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < cols; ++j)
        values_[by_columns ? j * line + i : i * line + j] = value_at(x0 + i, y0 + j, value_bytes);
    const auto stride = static_cast<std::ptrdiff_t>(line);
    view_ = {x0,
             y0,
             static_cast<std::uint32_t>(rows),
             static_cast<std::uint32_t>(cols),
             values_.data(),
             by_columns ? 1 : stride,
             by_columns ? stride : 1};
  }

  [[nodiscard]] const TileView& view() const { return view_; }

 private:
  std::vector<std::uint32_t> values_;
  TileView view_;
};

// Cuts the rectangle at random places until the pieces are small enough.
void cut(RandomCase& random, std::uint64_t x0, std::uint64_t y0, Extent extent,
         std::uint64_t largest, unsigned value_bytes, std::vector<OwnedTile>& tiles) {
  if (extent.rows <= largest && extent.cols <= largest && random.below(4) != 0) {
    tiles.emplace_back(x0, y0, extent.rows, extent.cols, value_bytes, random.coin(),
                       random.below(3));
    return;
  }
  if (extent.rows >= extent.cols && extent.rows > 1) {
    const std::uint64_t upper = random.between(1, extent.rows - 1);
    cut(random, x0, y0, {upper, extent.cols}, largest, value_bytes, tiles);
    cut(random, x0 + upper, y0, {extent.rows - upper, extent.cols}, largest, value_bytes, tiles);
  } else if (extent.cols > 1) {
    const std::uint64_t left = random.between(1, extent.cols - 1);
    cut(random, x0, y0, {extent.rows, left}, largest, value_bytes, tiles);
    cut(random, x0, y0 + left, {extent.rows, extent.cols - left}, largest, value_bytes, tiles);
  } else {
    tiles.emplace_back(x0, y0, 1, 1, value_bytes, random.coin(), 0);
  }
}

std::vector<OwnedTile> shuffled_tiles(RandomCase& random, const Extent& table,
                                      std::uint64_t largest, unsigned value_bytes) {
  std::vector<OwnedTile> tiles;
  cut(random, 0, 0, table, largest, value_bytes, tiles);
  random.shuffle(tiles);
  return tiles;
}

template <typename Value>
testing::AssertionResult right_bytes(const Chunk& chunk) {
  if (chunk.bytes.size() != chunk.extent.cells() * sizeof(Value))
    return testing::AssertionFailure() << chunk.bytes.size() << " bytes";
  const std::byte* from = chunk.bytes.data();
  for (std::uint64_t x = chunk.x0; x < chunk.x0 + chunk.extent.rows; ++x) {
    for (std::uint64_t y = chunk.y0; y < chunk.y0 + chunk.extent.cols; ++y) {
      Value stored{};
      std::memcpy(&stored, from, sizeof stored);
      from += sizeof stored;
      if (const std::uint32_t expected = value_at(x, y, sizeof(Value)); stored != expected)
        return testing::AssertionFailure() << "cell " << to_text(Position{x, y}) << " is " << stored
                                           << " instead of " << expected;
    }
  }
  return testing::AssertionSuccess();
}

// Every chunk of the table once, clipped to the table, with the right values.
void expect_all_chunks(const std::vector<std::unique_ptr<Chunk>>& chunks, const Extent& table,
                       const Extent& chunk_extent, unsigned value_bytes) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, const Chunk*> by_corner;
  for (const auto& chunk : chunks)
    EXPECT_TRUE(by_corner.emplace(std::pair{chunk->x0, chunk->y0}, chunk.get()).second)
        << "chunk at " << chunk->x0 << ',' << chunk->y0 << " completed twice";
  std::size_t expected = 0;
  for (std::uint64_t x0 = 0; x0 < table.rows; x0 += chunk_extent.rows) {
    for (std::uint64_t y0 = 0; y0 < table.cols; y0 += chunk_extent.cols) {
      ++expected;
      const auto found = by_corner.find({x0, y0});
      ASSERT_NE(found, by_corner.end()) << "no chunk at " << x0 << ',' << y0;
      const Chunk& chunk = *found->second;
      EXPECT_EQ(chunk.extent, (Extent{std::min(chunk_extent.rows, table.rows - x0),
                                      std::min(chunk_extent.cols, table.cols - y0)}));
      EXPECT_TRUE(value_bytes == 2 ? right_bytes<std::uint16_t>(chunk)
                                   : right_bytes<std::uint32_t>(chunk));
    }
  }
  EXPECT_EQ(by_corner.size(), expected);
}

TEST(ChunkAssembler, MakesEachChunkOnceFromTilesOfAnySizeOrderAndThread) {
  const support::Watchdog watchdog;
  RandomCase random(701);
  for (int round = 0; round < support::cases(240); ++round) {
    const unsigned value_bytes = random.coin() ? 2 : 4;
    const Extent table = random.extent(90);
    const Extent chunk = random.extent(random.coin() ? 100 : 12);
    const auto tiles = shuffled_tiles(random, table, random.between(1, 40), value_bytes);
    SCOPED_TRACE("table " + to_text(table) + ", chunk " + to_text(chunk) + ", " +
                 std::to_string(tiles.size()) + " tiles of " + std::to_string(value_bytes) +
                 " bytes a value");

    ChunkAssembler assembler(table, chunk, value_bytes);
    std::vector<std::unique_ptr<Chunk>> chunks;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    {
      std::vector<std::jthread> pool;
      for (std::uint64_t t = random.between(1, 4); t > 0; --t)
        pool.emplace_back([&] {
          for (std::size_t i = next++; i < tiles.size(); i = next++)
            assembler.add(tiles[i].view(), [&](std::unique_ptr<Chunk> complete) {
              const std::scoped_lock lock(mutex);
              chunks.push_back(std::move(complete));
            });
        });
    }
    expect_all_chunks(chunks, table, chunk, value_bytes);
    EXPECT_EQ(assembler.open_chunks(), 0U);
  }
}

TEST(ChunkAssembler, CompletesAChunkWithItsLastCellAndNotBefore) {
  RandomCase random(702);
  const Extent table{13, 11};
  const Extent chunk{5, 4};
  for (int round = 0; round < support::cases(60); ++round) {
    const auto tiles = shuffled_tiles(random, table, 1, 2);
    ASSERT_EQ(tiles.size(), table.cells());
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> cells;  // added, by chunk
    ChunkAssembler assembler(table, chunk, 2);
    for (const OwnedTile& tile : tiles) {
      const std::pair corner{tile.view().x0 / 5 * 5, tile.view().y0 / 4 * 4};
      const std::uint64_t all = std::min(chunk.rows, table.rows - corner.first) *
                                std::min(chunk.cols, table.cols - corner.second);
      const bool last = ++cells[corner] == all;
      int completed = 0;
      assembler.add(tile.view(), [&](const std::unique_ptr<Chunk>& complete) {
        ++completed;
        EXPECT_EQ((std::pair{complete->x0, complete->y0}), corner);
      });
      ASSERT_EQ(completed, last ? 1 : 0);
      if (last) cells.erase(corner);
      EXPECT_EQ(assembler.open_chunks(), cells.size());
    }
  }
}

TEST(ChunkAssembler, TakesTheTransposedViewOfATile) {
  // As the engine hands out symmetric tables: the mirror image views the same values.
  constexpr std::uint32_t kSide = 7;
  std::vector<std::uint32_t> values;
  for (std::uint64_t x = 0; x < kSide; ++x)
    for (std::uint64_t y = 10; y < 10 + kSide; ++y) values.push_back(value_at(y, x, 4));
  const TileView cells{0, 10, kSide, kSide, values.data(), kSide, 1};
  ChunkAssembler assembler({17, 7}, {17, 7}, 4);
  const OwnedTile rest(0, 0, 10, 7, 4, false, 0);
  const auto none = [](const std::unique_ptr<Chunk>&) { ADD_FAILURE() << "complete too early"; };
  assembler.add(rest.view(), none);
  std::unique_ptr<Chunk> chunk;
  assembler.add(cells.transposed(),
                [&](std::unique_ptr<Chunk> complete) { chunk = std::move(complete); });
  ASSERT_NE(chunk, nullptr);
  EXPECT_TRUE(right_bytes<std::uint32_t>(*chunk));
}

// What the engine's order of tiles asks of the memory of a writer.
class OpenChunksSink final : public TileSink {
 public:
  OpenChunksSink(const Extent& table, const Extent& chunk) : assembler_(table, chunk, 2) {}

  void consume(const FinishedTile& tile) override {
    for_each_view(tile, [this](const TileView& view) {
      assembler_.add(view, [this](const std::unique_ptr<Chunk>&) { ++completed_; });
      const std::size_t open = assembler_.open_chunks();
      std::size_t seen = most_.load();
      while (seen < open && !most_.compare_exchange_weak(seen, open)) {
      }
    });
  }

  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t completed() const { return completed_; }

 private:
  ChunkAssembler assembler_;
  std::atomic<std::size_t> most_{0};
  std::atomic<std::size_t> completed_{0};
};

TEST(ChunkAssembler, HoldsAFewRowsOfChunksWhileAnEngineWorks) {
  const support::Watchdog watchdog;
  constexpr std::uint64_t kChunksASide = 32;
  for (const char* rule : {"classic", "cells:0,1"}) {
    for (const unsigned threads : {1U, 3U, 4U}) {
      const Extent table{kChunksASide * 32, kChunksASide * 32};
      OpenChunksSink sink(table, {32, 32});
      ASSERT_TRUE(make_engine("cpu", {.threads = threads, .tile_side = 8})
                      ->compute(Rule::parse(rule), table, sink, {}));
      EXPECT_EQ(sink.completed(), kChunksASide * kChunksASide);
      // Of each of the two halves, a row of chunks that waits for the next group of bands and the
      // chunks that the threads are at; the whole table would be 1024.
      EXPECT_LE(sink.most(), 2 * (kChunksASide + std::uint64_t{8} * threads))
          << rule << ", " << threads;
    }
  }
}

}  // namespace
}  // namespace grundy
