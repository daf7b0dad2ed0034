#include <cstddef>
#include <map>
#include <new>
#include <string>
#include <thrust/execution_policy.h>
#include <thrust/system_error.h>
#include <thrust/version.h>

#include "grundy/game/errors.hpp"
#include "grundy/kernels/reductions.hpp"
#include "grundy/kernels/strip_reducer.hpp"

namespace grundy {

std::string thrust_version() {
  return std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION) + "." +
         std::to_string(THRUST_SUBMINOR_VERSION);
}

/// Thrust's temporary storage, kept from one reduction to the next: cudaMalloc would wait for all
/// that the device is doing.
class StripReducer::Scratch {
 public:
  using value_type = char;

  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    for (const auto& [bytes, block] : idle_) (void)cudaFree(block);
    for (const auto& [block, bytes] : used_) (void)cudaFree(block);
  }

  char* allocate(std::ptrdiff_t size) {
    const auto bytes = static_cast<std::size_t>(size);
    auto fitting = idle_.lower_bound(bytes);
    if (fitting == idle_.end()) {
      void* block = nullptr;
      if (cudaMalloc(&block, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        throw std::bad_alloc();
      }
      fitting = idle_.emplace(bytes, static_cast<char*>(block));
    }
    const auto [capacity, block] = *fitting;
    idle_.erase(fitting);
    used_.emplace(block, capacity);
    return block;
  }

  void deallocate(char* block, std::size_t /*bytes*/) {
    const auto at = used_.find(block);
    idle_.emplace(at->second, block);
    used_.erase(at);
  }

 private:
  std::multimap<std::size_t, char*> idle_;
  std::map<char*, std::size_t> used_;
};

namespace {

/// What a reduction returns; its errors as DeviceError.
template <typename Reduction>
auto reduce(const char* what, Reduction reduction) {
  try {
    return reduction();
  } catch (const thrust::system_error& error) {
    throw DeviceError(std::string("CUDA: ") + what + " failed: " + error.what());
  } catch (const std::bad_alloc&) {
    throw DeviceError(std::string("CUDA: no device memory left for ") + what);
  }
}

}  // namespace

StripReducer::StripReducer(cudaStream_t stream)
    : stream_(stream), scratch_(std::make_unique<Scratch>()) {}

StripReducer::~StripReducer() = default;

Summary StripReducer::summarize(const StripCells& cells) {
  return reduce("the summary of values",
                [&] { return summarize_strip(thrust::cuda::par(*scratch_).on(stream_), cells); });
}

void StripReducer::count_values(const StripCells& cells, std::uint64_t* counts) {
  reduce("the histogram of values",
         [&] { grundy::count_values(thrust::cuda::par(*scratch_).on(stream_), cells, counts); });
}

std::uint64_t StripReducer::compare_levels(const StripCells& first, std::uint32_t a,
                                           const StripCells& second, std::uint32_t b,
                                           LevelHit* hits) {
  return reduce("the comparison of values", [&] {
    return grundy::compare_levels(thrust::cuda::par(*scratch_).on(stream_), first, a, second, b,
                                  hits);
  });
}

}  // namespace grundy
