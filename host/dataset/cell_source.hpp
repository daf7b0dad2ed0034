// Tables whose values can be read wherever they are: in a file, or computed into memory.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

class DatasetReader;

/// The values of a region of a table.
struct CellSource {
  Region region;  // what can be read
  /// What is best read at a time: blocks of this extent, beginning at the region's first position.
  Extent block;
  /// Values of a part of the region, row-major. Thread-safe. Throws IoError.
  std::function<void(const Region& part, std::uint32_t* values)> read;
};

/// The values of a complete file, mirror images of half storage included; the reader must outlive
/// it. read() throws IoError also where a value is missing. Throws IoError when the file is not
/// complete.
CellSource stored_cells(const DatasetReader& reader);

/// Keeps a region of the table that an engine computes.
class ComputedCells final : public TileSink {
 public:
  /// Throws DeviceError unless the values fit the memory.
  explicit ComputedCells(const Region& region);

  void consume(const FinishedTile& tile) override;

  /// Once all tiles are in; this must outlive it.
  [[nodiscard]] CellSource source() const;

 private:
  void read(const Region& part, std::uint32_t* values) const;

  Region region_;
  std::vector<std::uint32_t> values_;
};

struct ReadOptions {
  unsigned threads = 0;  // 0: one for each core
  std::stop_token stop = {};
};

/// Called for one block after the other, in several threads at a time.
using BlockVisitor = std::function<void(const Region& block, const std::uint32_t* values)>;
/// Whether a block is to be read; thread-safe.
using BlockFilter = std::function<bool(const Region& block)>;

/// Reads a part of the source's region block by block, those that `wanted` (all, if empty) lets
/// pass, in no particular order. Returns false when a stop was requested before the end; throws
/// what reading or `visit` throws.
bool for_each_block(const CellSource& source, const Region& part, const BlockFilter& wanted,
                    const BlockVisitor& visit, const ReadOptions& options);

}  // namespace grundy
