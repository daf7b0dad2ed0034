// The chunks of an open table file, read and decoded by several threads at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/dataset/filters.hpp"
#include "grundy/dataset/partial_file.hpp"

namespace grundy {

/// Thread-safe.
class StoredChunks {
 public:
  /// The place of chunk (i,j), empty when it was not written; thread-safe.
  using Find = std::function<std::optional<ChunkPlace>(std::uint64_t i, std::uint64_t j)>;

  /// Throws IoError when the file cannot be opened.
  StoredChunks(const std::string& path, const ChunkGrid& grid, FilterPipeline filters, Find find);

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }

  /// Elements of chunk (i,j) in stored form, all of them. Throws IoError when the chunk cannot be
  /// read or its checksum does not fit. Of a chunk that was not written: the fill value.
  void read(std::uint64_t i, std::uint64_t j, std::span<std::byte> elements) const;

  /// Why the chunk at this place cannot be trusted: it is not in the file, or not as its checksum
  /// says; empty when nothing speaks against it.
  [[nodiscard]] std::optional<std::string> flaw(const ChunkPlace& place) const;

 private:
  struct Worker {
    ChunkFilters filters;
    std::vector<std::byte> stored;
  };
  class Borrowed;

  [[nodiscard]] std::unique_ptr<Worker> take_worker() const;
  std::span<const std::byte> load(const ChunkPlace& place, Worker& worker) const;

  ChunkGrid grid_;
  FilterPipeline filters_;
  Find find_;
  Descriptor file_;
  mutable std::mutex workers_mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_workers_;
};

}  // namespace grundy
