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

  /// Looks at the chunks with a place, by grid.index(), in several threads, and returns the indices
  /// of those that cannot be trusted: not in the file, or not as their checksums say. Calls
  /// checked(), which may be empty, after each.
  [[nodiscard]] std::vector<std::size_t> find_flawed(
      const std::vector<std::optional<ChunkPlace>>& places, unsigned threads,
      const std::function<void()>& checked = {}) const;

 private:
  struct Worker {
    ChunkFilters filters;
    std::vector<std::byte> stored;
  };
  class Borrowed;

  [[nodiscard]] bool is_flawed(const ChunkPlace& place) const;
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
