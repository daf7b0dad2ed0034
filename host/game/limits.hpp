// How large a table can be.
#pragma once

#include "grundy/game/position.hpp"

namespace grundy {

/// Values are 32-bit with one value set aside: G(x,y) <= x+y has to stay below this (2^32 - 1).
inline constexpr std::uint64_t kValueLimit = 0xffff'ffffU;

/// Throws UsageError unless both sides are at least 1 and every value of the table is below
/// kValueLimit; accepted extents have less than 2^63 cells.
void check_extent(const Extent& extent);

}  // namespace grundy
