// Micro-benchmarks of the parts that decide the speed of a run; rates are table cells a second.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "grundy/dataset/codec.hpp"
#include "grundy/dataset/filters.hpp"
#include "grundy/dataset/prefix_check.hpp"
#include "grundy/engine/digest_run.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/kernels/tile.hpp"
#include "grundy/levels/level_stream.hpp"

namespace {

using grundy::Extent;
using grundy::Rule;

class DiscardSink final : public grundy::TileSink {
 public:
  void consume(const grundy::FinishedTile& /*tile*/) override {}
};

/// A whole table, row by row.
class TableSink final : public grundy::TileSink {
 public:
  explicit TableSink(const Extent& extent) : extent_(extent), values_(extent.cells()) {}

  void consume(const grundy::FinishedTile& tile) override {
    grundy::for_each_view(tile, [this](const grundy::TileView& view) {
      for (std::uint32_t i = 0; i < view.rows; ++i)
        for (std::uint32_t j = 0; j < view.cols; ++j)
          values_[(view.x0 + i) * extent_.cols + view.y0 + j] = view.at(i, j);
    });
  }

  [[nodiscard]] const std::vector<std::uint32_t>& values() const { return values_; }

 private:
  Extent extent_;
  std::vector<std::uint32_t> values_;
};

Extent square(const benchmark::State& state) {
  const auto side = static_cast<std::uint64_t>(state.range(0));
  return {side, side};
}

void set_rate(benchmark::State& state, const Extent& extent) {
  state.counters["cells/s"] = benchmark::Counter(
      static_cast<double>(extent.cells()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

void compute(benchmark::State& state, const Rule& rule, grundy::TileSink& sink) {
  const Extent extent = square(state);
  const auto engine = grundy::make_engine("cpu", {1, 0});
  for (auto _ : state) benchmark::DoNotOptimize(engine->compute(rule, extent, sink, {}));
  set_rate(state, extent);
}

void compute_symmetric(benchmark::State& state) {
  DiscardSink sink;
  compute(state, Rule::classic(), sink);
}
BENCHMARK(compute_symmetric)
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(8192)
    ->Arg(16384)
    ->Unit(benchmark::kMillisecond);

void compute_asymmetric(benchmark::State& state) {
  DiscardSink sink;
  compute(state, Rule::parse("cells:0,0;0,1"), sink);
}
BENCHMARK(compute_asymmetric)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

void compute_with_summary(benchmark::State& state) {
  grundy::SummarySink sink;
  compute(state, Rule::classic(), sink);
}
BENCHMARK(compute_with_summary)->Arg(4096)->Unit(benchmark::kMillisecond);

template <typename Consume>
void consume_table(benchmark::State& state, Consume consume) {
  const Extent extent = square(state);
  TableSink table(extent);
  if (!grundy::make_engine("cpu", {})->compute(Rule::classic(), extent, table, {})) return;
  const grundy::TileView view{0,
                              0,
                              static_cast<std::uint32_t>(extent.rows),
                              static_cast<std::uint32_t>(extent.cols),
                              table.values().data(),
                              static_cast<std::ptrdiff_t>(extent.cols),
                              1};
  for (auto _ : state) consume(view);
  set_rate(state, extent);
}

void summarize_table(benchmark::State& state) {
  consume_table(state, [](const grundy::TileView& view) {
    benchmark::DoNotOptimize(grundy::summarize(view));
  });
}
BENCHMARK(summarize_table)->Arg(2048)->Unit(benchmark::kMillisecond);

void count_values(benchmark::State& state) {
  consume_table(state, [](const grundy::TileView& view) {
    grundy::HistogramSink histogram;
    histogram.consume({view, {}});
    benchmark::DoNotOptimize(histogram.counts());
  });
}
BENCHMARK(count_values)->Arg(2048)->Unit(benchmark::kMillisecond);

void check_mex(benchmark::State& state) {
  consume_table(state, [](const grundy::TileView& view) {
    grundy::PrefixCheck check(Rule::classic(), {view.rows, view.cols});
    std::vector<std::uint32_t> values(view.values,
                                      view.values + std::size_t{view.rows} * view.cols);
    grundy::PrefixPart part;
    part.extent = {view.rows, view.cols};
    part.values = values.data();
    part.stride = view.cols;
    part.stored = {0, 0, part.extent};
    check.check(part);
  });
}
BENCHMARK(check_mex)->Arg(2048)->Arg(4096)->Unit(benchmark::kMillisecond);

/// The lines of a table, which a band after the other fills.
class Lines {
 public:
  explicit Lines(const Extent& extent)
      : block_(LineMap::words_needed(extent, true, grundy::kLineStride)),
        map_(extent, true, grundy::kLineStride, block_.data()) {}

  [[nodiscard]] grundy::TableLines lines() const { return map_.lines(); }

 private:
  using LineMap = grundy::LineMap;
  std::vector<grundy::LineWord> block_;
  LineMap map_;
};

/// All cells y >= x one by one; the argument is the side of the table.
void solve_cells(benchmark::State& state) {
  const Extent extent = square(state);
  const Rule rule = Rule::classic();
  for (auto _ : state) {
    state.PauseTiming();
    const Lines lines(extent);
    state.ResumeTiming();
    for (std::uint64_t x = 0; x < extent.rows; ++x)
      for (std::uint64_t y = x; y < extent.cols; ++y)
        benchmark::DoNotOptimize(grundy::compute_cell(lines.lines(), rule.view(), x, y));
  }
  set_rate(state, extent);
}
BENCHMARK(solve_cells)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

/// The same cells in tiles of side 128, in rows of tiles; rates count the whole square, as
/// elsewhere.
void compute_tiles(benchmark::State& state) {
  const Extent extent = square(state);
  const Rule rule = Rule::classic();
  const grundy::TileGrid grid{extent, 128, true};
  std::vector<std::uint32_t> values(grid.side * grid.side);
  for (auto _ : state) {
    state.PauseTiming();
    const Lines lines(extent);
    state.ResumeTiming();
    for (std::uint64_t i = 0; i < grid.tile_rows(); ++i)
      for (std::uint64_t j = grid.first_tile_col(i); j < grid.tile_cols(); ++j)
        grundy::compute_tile(lines.lines(), rule.view(), true, grid.tile(i, j), values.data(),
                             grid.side);
    benchmark::DoNotOptimize(values.data());
  }
  set_rate(state, extent);
}
BENCHMARK(compute_tiles)->Arg(256)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

/// Rows of 128 cells; the argument is the step of their positions: 1 along x, 2^32 along y.
void digest_of_rows(benchmark::State& state) {
  constexpr std::uint64_t kRows = 128;
  constexpr std::uint64_t kCols = 128;
  std::vector<std::uint32_t> values(kRows * kCols);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint32_t>(i * 2654435761U >> 16U);
  const auto step = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state)
    for (std::uint64_t i = 0; i < kRows; ++i)
      benchmark::DoNotOptimize(grundy::digest_run(i * (step == 1 ? std::uint64_t{1} << 32U : 1),
                                                  step, values.data() + i * kCols, kCols));
  set_rate(state, {kRows, kCols});
}
BENCHMARK(digest_of_rows)->Arg(1)->Arg(std::int64_t{1} << 32U);

/// Positions of the values 0 .. K-1 of the first rows; the argument is K.
void level_sets(benchmark::State& state) {
  constexpr std::uint64_t kRows = 100'000;
  const Rule rule = Rule::extended();
  for (auto _ : state) {
    grundy::LevelStream levels(rule, grundy::Play::kNormal, static_cast<unsigned>(state.range(0)),
                               kRows);
    while (!levels.done()) benchmark::DoNotOptimize(levels.next().count);
  }
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(kRows) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(level_sets)->Arg(1)->Arg(2)->Arg(8)->Arg(64)->Unit(benchmark::kMillisecond);

/// One chunk of a table as a file of 2-byte values has it: 512 x 512 cells, from (1024,1536) on.
std::vector<std::byte> table_chunk() {
  constexpr std::uint64_t kSide = 512;
  const Extent extent{3 * kSide, 4 * kSide};
  TableSink table(extent);
  if (!grundy::make_engine("cpu", {})->compute(Rule::classic(), extent, table, {})) return {};
  std::vector<std::uint16_t> values;
  for (std::uint64_t x = 2 * kSide; x < extent.rows; ++x)
    for (std::uint64_t y = 3 * kSide; y < extent.cols; ++y)
      values.push_back(static_cast<std::uint16_t>(table.values()[x * extent.cols + y]));
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// What a chunk goes through on its way into a file, shuffle and checksum included; bytes of values
/// a second.
void encode_chunk(benchmark::State& state, const char* codec) {
  const std::vector<std::byte> chunk = table_chunk();
  grundy::ChunkFilters filters(grundy::Codec::parse(codec).filters(), chunk.size(), 2);
  grundy::FilteredChunk stored;
  for (auto _ : state) {
    filters.encode(chunk, stored);
    benchmark::DoNotOptimize(stored.bytes.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(chunk.size()));
  state.counters["ratio"] =
      static_cast<double>(chunk.size()) / static_cast<double>(stored.bytes.size());
}

/// And on its way out.
void decode_chunk(benchmark::State& state, const char* codec) {
  std::vector<std::byte> chunk = table_chunk();
  grundy::ChunkFilters filters(grundy::Codec::parse(codec).filters(), chunk.size(), 2);
  grundy::FilteredChunk stored;
  filters.encode(chunk, stored);
  for (auto _ : state) {
    filters.decode(stored.bytes, stored.skipped, chunk);
    benchmark::DoNotOptimize(chunk.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(chunk.size()));
}

const int registered = [] {
  for (const char* codec : {"none", "deflate:1", "deflate:4", "deflate:9", "zstd:1", "zstd:3"}) {
    benchmark::RegisterBenchmark((std::string("encode_chunk/") + codec).c_str(), encode_chunk,
                                 codec);
    benchmark::RegisterBenchmark((std::string("decode_chunk/") + codec).c_str(), decode_chunk,
                                 codec);
  }
  return 0;
}();

}  // namespace
