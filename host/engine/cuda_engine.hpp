// The CUDA engine: slanted tiles on a GPU, values streamed to the sinks or reduced where they are.
#pragma once

#include "grundy/engine/device_plan.hpp"
#include "grundy/engine/engine.hpp"

namespace grundy {

/// About 0.38 N^2 bytes of device memory for a symmetric table of side N, twice that for another.
/// docs/cuda.md explains it.
class CudaEngine final : public Engine {
 public:
  /// Throws DeviceError when the GPU options.device cannot be used.
  explicit CudaEngine(const EngineOptions& options);

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::uint64_t bytes_needed(const Rule& rule, const Extent& extent) const override;
  [[nodiscard]] bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                             std::stop_token stop) override;
  [[nodiscard]] bool summarize(const Rule& rule, const Extent& extent, const Wanted& wanted,
                               Result& result, std::stop_token stop) override;
  [[nodiscard]] bool find_levels(const Level& first, const Level& second, const Extent& extent,
                                 LevelPair& result, const CellsDone& progress,
                                 std::stop_token stop) override;

 private:
  /// What run() makes of the epochs of a table, all optional.
  struct Uses {
    TileSink* tiles = nullptr;
    Summary* summary = nullptr;
    std::vector<std::uint64_t>* histogram = nullptr;
    CellsDone progress;
  };
  bool run(const Rule& rule, const Extent& extent, const Uses& uses, const std::stop_token& stop);

  [[nodiscard]] DevicePlan::Request request(bool streaming) const;
  /// Throws DeviceError, which says what would fit, unless `bytes` are free on the device.
  void require_device_memory(const Extent& extent, std::uint64_t bytes,
                             const BytesOfSquare& bytes_of_square) const;
  /// Hands out what was finished in an epoch, by all threads; false after a stop.
  bool hand_out_epoch(const DevicePlan& plan, std::int64_t epoch, const std::uint32_t* buffer,
                      TileSink& sink, const std::stop_token& stop) const;

  int device_;
  unsigned threads_;
  Schedule schedule_;
  std::uint64_t steps_;
};

}  // namespace grundy
