// Reads table files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/dataset/chunk_grid.hpp"
#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// What a table file says about itself. What is only known at the end is 0 or empty in a file that
/// is not complete.
struct DatasetInfo {
  std::uint64_t format_version = 0;
  Rule rule = Rule::classic();
  /// The table that the stored values belong to: from (0,0) to the last of them.
  Extent extent;
  /// Which of its positions are stored: all, unless the file is a window into a table.
  Region region;
  /// Of a symmetric table only y >= x is stored; the elements whose mirror images are stored are
  /// the fill value. Never of a window.
  bool half = false;
  std::string play;
  std::string software;  // name and version
  std::string engine;
  std::string created;  // UTC, ISO 8601
  std::string compression;
  bool complete = false;
  std::string digest;  // 16 hexadecimal digits
  std::uint64_t max_value = 0;
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  unsigned value_bytes = 0;
  Extent chunk;
  /// What to read at a time: a chunk, unless that is unreasonably large.
  Extent block;
  std::uint64_t stored_bytes = 0;  // of the table, compressed
  std::uint64_t file_bytes = 0;

  /// How the region is cut into chunks.
  [[nodiscard]] ChunkGrid grid() const { return {region, chunk, value_bytes, half}; }
};

/// An open table file, read-only. Thread-safe.
class DatasetReader {
 public:
  /// Throws IoError that says what is wrong with a file that cannot be read, is no HDF5 file, is
  /// truncated, was not written by this program, or is of a newer format version.
  explicit DatasetReader(const std::string& path);
  ~DatasetReader();

  [[nodiscard]] const DatasetInfo& info() const;
  [[nodiscard]] const std::string& path() const;

  /// Throws IoError that names the file unless it is complete.
  void require_complete() const;

  /// The same unless it is complete and no window into a table.
  void require_whole_table() const;

  /// Values of the positions of `region`, which must be stored, row-major, into `values`; of half
  /// storage also those that it has as mirror images only. Throws IoError when they cannot be read,
  /// as when a checksum does not fit.
  void read(const Region& region, std::uint32_t* values) const;

  /// How many chunks of the table are in the file: of a complete one all, but that half storage may
  /// leave out those below the diagonal. Throws IoError.
  [[nodiscard]] std::uint64_t stored_chunks() const;

  /// Has HDF5 look up each chunk, for what it may do when the file is damaged.
  void look_up_chunks() const;

  /// Counts by value, as stored.
  [[nodiscard]] std::vector<std::uint64_t> read_histogram() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct ReadTilesOptions {
  std::optional<Region> region = std::nullopt;  // which must be stored; none: all that is
  unsigned threads = 1;                         // 0: all cores; each takes a few MiB
  std::function<void(std::uint64_t cells)> progress = {};  // thread-safe
};

/// Hands a region of a table to a sink, chunk by chunk, as an engine would: each of its positions
/// once, of half storage with their mirror images. Returns false when `stop` was requested before
/// the end.
bool read_tiles(const DatasetReader& reader, TileSink& sink, const std::stop_token& stop = {},
                const ReadTilesOptions& options = {});

}  // namespace grundy
