// A tile computed and summed up at once.
#pragma once

#include <cstdint>

#include "grundy/engine/handout.hpp"
#include "grundy/kernels/summary.hpp"
#include "grundy/kernels/tile.hpp"

namespace grundy {

/// Whether compute_summed_tile() can compute that tile: no terminal cells in it, not on the main
/// diagonal of an upper half, the whole mirror image in the table, a width that is a multiple of
/// four, and a processor with vectors.
bool can_sum_tile(const ComputedPart& part, const TerminalView& terminals, const TileBounds& tile);

/// What compute_tile() does, and the summary of the tile and its mirror image. The digest, which
/// takes multiplications only, is that of each row while the next one is searched for, which mostly
/// waits.
Summary compute_summed_tile(const TableLines& table, const TileBounds& tile, std::uint32_t* values,
                            std::uint64_t stride);

}  // namespace grundy
