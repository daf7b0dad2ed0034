#include <algorithm>
#include <cuda/atomic>

#include "grundy/kernels/schedules.hpp"

namespace grundy {
namespace {

/// Summary words that are staged of each line: those that searches meet in tables up to about
/// 100'000 a side; beyond, some are read from the lines.
constexpr std::uint32_t kWindow = 8;

using DeviceCount = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

/// Runs a phase on the device, every thread with its own copy of the tile.
template <typename Tile>
struct RunPhase {
  Tile& tile;

  template <typename Phase>
  __device__ __forceinline__ void operator()(Phase phase) const {
    phase(tile, threadIdx.x);
    __syncthreads();
  }
};

template <std::uint32_t Width>
__global__ void __launch_bounds__(kBandRows)
    wave_kernel(const __grid_constant__ TableJob job, const Epoch* epoch, std::int64_t offset) {
  __shared__ BandMemory<Width, kWindow> memory;
  const std::int64_t wave = epoch->waves.first + offset;
  const Range bands = job.grid.bands_in({wave, wave + 1});
  const std::int64_t band = bands.first + blockIdx.x;
  if (band >= bands.last) return;
  SlantedTile<Width, kWindow> tile(job, memory, band, wave - job.grid.lag() * band, true);
  // What a tile needs was finished by earlier launches.
  run_tile<Width>(epoch->strip, RunPhase<decltype(tile)>{tile}, [] {});
}

// Blocks take bands in order, so whoever waits for the band above waits for a block that is running
// or done: any number of blocks will do, and they need not all be resident at once.
template <std::uint32_t Width>
__global__ void __launch_bounds__(kBandRows)
    band_kernel(const __grid_constant__ TableJob job, Epoch* epoch, std::uint32_t* finished) {
  __shared__ BandMemory<Width, kWindow> memory;
  __shared__ std::uint32_t taken;
  const SlantedGrid& grid = job.grid;
  const Range waves = epoch->waves;
  const Range bands = grid.bands_in(waves);
  for (;;) {
    if (threadIdx.x == 0) taken = atomicAdd(&epoch->next_band, 1U);
    __syncthreads();
    const std::int64_t band = bands.first + taken;
    if (band >= bands.last) return;
    const Range tiles = grid.tiles_in(waves, band);
    std::uint32_t seen = 0;  // finished tiles of the band above, by thread 0
    for (std::int64_t k = tiles.first; k < tiles.last; ++k) {
      SlantedTile<Width, kWindow> tile(job, memory, band, k, k == tiles.first);
      run_tile<Width>(epoch->strip, RunPhase<decltype(tile)>{tile}, [&] {
        // One thread acquires what the band above has released, and the barrier passes it on.
        const auto needed = static_cast<std::uint32_t>(grid.tiles_needed_above(k));
        if (threadIdx.x == 0 && band > 0 && seen < needed) {
          const DeviceCount above(finished[band - 1]);
          while ((seen = above.load(cuda::memory_order_relaxed)) < needed) __nanosleep(40);
          // Only now: an acquire empties the first-level cache of all who share it.
          cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        }
        __syncthreads();
      });
      // All threads are past the barrier after the last phase, so their lines are written.
      if (threadIdx.x == 0)
        DeviceCount(finished[band])
            .store(static_cast<std::uint32_t>(k + 1), cuda::memory_order_release);
    }
    __syncthreads();  // before `taken` changes
  }
}

constexpr std::uint32_t kWaveWidth = tile_width(Schedule::kWaves);
constexpr std::uint32_t kBandWidth = tile_width(Schedule::kBands);

cudaError_t enqueue_waves(const ScheduleJob& job, cudaStream_t stream) {
  for (std::int64_t offset = 0; offset < job.epoch_waves; ++offset) {
    wave_kernel<kWaveWidth><<<static_cast<unsigned>(job.most_bands), kBandRows, 0, stream>>>(
        job.job, job.epoch, offset);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

/// More blocks than are resident at once would only wait for their turn.
cudaError_t resident_blocks(std::int64_t& blocks) {
  int device = 0;
  int multiprocessors = 0;
  int blocks_each = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, band_kernel<kBandWidth>,
                                                          kBandRows, 0);
  blocks = std::int64_t{multiprocessors} * blocks_each;
  return error;
}

cudaError_t enqueue_bands(const ScheduleJob& job, cudaStream_t stream) {
  std::int64_t blocks = 0;
  if (const cudaError_t error = resident_blocks(blocks); error != cudaSuccess) return error;
  blocks = std::clamp<std::int64_t>(blocks, 1, job.most_bands);
  band_kernel<kBandWidth>
      <<<static_cast<unsigned>(blocks), kBandRows, 0, stream>>>(job.job, job.epoch, job.finished);
  return cudaGetLastError();
}

}  // namespace

cudaError_t enqueue_epoch(Schedule schedule, const ScheduleJob& job, cudaStream_t stream) {
  return schedule == Schedule::kWaves ? enqueue_waves(job, stream) : enqueue_bands(job, stream);
}

cudaError_t kernels_usable() {
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaFuncGetAttributes(&attributes, wave_kernel<kWaveWidth>);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, band_kernel<kBandWidth>);
  if (error != cudaSuccess) (void)cudaGetLastError();  // it is reported, not left behind
  return error;
}

}  // namespace grundy
