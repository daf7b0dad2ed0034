// What the writer and the reader of a table file agree on; docs/format.md describes it for others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "grundy/game/position.hpp"

namespace grundy::format {

/// Raised when an older reader would misread the file.
inline constexpr std::uint64_t kVersion = 2;
inline constexpr const char* kName = "grundy table";
inline constexpr const char* kLevelsName = "grundy levels";  // of the level file

// What a table file stores: every element, or none whose mirror image (y,x), x < y, is an element.
inline constexpr const char* kFullStorage = "full";
inline constexpr const char* kHalfStorage = "half";

inline constexpr const char* kPlay = "normal";
inline constexpr const char* kTable = "/grundy";
inline constexpr const char* kHistogram = "/histogram";

inline constexpr const char* kAxisOrder =
    "element [i][j] is the Grundy value of position (first_x + i, first_y + j); i is the first, "
    "slower index";

/// Bytes of a stored value: 2 when every possible value stays below the fill value 65535, else 4.
inline unsigned value_bytes(const Extent& extent) {
  return extent.rows + extent.cols - 2 <= 65534 ? 2 : 4;
}

/// Stands for "not computed": the largest number of the stored type.
inline std::uint32_t fill_value(unsigned bytes) { return bytes == 2 ? 0xffffU : 0xffff'ffffU; }

/// At most 1 MiB, which is what HDF5 caches by default: 512 x 512 values, so that rows and columns
/// are equally far to read, and longer where the table is narrower than that.
inline Extent chunk_extent(const Extent& stored) {
  constexpr std::uint64_t kSide = 512;
  constexpr std::uint64_t kCells = kSide * kSide;
  const std::uint64_t rows = std::min(stored.rows, kSide);
  const std::uint64_t cols = std::min(stored.cols, kCells / rows);
  return {std::min(stored.rows, kCells / cols), cols};
}

}  // namespace grundy::format
