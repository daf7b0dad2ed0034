// The chunks of an open table file, read and decoded by several threads at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/dataset/filters.hpp"

namespace grundy {

/// Thread-safe.
class StoredChunks {
 public:
  /// Puts the bytes of chunk (i,j) as they are stored into `stored`, and returns which filters were
  /// skipped; empty when the chunk was not written. Thread-safe. Throws IoError.
  using Load = std::function<std::optional<std::uint32_t>(std::uint64_t i, std::uint64_t j,
                                                          std::vector<std::byte>& stored)>;

  StoredChunks(const ChunkGrid& grid, FilterPipeline filters, Load load)
      : grid_(grid), filters_(std::move(filters)), load_(std::move(load)) {}

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }

  /// Elements of chunk (i,j) in stored form, all of them. Throws IoError when the chunk cannot be
  /// read or its checksum does not fit. Of a chunk that was not written: the fill value.
  void read(std::uint64_t i, std::uint64_t j, std::span<std::byte> elements) const;

 private:
  struct Worker {
    ChunkFilters filters;
    std::vector<std::byte> stored;
  };
  class Borrowed;

  [[nodiscard]] std::unique_ptr<Worker> take_worker() const;

  ChunkGrid grid_;
  FilterPipeline filters_;
  Load load_;
  mutable std::mutex workers_mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_workers_;
};

}  // namespace grundy
