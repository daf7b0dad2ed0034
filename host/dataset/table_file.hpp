// The HDF5 side of a table file that is being written: its dataset, attributes and chunks, and how
// it survives that the run ends. Not thread-safe; private to the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grundy/dataset/checkpoint.hpp"
#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/dataset/codec.hpp"
#include "grundy/dataset/filters.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/partial_file.hpp"
#include "grundy/dataset/placed_chunks.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

/// What a table file holds, and how.
struct TableContent {
  Rule rule = Rule::classic();
  ChunkGrid grid;
  Codec codec;
};

class TableFile {
 public:
  /// The checkpoint that an interrupted run has left of the file at PATH.
  static Checkpoint checkpoint_of(const std::string& path);

  /// An empty table in PATH.partial, with its first checkpoint.
  TableFile(std::string path, Existing existing, const TableContent& content,
            const std::string& engine);

  /// PATH.partial as it was at its last checkpoint.
  TableFile(std::string path, const std::string& engine);

  ~TableFile();

  [[nodiscard]] const TableContent& content() const { return content_; }
  [[nodiscard]] const std::string& path() const { return partial_.path(); }
  [[nodiscard]] const std::string& partial_path() const { return partial_.partial_path(); }

  /// Of the chunks that are stored; those written meanwhile are added.
  [[nodiscard]] const ChunkPlaces& places() const { return places_; }

  [[nodiscard]] bool holds_chunks() const;

  void write_chunk(std::uint64_t i, std::uint64_t j, const FilteredChunk& chunk);

  /// Makes what has been written durable: a later run can continue from here.
  void save_checkpoint();

  /// Writes what is known at the end, reads the file back in so many threads, and gives it its
  /// name.
  void publish(const Summary& summary, const std::vector<std::uint64_t>& histogram,
               unsigned threads);

  /// Removes PATH.partial and its checkpoint.
  void remove();

 private:
  /// Where HDF5 has put the chunk just written; the file ended at `before`, and ends at `after`.
  [[nodiscard]] std::uint64_t find_new_chunk(std::uint64_t i, std::uint64_t j, std::uint64_t before,
                                             std::uint64_t after,
                                             const std::vector<std::byte>& bytes) const;
  void begin_sync(const ChunkPlace& place);
  void create(const std::string& engine);
  void open();
  /// Throws IoError when HDF5 could not write what it had buffered.
  void close();
  void write_results(const Summary& summary, const std::vector<std::uint64_t>& histogram);
  /// Reads the finished file back; throws IoError when it is not what was written.
  void check_finished(unsigned threads) const;

  PartialFile partial_;
  Checkpoint checkpoint_;
  TableContent content_;
  std::string what_;  // is said of what fails
  hdf5::Handle file_;
  hdf5::Handle table_;
  ChunkPlaces places_;
  // The part of the file that was written since the disk was asked to begin with the last.
  std::uint64_t unsynced_begin_ = ~std::uint64_t{0};
  std::uint64_t unsynced_end_ = 0;
};

}  // namespace grundy
