#include "grundy/dataset/stored_values.hpp"

#include <algorithm>

#include "grundy/dataset/elements.hpp"

namespace grundy {

StoredValues::StoredValues(const std::string& path, const ChunkGrid& grid, FilterPipeline filters,
                           ChunkPlaces places, std::size_t cached)
    : grid_(grid),
      places_(std::move(places)),
      placed_(path),
      chunks_(grid, std::move(filters),
              [this](std::uint64_t i, std::uint64_t j,
                     std::vector<std::byte>& stored) -> std::optional<std::uint32_t> {
                const std::optional<ChunkPlace>& place = places_[grid_.index(i, j)];
                if (!place) return std::nullopt;
                placed_.read(*place, stored);
                return place->skipped;
              }),
      cached_(cached) {}

bool StoredValues::read(const Region& region, std::uint32_t* values, std::uint64_t stride) const {
  if (!grid_.region.contains(region)) return false;
  std::uint64_t chunks = 0;
  std::uint64_t trusted = 0;
  for_each_chunk(grid_, region, [&](std::uint64_t i, std::uint64_t j) {
    ++chunks;
    if (places_[grid_.index(i, j)]) ++trusted;
  });
  if (chunks == 0 || trusted < chunks) return false;
  for_each_chunk(grid_, region, [&](std::uint64_t i, std::uint64_t j) {
    const Region part = intersection(grid_.positions(i, j), region);
    widen_elements(grid_, i, j, *elements(i, j), part,
                   values + (part.x0 - region.x0) * stride + part.y0 - region.y0, stride);
  });
  return true;
}

std::shared_ptr<const StoredValues::Elements> StoredValues::elements(std::uint64_t i,
                                                                     std::uint64_t j) const {
  const std::size_t index = grid_.index(i, j);
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(cache_.begin(), cache_.end(),
                                    [&](const auto& entry) { return entry.first == index; });
    if (found != cache_.end()) return found->second;
  }
  // Without the lock: that two threads decode the same chunk is rare, and does no harm.
  auto decoded = std::make_shared<Elements>(grid_.chunk_bytes());
  chunks_.read(i, j, *decoded);
  const std::scoped_lock lock(mutex_);
  cache_.emplace_back(index, decoded);
  if (cache_.size() > cached_) cache_.pop_front();
  return decoded;
}

}  // namespace grundy
