#include "grundy/kernels/slanted_tile.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/line_map.hpp"
#include "grundy/game/rule.hpp"

#include "support/collected_table.hpp"
#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;

constexpr std::uint32_t kUnset = 0xCBCB'CBCB;

// A table whose tiles are run on the host, as a kernel would, but the threads of every phase and
// the tiles that do not depend on each other in random order.
template <std::uint32_t Width, std::uint32_t Window>
class HostRun {
 public:
  HostRun(const Rule& rule, const Extent& extent, RandomCase& random)
      : grid_{extent, rule.symmetric(), Width},
        words_(LineMap::words_needed(extent, rule.symmetric(), kStagedLineStride) + 8),
        map_(extent, rule.symmetric(), kStagedLineStride, words_.data()),
        job_{grid_, map_.lines(), rule.view()},
        stride_(static_cast<std::uint64_t>(grid_.waves()) * Width),
        values_(extent.rows * stride_, kUnset),
        strip_{values_.data(), 0, 0, stride_},
        random_(random),
        threads_(kBandRows) {
    std::iota(threads_.begin(), threads_.end(), 0U);
  }

  // One wave after the other, each tile in memory of its own.
  void run_waves() {
    for (std::int64_t wave = 0; wave < grid_.waves(); ++wave) {
      const Range bands = grid_.bands_in({wave, wave + 1});
      std::vector<std::int64_t> order;
      for (std::int64_t band = bands.first; band < bands.last; ++band) order.push_back(band);
      random_.shuffle(order);
      for (const std::int64_t band : order) {
        const Range tiles = grid_.tiles_in({wave, wave + 1}, band);
        ASSERT_EQ(tiles.size(), 1) << "band " << band << " in wave " << wave;
        const auto memory = new_memory();
        run(*memory, band, tiles.first, true);
      }
    }
  }

