// Writes lists of positions and their values to an HDF5 file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grundy/game/rule.hpp"
#include "grundy/levels/level_cells.hpp"

namespace grundy {

struct LevelFileOptions {
  std::uint64_t limit = 0;  // coordinates are below it
  unsigned first = 0;       // values
  unsigned last = 0;
  bool overwrite = false;
};

/// One-dimensional datasets /x, /y (64-bit) and /value (8-bit), of equal length, as LevelCells
/// lists them, and what they are as attributes of the file. Written as PATH.partial until
/// publish().
class LevelFile {
 public:
  /// Throws IoError as DatasetWriter does.
  LevelFile(std::string path, const Rule& rule, const LevelFileOptions& options);

  /// Removes the partial file, unless publish() was called.
  ~LevelFile();

  /// Throws IoError when writing fails.
  void append(const std::vector<LevelCell>& cells);

  /// Writes the count, makes the file durable and gives it its name. Throws IoError.
  void publish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grundy
