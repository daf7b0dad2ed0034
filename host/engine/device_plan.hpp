// How a table is computed on a GPU: its geometry and the memory that takes. Knows no CUDA.
#pragma once

#include <cstdint>
#include <functional>

#include "grundy/engine/handout.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/slant.hpp"
#include "grundy/kernels/strip.hpp"

namespace grundy {

/// The waves of slanted tiles are computed in epochs. The values of an epoch go to one of two
/// strips, so that one is used while the next is computed.
struct DevicePlan {
  struct Request {
    bool streaming = false;   // the values go to the host
    std::uint64_t steps = 0;  // of an epoch, rounded up to a power of two; 0: chosen here
    std::uint32_t tile_width = grundy::tile_width(kDefaultSchedule);
  };

  /// Throws DeviceError for a table with a side of 2^30 or more.
  DevicePlan(const ComputedPart& part, const Rule& rule, const Request& request);

  ComputedPart part;
  SlantedGrid grid;
  std::uint32_t log2_steps = 0;  // an epoch is 2^log2_steps steps
  std::uint32_t carry = 0;       // entries before a row of a strip: the last of the epoch before
  std::int64_t epoch_waves = 0;  // waves of an epoch
  std::int64_t epochs = 0;
  std::int64_t most_bands = 0;    // that one epoch has
  std::uint64_t line_bytes = 0;   // line sets
  std::uint64_t strip_bytes = 0;  // one strip
  std::uint64_t other_bytes = 0;  // pointers, counts, terminal cells, scratch

  /// Entries from one row of a strip to the next.
  [[nodiscard]] std::uint64_t stride() const { return (std::uint64_t{1} << log2_steps) + carry; }
  /// Device memory in bytes, the largest number when that is beyond any.
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] Range waves(std::int64_t epoch) const {
    return {epoch * epoch_waves, (epoch + 1) * epoch_waves};
  }
  [[nodiscard]] Range bands(std::int64_t epoch) const { return grid.bands_in(waves(epoch)); }
  /// The rows of the table whose cells an epoch computes; the strip's rows.
  [[nodiscard]] Range rows(std::int64_t epoch) const;
  /// The strip of an epoch, in a buffer of strip_bytes.
  [[nodiscard]] ValueStrip strip(std::int64_t epoch, std::uint32_t* buffer) const;
  /// Cells of the table that an epoch computes, mirror images included.
  [[nodiscard]] std::uint64_t cells(std::int64_t epoch) const;
};

/// Device memory for what is computed of tables of N x N positions, by N.
using BytesOfSquare = std::function<std::uint64_t(std::uint64_t side)>;

/// The largest N for which that is at most `bytes`; 0 if there is none.
std::uint64_t largest_square(std::uint64_t bytes, const BytesOfSquare& bytes_of_square);

/// The same for a table of the rule.
std::uint64_t largest_square(const Rule& rule, std::uint64_t bytes,
                             const DevicePlan::Request& request);

}  // namespace grundy
