#include "grundy/engine/device_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "grundy/engine/line_map.hpp"
#include "grundy/engine/memory.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/kernels/staged_lines.hpp"

namespace grundy {
namespace {

/// Kernels count columns in 32 bits with a sign.
constexpr std::uint64_t kSideLimit = std::uint64_t{1} << 30U;

/// Long enough that what an epoch costs besides computing does not matter, short enough that two
/// strips are small beside the line sets; shorter when strips have to be copied to the host too.
constexpr std::uint64_t kSteps = 1024;
constexpr std::uint64_t kStreamingSteps = 256;

/// Thrust's temporary storage, code loaded later, and what CUDA adds to each allocation.
constexpr std::uint64_t kScratchBytes = std::uint64_t{64} << 20U;

}  // namespace

DevicePlan::DevicePlan(const ComputedPart& computed, const Rule& rule, const Request& request)
    : part(computed), grid{part.extent, part.upper_half, request.tile_width} {
  const auto [rows, cols] = part.extent;
  if (rows >= kSideLimit || cols >= kSideLimit)
    throw DeviceError(fmt::format(
        "a table of {} x {} positions is too large for the cuda engine, whose sides are below {}; "
        "--engine cpu has no such limit",
        rows, cols, kSideLimit));
  const auto width = static_cast<std::uint64_t>(request.tile_width);
  const std::uint64_t all_steps = static_cast<std::uint64_t>(grid.waves()) * width;
  std::uint64_t steps = request.steps;
  if (steps == 0) steps = request.streaming ? kStreamingSteps : kSteps;
  // A power of two, so that an index into a strip falls apart into row and step by shifts.
  steps = std::bit_ceil(std::clamp<std::uint64_t>(std::min(steps, all_steps), kBandRows, kSteps));
  log2_steps = static_cast<std::uint32_t>(std::countr_zero(steps));
  carry = request.streaming ? kBandRows : 0;
  epoch_waves = static_cast<std::int64_t>(steps / width);
  epochs = (grid.waves() + epoch_waves - 1) / epoch_waves;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch)
    most_bands = std::max(most_bands, bands(epoch).size());
  line_bytes = 8 * LineMap::words_needed(part.extent, part.upper_half, kStagedLineStride);
  strip_bytes = saturating_bytes(static_cast<std::uint64_t>(most_bands) * kBandRows,
                                 stride() * sizeof(std::uint32_t));
  const std::uint64_t lines = part.upper_half ? 2 * cols : 2 * (rows + cols);
  const std::uint64_t values = rows + cols;
  other_bytes = 8 * lines + 4 * static_cast<std::uint64_t>(grid.bands()) + 8 * values +
                sizeof(Position) * rule.view().count + kScratchBytes;
}

std::uint64_t DevicePlan::bytes() const {
  return saturating_sum({line_bytes, strip_bytes, strip_bytes, other_bytes});
}

Range DevicePlan::rows(std::int64_t epoch) const {
  const Range range = bands(epoch);
  return {range.first * kBandRows,
          std::min(range.last * kBandRows, static_cast<std::int64_t>(part.extent.rows))};
}

ValueStrip DevicePlan::strip(std::int64_t epoch, std::uint32_t* buffer) const {
  return {buffer + carry, rows(epoch).first, waves(epoch).first * grid.width, stride()};
}

std::uint64_t DevicePlan::cells(std::int64_t epoch) const {
  const Range x_range = rows(epoch);
  const std::int64_t t0 = waves(epoch).first * grid.width;
  const auto cols = static_cast<std::int64_t>(part.extent.cols);
  const auto mirrored_cols = static_cast<std::int64_t>(part.extent.rows);
  const auto between = [](std::int64_t first, std::int64_t last) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(last - first, 0));
  };
  std::uint64_t count = 0;
  for (std::int64_t x = x_range.first; x < x_range.last; ++x) {
    const std::int64_t first = t0 - grid.row_start(x);
    const std::int64_t last = first + (std::int64_t{1} << log2_steps);
    count += between(std::max(first, grid.upper_half ? x : 0), std::min(last, cols));
    if (grid.upper_half) count += between(std::max(first, x + 1), std::min(last, mirrored_cols));
  }
  return count;
}

std::uint64_t largest_square(std::uint64_t bytes, const BytesOfSquare& bytes_of_square) {
  std::uint64_t low = 0;                         // fits
  std::uint64_t high = std::uint64_t{1} << 24U;  // hundreds of terabytes
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (bytes_of_square(middle) <= bytes ? low : high) = middle;
  }
  return low;
}

std::uint64_t largest_square(const Rule& rule, std::uint64_t bytes,
                             const DevicePlan::Request& request) {
  return largest_square(bytes, [&](std::uint64_t side) {
    return DevicePlan(ComputedPart(rule, {side, side}), rule, request).bytes();
  });
}

}  // namespace grundy
