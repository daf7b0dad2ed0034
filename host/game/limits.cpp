#include "grundy/game/limits.hpp"

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {

void check_extent(const Extent& extent) {
  if (extent.rows == 0 || extent.cols == 0)
    throw UsageError(fmt::format("a table of {} x {} positions is empty; both sides are at least 1",
                                 extent.rows, extent.cols));
  // Each side is tested first, so that the sum cannot overflow.
  if (extent.rows > kValueLimit || extent.cols > kValueLimit ||
      extent.rows + extent.cols - 2 >= kValueLimit)
    throw UsageError(fmt::format(
        "a table of {} x {} positions is too large: values are below 2^32 - 1, so rows + cols is "
        "at most {}",
        extent.rows, extent.cols, kValueLimit + 1));
}

}  // namespace grundy
