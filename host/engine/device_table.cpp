#include "grundy/engine/device_table.hpp"

#include <algorithm>
#include <span>

#include "grundy/kernels/staged_lines.hpp"

namespace grundy {

using cuda::check;

DeviceTable::DeviceTable(const Rule& rule, const DevicePlan& plan, Schedule schedule)
    : plan_(plan),
      words_(LineMap::words_needed(plan.part.extent, plan.part.upper_half, kStagedLineStride)),
      finished_(static_cast<std::uint64_t>(plan.grid.bands())),
      epoch_(1),
      next_epochs_(2) {
  words_.zero();
  finished_.zero();
  const std::uint64_t strip_values = plan.strip_bytes / sizeof(std::uint32_t);
  for (auto& strip : strips_) strip = cuda::DeviceArray<std::uint32_t>(strip_values);

  const LineMap map(plan.part.extent, plan.part.upper_half, kStagedLineStride, words_.data());
  const auto upload = [](std::span<LineWord* const> lines) {
    return cuda::DeviceArray<LineWord*>(lines);
  };
  rows_ = upload(map.row_lines());
  columns_ = upload(map.column_lines());
  diagonals_ = upload(map.diagonal_lines());
  TableLines lines = map.lines();
  lines.rows = rows_.data();
  lines.columns = columns_.size() == 0 ? rows_.data() : columns_.data();
  lines.diagonals = diagonals_.data();
  TerminalView terminals = rule.view();
  // In the coordinates of what is computed; that differs from the table for symmetric rules only.
  terminals_ = cuda::DeviceArray<Position>(std::span(terminals.cells, terminals.count));
  terminals.cells = terminals_.data();

  const ScheduleJob job{{plan.grid, lines, terminals},
                        epoch_.data(),
                        finished_.data(),
                        plan.epoch_waves,
                        plan.most_bands};
  launches_.emplace(cuda::Stream(),
                    [&](cudaStream_t stream) { return enqueue_epoch(schedule, job, stream); });
}

void DeviceTable::enqueue(std::int64_t epoch, const cuda::Stream& stream) {
  if (plan_.carry != 0 && epoch > 0) carry_over(epoch, stream);
  Epoch& next = next_epochs_[static_cast<std::size_t>(epoch % 2)];
  next = {plan_.waves(epoch), plan_.strip(epoch, buffer(epoch)), 0};
  check(cudaMemcpyAsync(epoch_.data(), &next, sizeof next, cudaMemcpyHostToDevice, stream.get()),
        "cudaMemcpyAsync");
  launches_->launch(stream);
}

void DeviceTable::carry_over(std::int64_t epoch, const cuda::Stream& stream) {
  const Range from = plan_.rows(epoch - 1);
  const Range to = plan_.rows(epoch);
  const Range both{std::max(from.first, to.first), std::min(from.last, to.last)};
  if (both.size() == 0) return;
  const std::uint64_t stride = plan_.stride();
  const auto row = [&](const Range& rows) {
    return static_cast<std::uint64_t>(both.first - rows.first) * stride;
  };
  const std::uint32_t* last_values = buffer(epoch - 1) + row(from) + (stride - plan_.carry);
  const std::size_t pitch = stride * sizeof(std::uint32_t);
  check(cudaMemcpy2DAsync(
            buffer(epoch) + row(to), pitch, last_values, pitch, plan_.carry * sizeof(std::uint32_t),
            static_cast<std::size_t>(both.size()), cudaMemcpyDeviceToDevice, stream.get()),
        "cudaMemcpy2DAsync");
}

StripCells DeviceTable::cells(std::int64_t epoch) const {
  return {plan_.grid, plan_.strip(epoch, buffer(epoch)), plan_.rows(epoch).size(), plan_.log2_steps,
          plan_.part.transposed};
}

}  // namespace grundy
