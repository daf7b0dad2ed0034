#include "grundy/engine/engine.hpp"

#include <utility>

#include "grundy/engine/bitset_engine.hpp"
#include "grundy/engine/cpu_engine.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/engine/reference_engine.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/names.hpp"

namespace grundy {

bool Engine::compute_rest(const Rule& rule, const Extent& extent, const KnownValues& /*known*/,
                          TileSink& sink, std::stop_token stop) {
  return compute(rule, extent, sink, std::move(stop));
}

bool Engine::compute_summed(const Rule& rule, const Extent& extent, const KnownValues* known,
                            TileSink& sink, SummarySink& summary, std::stop_token stop) {
  TileFanout fanout({&summary, &sink});
  return known == nullptr ? compute(rule, extent, fanout, std::move(stop))
                          : compute_rest(rule, extent, *known, fanout, std::move(stop));
}

bool Engine::summarize(const Rule& rule, const Extent& extent, const Wanted& wanted, Result& result,
                       std::stop_token stop) {
  SummarySink summary;
  HistogramSink histogram;
  CountCells progress(wanted.progress);
  std::vector<TileSink*> sinks;
  if (wanted.histogram) sinks.push_back(&histogram);
  if (wanted.tiles != nullptr) sinks.push_back(wanted.tiles);
  if (wanted.progress) sinks.push_back(&progress);
  TileFanout fanout(std::move(sinks));
  const bool complete =
      compute_summed(rule, extent, wanted.known, fanout, summary, std::move(stop));
  result.summary = summary.result();
  result.histogram = histogram.counts();
  return complete;
}

bool Engine::find_levels(const Level& first, const Level& second, const Extent& extent,
                         LevelPair& result, const CellsDone& progress, std::stop_token stop) {
  const auto find = [&](const Level& level, std::vector<Position>& positions) {
    PositionSink found(level.value);
    CountCells count(progress);
    std::vector<TileSink*> sinks{&found};
    if (progress) sinks.push_back(&count);
    TileFanout fanout(std::move(sinks));
    const bool complete = compute(*level.rule, extent, fanout, stop);
    positions = found.positions();
    return complete;
  };
  return find(first, result.first) && find(second, result.second);
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options) {
  if (name == "cpu") return std::make_unique<CpuEngine>(options);
  if (name == "reference") return std::make_unique<ReferenceEngine>();
  if (name == "bitset") return std::make_unique<BitsetEngine>();
  if (name == "cuda") return make_cuda_engine(options);
  if (name == "auto") {
    if (device_usable(options.device)) return make_cuda_engine(options);
    return std::make_unique<CpuEngine>(options);
  }
  throw UsageError(unknown_name("engine", name, {"auto", "cpu", "cuda", "bitset", "reference"}));
}

Schedule parse_schedule(std::string_view name) {
  if (name == "waves") return Schedule::kWaves;
  if (name == "bands") return Schedule::kBands;
  throw UsageError(unknown_name("schedule", name, {"waves", "bands"}));
}

}  // namespace grundy