  // Every band at its own pace, as far as the band above it allows; from epoch to epoch memory is
  // lost.
  void run_bands(std::int64_t epoch_waves) {
    std::vector<std::int64_t> done(static_cast<std::size_t>(grid_.bands()));
    for (std::int64_t wave = 0; wave < grid_.waves(); wave += epoch_waves) {
      const Range epoch{wave, std::min(wave + epoch_waves, grid_.waves())};
      const Range bands = grid_.bands_in(epoch);
      std::vector<Range> left;
      std::vector<std::unique_ptr<Memory>> memories;
      std::vector<std::size_t> unfinished;
      for (std::int64_t band = bands.first; band < bands.last; ++band) {
        unfinished.push_back(left.size());
        left.push_back(grid_.tiles_in(epoch, band));
        ASSERT_GT(left.back().size(), 0) << "band " << band << " in waves from " << wave;
        memories.push_back(nullptr);
      }
      while (!unfinished.empty()) {
        const std::size_t pick = random_.below(unfinished.size());
        const std::size_t i = unfinished[pick];
        const std::int64_t band = bands.first + static_cast<std::int64_t>(i);
        const std::int64_t tile = left[i].first;
        const auto at = static_cast<std::size_t>(band);
        if (band > 0 && done[at - 1] < grid_.tiles_needed_above(tile)) continue;
        const bool fresh = memories[i] == nullptr;
        if (fresh) memories[i] = new_memory();
        run(*memories[i], band, tile, fresh);
        done[at] = tile + 1;
        if (++left[i].first == left[i].last) {
          unfinished[pick] = unfinished.back();
          unfinished.pop_back();
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t at(std::uint64_t x, std::uint64_t y) const {
    return values_[x * stride_ +
                   static_cast<std::uint64_t>(grid_.row_start(static_cast<std::int64_t>(x))) + y];
  }

 private:
  using Memory = BandMemory<Width, Window>;

  // Filled with what would lead a reader astray.
  static std::unique_ptr<Memory> new_memory() {
    auto memory = std::make_unique<Memory>();
    std::fill_n(reinterpret_cast<unsigned char*>(memory.get()), sizeof(Memory), 0xCB);
    return memory;
  }

  void run(Memory& memory, std::int64_t band, std::int64_t number, bool fresh) {
    // Like the device, a copy of the tile for each thread, made by it before its first phase.
    std::vector<std::optional<SlantedTile<Width, Window>>> tiles(kBandRows);
    run_tile<Width>(
        strip_,
        [&](auto phase) {
          random_.shuffle(threads_);
          for (const std::uint32_t t : threads_) {
            if (!tiles[t]) tiles[t].emplace(job_, memory, band, number, fresh);
            phase(*tiles[t], t);
          }
        },
        [] {});
  }

  SlantedGrid grid_;
  std::vector<LineWord> words_;
  LineMap map_;
  TableJob job_;
  std::uint64_t stride_;
  std::vector<std::uint32_t> values_;
  ValueStrip strip_;
  RandomCase& random_;
  std::vector<std::uint32_t> threads_;
};

// Both schedules give what `expected(x, y)` says, of every computed cell.
template <std::uint32_t Width, std::uint32_t Window, typename Expected>
void expect_values(const Rule& rule, const Extent& extent, RandomCase& random, Expected expected) {
  SCOPED_TRACE(rule.name() + ", " + std::to_string(extent.rows) + " x " +
               std::to_string(extent.cols) + ", width " + std::to_string(Width) + ", window " +
               std::to_string(Window));
  HostRun<Width, Window> waves(rule, extent, random);
  HostRun<Width, Window> bands(rule, extent, random);
  waves.run_waves();
  bands.run_bands(static_cast<std::int64_t>(random.between(1, 40)));
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    for (std::uint64_t y = rule.symmetric() ? x : 0; y < extent.cols; ++y) {
      ASSERT_EQ(waves.at(x, y), expected(x, y)) << "waves, " << x << ',' << y;
      ASSERT_EQ(bands.at(x, y), expected(x, y)) << "bands, " << x << ',' << y;
    }
  }
}

template <std::uint32_t Width, std::uint32_t Window>
void expect_the_definition(const Rule& rule, const Extent& extent, RandomCase& random) {
  const bool transposed = rule.symmetric() && extent.rows > extent.cols;
  const Extent computed = transposed ? Extent{extent.cols, extent.rows} : extent;
  const support::ValueTable expected =
      support::values_by_definition(rule.terminal_cells(), computed);
  expect_values<Width, Window>(rule, computed, random,
                               [&](std::uint64_t x, std::uint64_t y) { return expected[x][y]; });
}

TEST(SlantedTile, GivesTheDefinitionForTablesAroundTheSizeOfABand) {
  RandomCase random(51);
  for (const char* text : {"classic", "extended", "cells:2,0;1,6;3,3"}) {
    const Rule rule = Rule::parse(text);
    for (const Extent& extent : {Extent{1, 1}, Extent{2, 2}, Extent{31, 31}, Extent{32, 32},
                                 Extent{33, 33}, Extent{64, 64}, Extent{65, 63}, Extent{1, 200},
                                 Extent{200, 1}, Extent{70, 130}, Extent{130, 70}}) {
      expect_the_definition<32, 8>(rule, extent, random);
      expect_the_definition<8, 8>(rule, extent, random);
      expect_the_definition<1, 8>(rule, extent, random);
      if (HasFailure()) return;
    }
  }
}

TEST(SlantedTile, GivesTheDefinitionForRandomRulesAndExtents) {
  RandomCase random(52);
  for (int i = 0; i < support::cases(60); ++i) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(150);
    expect_the_definition<32, 8>(rule, extent, random);
    expect_the_definition<16, 2>(rule, extent, random);
    expect_the_definition<4, 1>(rule, extent, random);
    if (HasFailure()) return;
  }
}

// Long enough that searches leave the first summary word, that windows move with them, and that
// small windows are left.
TEST(SlantedTile, AgreesWithTheCpuEngineOnLongStrips) {
  RandomCase random(53);
  for (const auto& [text, extent] :
       {std::pair{"extended", Extent{40, 12000}}, std::pair{"cells:2,0;1,6;3,3", Extent{40, 12000}},
        std::pair{"cells:2,0;1,6;3,3", Extent{12000, 40}}}) {
    if (support::kSlowBuild && extent.rows > extent.cols) continue;
    const Rule rule = Rule::parse(text);
    const auto table = support::compute_table("cpu", rule, extent);
    const auto value = [&](std::uint64_t x, std::uint64_t y) { return table->at(x, y); };
    expect_values<32, 8>(rule, extent, random, value);
    expect_values<8, 1>(rule, extent, random, value);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace grundy
