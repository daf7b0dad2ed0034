// A state of a table file in the making that a run which ends in any way can be continued from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grundy {

/// A chunk of the file, by its place in a list of all, and where and how it is stored.
struct ChunkRecord {
  std::uint64_t index = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t skipped = 0;  // filters
  std::uint32_t crc32 = 0;

  friend bool operator==(const ChunkRecord&, const ChunkRecord&) = default;
};

/// HDF5 changes its own data in a file when and in whatever order it likes, so what a killed
/// program leaves need not be a file that HDF5 can open. The chunks, in contrast, are written once
/// and stay. A checkpoint is everything else, as it was when HDF5 had closed the file, and
/// checksums of the chunks; putting it back makes the file the one it was at that moment.
class Checkpoint {
 public:
  /// Kept in the file `path`.
  explicit Checkpoint(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] bool exists() const;

  /// Makes what the file open as `fd` holds durable, then the checkpoint of it: everything but
  /// these chunks. The one before stays until this one is in place. Throws IoError.
  void save(int fd, std::vector<ChunkRecord> chunks) const;

  /// Brings the file open as `fd` back to the state of the checkpoint, but for the chunks, and
  /// returns what was known of those, in the order of the file. Throws IoError when either cannot
  /// be read or written, or the checkpoint is damaged.
  [[nodiscard]] std::vector<ChunkRecord> restore(int fd) const;

  /// Of a finished file, or one that is begun anew.
  void remove() const;

 private:
  std::string path_;
};

}  // namespace grundy
