#include "grundy/dataset/placed_chunks.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>

#include <fmt/format.h>

#include "grundy/dataset/file_io.hpp"
#include "grundy/dataset/filters.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {

PlacedChunks::PlacedChunks(const std::string& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_.get() < 0) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

void PlacedChunks::read(const ChunkPlace& place, std::vector<std::byte>& stored) const {
  stored.resize(place.bytes);
  read_at(file_.get(), place.offset, stored);
}

std::vector<std::size_t> PlacedChunks::find_flawed(const ChunkPlaces& places, unsigned threads,
                                                   const std::function<void()>& checked) const {
  std::vector<std::size_t> flawed;
  std::mutex flawed_mutex;
  std::atomic<std::size_t> next{0};
  run_in_threads(
      threads,
      [&] {
        std::vector<std::byte> stored;
        for (std::size_t k = next++; k < places.size(); k = next++) {
          if (!places[k]) continue;
          if (is_flawed(*places[k], stored)) {
            const std::scoped_lock lock(flawed_mutex);
            flawed.push_back(k);
          }
          if (checked) checked();
        }
      },
      [&] { next = places.size(); });
  return flawed;
}

bool PlacedChunks::is_flawed(const ChunkPlace& place, std::vector<std::byte>& stored) const {
  try {
    read(place, stored);
    return crc32(stored) != place.crc32;
  } catch (const IoError&) {
    return true;
  }
}

}  // namespace grundy
