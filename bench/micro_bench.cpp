// Micro-benchmarks of the parts that decide the speed of a run; rates are table cells a second.
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "grundy/dataset/prefix_check.hpp"
#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"

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
BENCHMARK(compute_symmetric)->Arg(1024)->Arg(4096)->Arg(8192)->Unit(benchmark::kMillisecond);

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

/// The argument is the deflate level; 0 stores without compression.
void write_file(benchmark::State& state) {
  constexpr std::uint64_t kSide = 2048;
  const Extent extent{kSide, kSide};
  const std::string path =
      (std::filesystem::temp_directory_path() / "grundy_micro_bench.h5").string();
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    grundy::DatasetWriter writer(path, Rule::classic(), extent, "cpu",
                                 {{static_cast<int>(state.range(0))}, true});
    grundy::SummarySink summary;
    grundy::HistogramSink histogram;
    grundy::TileFanout fanout({&summary, &histogram, &writer});
    if (!grundy::make_engine("cpu", {})->compute(Rule::classic(), extent, fanout, {})) return;
    writer.publish(summary.result(), histogram.counts());
    bytes = writer.file_bytes();
  }
  std::filesystem::remove(path);
  set_rate(state, extent);
  state.counters["bytes/cell"] = static_cast<double>(bytes) / static_cast<double>(extent.cells());
}
BENCHMARK(write_file)->Arg(0)->Arg(1)->Arg(4)->Arg(9)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
