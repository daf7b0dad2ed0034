// The reductions of strips on a GPU. Needs the CUDA Toolkit, but no CUDA compiler.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>

#include "grundy/kernels/strip.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

/// Of the Thrust that the reductions are compiled with: "3.0.1".
std::string thrust_version();

/// Reductions in one stream of the current device; each returns when its result is on the host.
/// Everything throws DeviceError when the device fails or has no memory left.
class StripReducer {
 public:
  explicit StripReducer(cudaStream_t stream);
  StripReducer(const StripReducer&) = delete;
  StripReducer& operator=(const StripReducer&) = delete;
  ~StripReducer();

  [[nodiscard]] Summary summarize(const StripCells& cells);
  /// `counts` lies on the device.
  void count_values(const StripCells& cells, std::uint64_t* counts);
  /// `hits` lies on the device and has room for every hit.
  [[nodiscard]] std::uint64_t compare_levels(const StripCells& first, std::uint32_t a,
                                             const StripCells& second, std::uint32_t b,
                                             LevelHit* hits);

 private:
  class Scratch;
  cudaStream_t stream_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace grundy
