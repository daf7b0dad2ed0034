// Chunks of a file whose places are known, read without HDF5.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/dataset/partial_file.hpp"

namespace grundy {

/// Where a chunk lies in the file, which of its filters were skipped, and the CRC-32 of its bytes.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t skipped = 0;
  std::uint32_t crc32 = 0;
};

/// By ChunkGrid::index(); empty: not stored.
using ChunkPlaces = std::vector<std::optional<ChunkPlace>>;

inline std::uint64_t count_stored(const ChunkPlaces& places) {
  return static_cast<std::uint64_t>(
      std::count_if(places.begin(), places.end(),
                    [](const std::optional<ChunkPlace>& place) { return place.has_value(); }));
}

/// Thread-safe.
class PlacedChunks {
 public:
  /// Throws IoError when the file cannot be opened.
  explicit PlacedChunks(const std::string& path);

  /// The bytes of a chunk as they are stored. Throws IoError when the file ends before them.
  void read(const ChunkPlace& place, std::vector<std::byte>& stored) const;

  /// Looks at all chunks with a place in several threads, and returns the indices of those that
  /// cannot be trusted: not in the file, or not as their checksum says. Calls checked(), which may
  /// be empty, after each.
  [[nodiscard]] std::vector<std::size_t> find_flawed(
      const ChunkPlaces& places, unsigned threads, const std::function<void()>& checked = {}) const;

 private:
  [[nodiscard]] bool is_flawed(const ChunkPlace& place, std::vector<std::byte>& stored) const;

  Descriptor file_;
};

}  // namespace grundy
