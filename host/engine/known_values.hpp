// Values of a table that need not be computed.
#pragma once

#include <cstdint>

#include "grundy/game/position.hpp"

namespace grundy {

/// Thread-safe.
class KnownValues {
 public:
  KnownValues() = default;
  KnownValues(const KnownValues&) = delete;
  KnownValues& operator=(const KnownValues&) = delete;
  virtual ~KnownValues() = default;

  /// The values of the positions of `region`, (x0+i, y0+j) at values[i * stride + j], when all are
  /// known; of a table known by half, those with y >= x, and anything for the others. Otherwise
  /// false, and `values` is left with any content. Throws IoError.
  [[nodiscard]] virtual bool read(const Region& region, std::uint32_t* values,
                                  std::uint64_t stride) const = 0;
};

}  // namespace grundy
