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

#include "grundy/dataset/format.hpp"
#include "grundy/engine/engine.hpp"

#include "dataset/table_files.hpp"
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

// The whole table in chunks of this extent.
ChunkGrid whole(const Extent& table, const Extent& chunk, unsigned value_bytes) {
  return {{0, 0, table}, chunk, value_bytes};
}

constexpr std::size_t kPlenty = 10'000;  // of buffers

template <typename Value>
testing::AssertionResult right_elements(const ChunkGrid& grid, const Chunk& chunk) {
  const Region part = grid.positions(chunk.i, chunk.j);
  const std::byte* from = chunk.bytes.get();
  for (std::uint64_t x = part.x0; x < part.x0 + grid.chunk.rows; ++x) {
    for (std::uint64_t y = part.y0; y < part.y0 + grid.chunk.cols; ++y) {
      Value stored{};
      std::memcpy(&stored, from, sizeof stored);
      from += sizeof stored;
      const bool is_stored = part.contains(Position{x, y}) && (!grid.half || y >= x);
      const std::uint32_t expected =
          is_stored ? value_at(x, y, sizeof(Value)) : format::fill_value(sizeof(Value));
      if (stored != expected)
        return testing::AssertionFailure() << "cell " << to_text(Position{x, y}) << " is " << stored
                                           << " instead of " << expected;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult right_chunk(const ChunkGrid& grid, const Chunk& chunk) {
  return grid.value_bytes == 2 ? right_elements<std::uint16_t>(grid, chunk)
                               : right_elements<std::uint32_t>(grid, chunk);
}

// Every chunk that has cells to store and is not done, once, with the right values.
void expect_all_chunks(const std::vector<Chunk>& chunks, const ChunkGrid& grid,
                       const std::vector<bool>& done) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, const Chunk*> by_index;
  for (const Chunk& chunk : chunks)
    EXPECT_TRUE(by_index.emplace(std::pair{chunk.i, chunk.j}, &chunk).second)
        << "chunk " << chunk.i << ',' << chunk.j << " completed twice";
  std::size_t expected = 0;
  for (std::uint64_t i = 0; i < grid.rows(); ++i) {
    for (std::uint64_t j = 0; j < grid.cols(); ++j) {
      if (grid.stored_cells(i, j) == 0 || done[grid.index(i, j)]) continue;
      ++expected;
      const auto found = by_index.find({i, j});
      ASSERT_NE(found, by_index.end()) << "no chunk " << i << ',' << j;
      EXPECT_TRUE(right_chunk(grid, *found->second));
    }
  }
  EXPECT_EQ(by_index.size(), expected);
}

Region random_part(RandomCase& random, const Extent& table) {
  const std::uint64_t x0 = random.below(table.rows);
  const std::uint64_t y0 = random.below(table.cols);
  return {x0, y0, {random.between(1, table.rows - x0), random.between(1, table.cols - y0)}};
}

TEST(ChunkAssembler, MakesEachChunkOnceFromTilesOfAnySizeOrderAndThread) {
  const support::Watchdog watchdog;
  RandomCase random(701);
  const support::TemporaryFolder folder;
  for (int round = 0; round < support::cases(240); ++round) {
    const unsigned value_bytes = random.coin() ? 2 : 4;
    const Extent table = random.extent(90);
    ChunkGrid grid = whole(table, random.extent(random.coin() ? 100 : 12), value_bytes);
    if (random.coin()) {
      grid.half = table.rows <= table.cols;
    } else if (random.coin()) {
      grid.region = random_part(random, table);
    }
    std::vector<bool> done(grid.rows() * grid.cols());
    if (random.coin())
      for (std::size_t k = 0; k < done.size(); ++k) done[k] = random.coin();
    const auto tiles = shuffled_tiles(random, table, random.between(1, 40), value_bytes);
    SCOPED_TRACE("table " + to_text(table) + ", chunk " + to_text(grid.chunk) + ", " +
                 std::to_string(tiles.size()) + " tiles of " + std::to_string(value_bytes) +
                 " bytes a value" + (grid.half ? ", half" : ""));

    ChunkBuffers buffers(grid.chunk_bytes(), random.below(5), folder.file(""));
    ChunkAssembler assembler(grid, buffers, done);
    std::vector<Chunk> chunks;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    {
      std::vector<std::jthread> pool;
      for (std::uint64_t t = random.between(1, 4); t > 0; --t)
        pool.emplace_back([&] {
          for (std::size_t i = next++; i < tiles.size(); i = next++)
            assembler.add(tiles[i].view(), [&](Chunk complete) {
              const std::scoped_lock lock(mutex);
              chunks.push_back(std::move(complete));
            });
        });
    }
    expect_all_chunks(chunks, grid, done);
    EXPECT_EQ(assembler.open_chunks(), 0U);
  }
}

TEST(ChunkAssembler, CompletesAChunkWithItsLastCellAndNotBefore) {
  RandomCase random(702);
  const ChunkGrid grid = whole({13, 11}, {5, 4}, 2);
  ChunkBuffers buffers(grid.chunk_bytes(), kPlenty, "");
  for (int round = 0; round < support::cases(60); ++round) {
    const auto tiles = shuffled_tiles(random, grid.region.extent, 1, 2);
    ASSERT_EQ(tiles.size(), grid.region.extent.cells());
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> cells;  // added, by chunk
    ChunkAssembler assembler(grid, buffers, std::vector<bool>(grid.rows() * grid.cols()));
    for (const OwnedTile& tile : tiles) {
      const std::pair index{tile.view().x0 / 5, tile.view().y0 / 4};
      const bool last = ++cells[index] == grid.positions(index.first, index.second).extent.cells();
      int completed = 0;
      assembler.add(tile.view(), [&](const Chunk& complete) {
        ++completed;
        EXPECT_EQ((std::pair{complete.i, complete.j}), index);
      });
      ASSERT_EQ(completed, last ? 1 : 0);
      if (last) cells.erase(index);
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
  const ChunkGrid grid = whole({17, 7}, {17, 7}, 4);
  ChunkBuffers buffers(grid.chunk_bytes(), kPlenty, "");
  ChunkAssembler assembler(grid, buffers, {false});
  const OwnedTile rest(0, 0, 10, 7, 4, false, 0);
  assembler.add(rest.view(), [](const Chunk&) { ADD_FAILURE() << "complete too early"; });
  Chunk chunk;
  assembler.add(cells.transposed(), [&](Chunk complete) { chunk = std::move(complete); });
  ASSERT_NE(chunk.bytes, nullptr);
  EXPECT_TRUE(right_chunk(grid, chunk));
}

// What the engine's order of tiles asks of the memory of a writer.
class OpenChunksSink final : public TileSink {
 public:
  explicit OpenChunksSink(const ChunkGrid& grid)
      : buffers_(grid.chunk_bytes(), kPlenty, ""),
        assembler_(grid, buffers_, std::vector<bool>(grid.rows() * grid.cols())) {}

  void consume(const FinishedTile& tile) override {
    for_each_view(tile, [this](const TileView& view) {
      assembler_.add(view, [this](const Chunk&) { ++completed_; });
      const std::size_t open = assembler_.open_chunks();
      std::size_t seen = most_.load();
      while (seen < open && !most_.compare_exchange_weak(seen, open)) {
      }
    });
  }

  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t completed() const { return completed_; }

 private:
  ChunkBuffers buffers_;
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
      OpenChunksSink sink(whole(table, {32, 32}, 2));
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
