#include "grundy/engine/cuda_engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "grundy/engine/cuda_support.hpp"
#include "grundy/engine/device_table.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/engine/strip_views.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/kernels/strip_reducer.hpp"

namespace grundy {

using cuda::check;

namespace {

/// Lets the device finish before what it works on is freed, also when an exception passes by.
struct DeviceIdleAtExit {
  DeviceIdleAtExit() = default;
  DeviceIdleAtExit(const DeviceIdleAtExit&) = delete;
  DeviceIdleAtExit& operator=(const DeviceIdleAtExit&) = delete;
  ~DeviceIdleAtExit() { (void)cudaDeviceSynchronize(); }
};

std::size_t parity(std::int64_t epoch) { return static_cast<std::size_t>(epoch % 2); }

}  // namespace

CudaEngine::CudaEngine(const EngineOptions& options)
    : device_(options.device),
      threads_(worker_threads(options.threads)),
      schedule_(options.schedule.value_or(kDefaultSchedule)),
      steps_(options.tile_side) {
  const int count = device_count();
  if (count == 0)
    throw DeviceError(
        "no GPU found (no NVIDIA driver, or no device it can see); --engine cpu "
        "needs none");
  if (device_ >= count)
    throw DeviceError(
        fmt::format("--device: there is no GPU {}; 'grundy devices' lists {}", device_, count));
  const Device device = describe_device(device_);
  if (!device.problem.empty())
    throw DeviceError(
        fmt::format("GPU {} ({}) cannot be used: {}", device_, device.name, device.problem));
}

DevicePlan::Request CudaEngine::request(bool streaming) const {
  return {streaming, steps_, tile_width(schedule_)};
}

std::uint64_t CudaEngine::bytes_needed(const Rule& rule, const Extent& extent) const {
  return DevicePlan(ComputedPart(rule, extent), rule, request(true)).bytes();
}

void CudaEngine::require_device_memory(const Extent& extent, std::uint64_t bytes,
                                       const BytesOfSquare& bytes_of_square) const {
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  if (bytes <= available) return;
  const std::uint64_t side = largest_square(available, bytes_of_square);
  throw DeviceError(fmt::format(
      "a table of {} x {} positions needs {} bytes of memory on GPU {}, of which {} are free; the "
      "largest square table that fits is {} x {}",
      extent.rows, extent.cols, bytes, device_, available, side, side));
}

bool CudaEngine::compute(const Rule& rule, const Extent& extent, TileSink& sink,
                         std::stop_token stop) {
  return run(rule, extent, {&sink, nullptr, nullptr, {}}, stop);
}

bool CudaEngine::summarize(const Rule& rule, const Extent& extent, const Wanted& wanted,
                           Result& result, std::stop_token stop) {
  result = {};
  return run(rule, extent,
             {wanted.tiles, &result.summary, wanted.histogram ? &result.histogram : nullptr,
              wanted.progress},
             stop);
}

bool CudaEngine::run(const Rule& rule, const Extent& extent, const Uses& uses,
                     const std::stop_token& stop) {
  check_extent(extent);
  check(cudaSetDevice(device_), "cudaSetDevice");  // of this thread
  const bool streaming = uses.tiles != nullptr;
  const DevicePlan plan(ComputedPart(rule, extent), rule, request(streaming));
  require_device_memory(extent, plan.bytes(), [&](std::uint64_t side) {
    return DevicePlan(ComputedPart(rule, {side, side}), rule, request(streaming)).bytes();
  });
  if (streaming)
    require_memory("the buffers for values from the GPU", saturating_bytes(2, plan.strip_bytes));

  // Three stages, each one epoch behind the one before: computing in one stream, copying and
  // reducing in two others, handing out on the host.
  const cuda::Stream computing;
  const cuda::Stream copying;
  const cuda::Stream reducing;
  std::array<cuda::Event, 2> computed;
  std::array<cuda::Event, 2> copied;
  DeviceTable table(rule, plan, schedule_);
  StripReducer reducer(reducing.get());
  std::array<cuda::PinnedArray<std::uint32_t>, 2> host_buffers;
  if (streaming)
    for (auto& buffer : host_buffers)
      buffer = cuda::PinnedArray<std::uint32_t>(plan.strip_bytes / sizeof(std::uint32_t));
  cuda::DeviceArray<std::uint64_t> counts;
  if (uses.histogram != nullptr) {
    counts = cuda::DeviceArray<std::uint64_t>(extent.rows + extent.cols - 1);
    counts.zero();
  }
  const DeviceIdleAtExit idle_at_exit;

  const auto start_copy = [&](std::int64_t epoch) {
    const auto values = static_cast<std::uint64_t>(plan.rows(epoch).size()) * plan.stride();
    computed[parity(epoch)].wait_in(copying);
    check(cudaMemcpyAsync(host_buffers[parity(epoch)].data(), table.buffer(epoch),
                          values * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, copying.get()),
          "cudaMemcpyAsync");
    copied[parity(epoch)].record(copying);
  };
  const auto reduce = [&](std::int64_t epoch) {
    computed[parity(epoch)].wait_in(reducing);
    if (uses.summary != nullptr)
      *uses.summary = *uses.summary + reducer.summarize(table.cells(epoch));
    if (uses.histogram != nullptr) reducer.count_values(table.cells(epoch), counts.data());
    computed[parity(epoch)].synchronize();
    reducing.synchronize();
    if (uses.progress) uses.progress(plan.cells(epoch));
  };

  bool complete = true;
  const std::int64_t stages_behind = streaming ? 2 : 1;
  for (std::int64_t epoch = 0; complete && epoch < plan.epochs + stages_behind; ++epoch) {
    if (stop.stop_requested()) {
      complete = false;
      break;
    }
    if (epoch < plan.epochs) {
      if (streaming && epoch >= 2) copied[parity(epoch)].wait_in(computing);
      table.enqueue(epoch, computing);
      computed[parity(epoch)].record(computing);
    }
    const std::int64_t before = epoch - 1;
    if (before >= 0 && before < plan.epochs) {
      if (streaming) start_copy(before);
      reduce(before);
    }
    if (streaming && epoch >= 2) {
      copied[parity(epoch)].synchronize();
      complete =
          hand_out_epoch(plan, epoch - 2, host_buffers[parity(epoch)].data(), *uses.tiles, stop);
    }
  }
  if (uses.histogram != nullptr) {
    uses.histogram->resize(counts.size());
    counts.read(uses.histogram->data(), counts.size());
    while (!uses.histogram->empty() && uses.histogram->back() == 0) uses.histogram->pop_back();
  }
  return complete;
}

bool CudaEngine::hand_out_epoch(const DevicePlan& plan, std::int64_t epoch,
                                const std::uint32_t* buffer, TileSink& sink,
                                const std::stop_token& stop) const {
  const Range bands = plan.bands(epoch);
  std::atomic<std::int64_t> next{bands.first};
  std::atomic<bool> ended{false};  // by a stop or an error
  const auto work = [&] {
    for (std::int64_t band = next++; band < bands.last; band = next++) {
      for (const FinishedTile& tile : finished_tiles(plan, epoch, band, buffer)) {
        if (stop.stop_requested()) ended = true;
        if (ended) return;
        sink.consume(tile);
      }
    }
  };
  const auto threads = static_cast<unsigned>(std::min<std::int64_t>(threads_, bands.size()));
  run_in_threads(threads, work, [&] { ended = true; });
  return !ended;
}

bool CudaEngine::find_levels(const Level& first, const Level& second, const Extent& extent,
                             LevelPair& result, const CellsDone& progress, std::stop_token stop) {
  check_extent(extent);
  check(cudaSetDevice(device_), "cudaSetDevice");
  // Cell by cell beside each other, so both are computed as a whole unless both are symmetric.
  const bool symmetric = first.rule->symmetric() && second.rule->symmetric();
  const DevicePlan first_plan(ComputedPart(symmetric, extent), *first.rule, request(false));
  const DevicePlan second_plan(ComputedPart(symmetric, extent), *second.rule, request(false));
  const auto most_hits = [&](const DevicePlan& plan) {
    const std::uint64_t rows = static_cast<std::uint64_t>(plan.most_bands) * kBandRows;
    return std::min(rows << plan.log2_steps,
                    2 * rows + first.rule->terminal_count() + second.rule->terminal_count());
  };
  const auto bytes = [&](const DevicePlan& a, const DevicePlan& b) {
    return saturating_sum({a.bytes(), b.bytes(), most_hits(a) * sizeof(LevelHit)});
  };
  require_device_memory(extent, bytes(first_plan, second_plan), [&](std::uint64_t side) {
    const ComputedPart part(symmetric, {side, side});
    return bytes({part, *first.rule, request(false)}, {part, *second.rule, request(false)});
  });
  const cuda::Stream computing;
  const cuda::Stream reducing;
  std::array<cuda::Event, 2> computed;
  DeviceTable first_table(*first.rule, first_plan, schedule_);
  DeviceTable second_table(*second.rule, second_plan, schedule_);
  const cuda::DeviceArray<LevelHit> hits(most_hits(first_plan));
  StripReducer reducer(reducing.get());
  const DeviceIdleAtExit idle_at_exit;

  const auto compare = [&](std::int64_t epoch) {
    computed[parity(epoch)].wait_in(reducing);
    std::vector<LevelHit> found(reducer.compare_levels(first_table.cells(epoch), first.value,
                                                       second_table.cells(epoch), second.value,
                                                       hits.data()));
    hits.read(found.data(), found.size());
    for (const LevelHit& hit : found) {
      const auto add = [&](const Position& position) {
        if (hit.in_first) result.first.push_back(position);
        if (hit.in_second) result.second.push_back(position);
      };
      add(hit.position);
      if (hit.mirrored) add({hit.position.y, hit.position.x});
    }
    if (progress) progress(2 * first_plan.cells(epoch));
  };

  result = {};
  for (std::int64_t epoch = 0; epoch <= first_plan.epochs; ++epoch) {
    if (stop.stop_requested()) return false;
    if (epoch < first_plan.epochs) {
      first_table.enqueue(epoch, computing);
      second_table.enqueue(epoch, computing);
      computed[parity(epoch)].record(computing);
    }
    if (epoch > 0) compare(epoch - 1);
  }
  std::sort(result.first.begin(), result.first.end());
  std::sort(result.second.begin(), result.second.end());
  return true;
}

}  // namespace grundy
