// The two schedules in which a GPU computes the slanted tiles of a table. Needs the CUDA Toolkit.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "grundy/kernels/slanted_tile.hpp"

namespace grundy {

/// Some consecutive waves of a table, computed by one enqueue_epoch. Lies in device memory.
struct Epoch {
  Range waves;
  ValueStrip strip;
  std::uint32_t next_band = 0;  // bands taken so far; 0 at the start
};

/// What enqueue_epoch needs; `job` has device pointers and job.grid.width == tile_width(schedule).
struct ScheduleJob {
  TableJob job;
  Epoch* epoch = nullptr;             // on the device
  std::uint32_t* finished = nullptr;  // on the device: by band, its finished tiles; 0 at the start
  std::int64_t epoch_waves = 0;       // no epoch has more waves
  std::int64_t most_bands = 0;        // and none more bands
};

/// Enqueues the waves of *job.epoch, as it will be on the device by then; waves that the table does
/// not have are empty. Every call is the same, so that it can be captured once in a graph.
/// Returns the first error of a launch.
cudaError_t enqueue_epoch(Schedule schedule, const ScheduleJob& job, cudaStream_t stream);

/// Whether the current device can run the kernels: cudaSuccess, or why it cannot.
cudaError_t kernels_usable();

}  // namespace grundy
