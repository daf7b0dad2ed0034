// From the strips in which a GPU leaves its values to the tiles that are handed out.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/engine/device_plan.hpp"
#include "grundy/engine/tile.hpp"

namespace grundy {

/// The tiles of one band that are complete after an epoch and were not before: with those of all
/// other epochs they hold every cell of the band once. `buffer` is a strip of a streaming plan,
/// in which every row starts with the last values of the epoch before.
std::vector<FinishedTile> finished_tiles(const DevicePlan& plan, std::int64_t epoch,
                                         std::int64_t band, const std::uint32_t* buffer);

}  // namespace grundy
