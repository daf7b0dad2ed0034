// Values that a file in the making holds already, for the engine that goes on with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grundy/dataset/placed_chunks.hpp"
#include "grundy/dataset/stored_chunks.hpp"
#include "grundy/engine/known_values.hpp"

namespace grundy {

class StoredValues final : public KnownValues {
 public:
  /// `places`: of the chunks to trust, by grid.index(). Keeps the last `cached` chunks decoded,
  /// since tiles are smaller than chunks.
  StoredValues(const std::string& path, const ChunkGrid& grid, FilterPipeline filters,
               ChunkPlaces places, std::size_t cached);

  [[nodiscard]] bool read(const Region& region, std::uint32_t* values,
                          std::uint64_t stride) const override;

 private:
  using Elements = std::vector<std::byte>;

  [[nodiscard]] std::shared_ptr<const Elements> elements(std::uint64_t i, std::uint64_t j) const;

  ChunkGrid grid_;
  ChunkPlaces places_;
  PlacedChunks placed_;
  StoredChunks chunks_;
  std::size_t cached_;
  mutable std::mutex mutex_;
  mutable std::deque<std::pair<std::size_t, std::shared_ptr<const Elements>>> cache_;
};

}  // namespace grundy
