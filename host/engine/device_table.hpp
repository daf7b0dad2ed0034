// One table on a GPU: its line sets, its strips, and the launches that compute it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "grundy/engine/cuda_support.hpp"
#include "grundy/engine/device_plan.hpp"
#include "grundy/engine/line_map.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/schedules.hpp"
#include "grundy/kernels/strip.hpp"

namespace grundy {

/// Epochs are enqueued in order, each once. Epoch e leaves its values in strip e % 2, so it may run
/// only when whoever reads the values of epoch e - 2 has finished.
class DeviceTable {
 public:
  /// Allocates plan.bytes() and lays the table out, on the current device. `plan` must outlive it.
  DeviceTable(const Rule& rule, const DevicePlan& plan, Schedule schedule);

  void enqueue(std::int64_t epoch, const cuda::Stream& stream);

  /// The buffer of an epoch's strip: plan.rows(epoch).size() rows of plan.stride() values.
  [[nodiscard]] std::uint32_t* buffer(std::int64_t epoch) const {
    return strips_[static_cast<std::size_t>(epoch % 2)].data();
  }
  /// The values of an epoch as reductions take them.
  [[nodiscard]] StripCells cells(std::int64_t epoch) const;

 private:
  void carry_over(std::int64_t epoch, const cuda::Stream& stream);

  const DevicePlan& plan_;
  cuda::DeviceArray<LineWord> words_;
  cuda::DeviceArray<LineWord*> rows_;
  cuda::DeviceArray<LineWord*> columns_;  // empty: the rows' lines serve
  cuda::DeviceArray<LineWord*> diagonals_;
  cuda::DeviceArray<Position> terminals_;
  cuda::DeviceArray<std::uint32_t> finished_;
  cuda::DeviceArray<Epoch> epoch_;
  cuda::PinnedArray<Epoch> next_epochs_;  // by epoch % 2: being copied to epoch_
  std::array<cuda::DeviceArray<std::uint32_t>, 2> strips_;
  std::optional<cuda::Graph> launches_;  // of one epoch
};

}  // namespace grundy
