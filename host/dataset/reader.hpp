// Reads table files.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// What a table file says about itself. What is only known at the end is 0 or empty in a file that
/// is not complete.
struct DatasetInfo {
  std::uint64_t format_version = 0;
  Rule rule = Rule::classic();
  Extent extent;
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
};

/// An open table file, read-only. One thread at a time.
class DatasetReader {
 public:
  /// Throws IoError that says what is wrong with a file that cannot be read, is no HDF5 file, is
  /// truncated, was not written by this program, or is of a newer format version.
  explicit DatasetReader(const std::string& path);
  ~DatasetReader();

  [[nodiscard]] const DatasetInfo& info() const;
  [[nodiscard]] const std::string& path() const;

  /// Throws IoError that names the file unless the table is complete.
  void require_complete() const;

  /// Values of the cells x0 <= x < x0+rows, y0 <= y < y0+cols, row-major, into `values`. Throws
  /// IoError when they cannot be read, as when a checksum does not fit.
  void read(std::uint64_t x0, std::uint64_t y0, const Extent& extent, std::uint32_t* values) const;

  /// Counts by value, as stored.
  [[nodiscard]] std::vector<std::uint64_t> read_histogram() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Hands a stored table to a sink, chunk by chunk, as an engine would. Returns false when `stop`
/// was requested before the end.
bool read_tiles(const DatasetReader& reader, TileSink& sink, const std::stop_token& stop = {});

}  // namespace grundy
