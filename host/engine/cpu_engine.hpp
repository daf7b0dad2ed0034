// The CPU engine: two-level line sets, tiles, all cores.
#pragma once

#include "grundy/engine/engine.hpp"
#include "grundy/engine/handout.hpp"
#include "grundy/engine/summary.hpp"

namespace grundy {

/// About 0.38 N^2 bytes for a symmetric table of side N, twice that for another; time close to
/// N^2. docs/algorithm.md explains it.
class CpuEngine final : public Engine {
 public:
  explicit CpuEngine(const EngineOptions& options);

  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] std::uint64_t bytes_needed(const Rule& rule, const Extent& extent) const override;
  [[nodiscard]] bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                             std::stop_token stop) override;
  [[nodiscard]] bool compute_rest(const Rule& rule, const Extent& extent, const KnownValues& known,
                                  TileSink& sink, std::stop_token stop) override;

 protected:
  [[nodiscard]] bool compute_summed(const Rule& rule, const Extent& extent,
                                    const KnownValues* known, TileSink& sink, SummarySink& summary,
                                    std::stop_token stop) override;

 private:
  /// compute(), with the values that are known, if any, and the summary of the tiles where one is
  /// wanted.
  bool run(const Rule& rule, const Extent& extent, const KnownValues* known, TileSink& sink,
           SummarySink* summary, const std::stop_token& stop) const;
  [[nodiscard]] TileGrid grid(const ComputedPart& part) const;

  unsigned threads_;
  std::uint64_t tile_side_;  // 0: chosen for each table
};

}  // namespace grundy
