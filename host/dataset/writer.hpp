// Writes a table to an HDF5 file while it is computed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grundy/dataset/codec.hpp"
#include "grundy/engine/sink.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

struct DatasetOptions {
  Codec codec;
  bool overwrite = false;  // replace an existing file, and what an interrupted run has left
};

/// A sink that puts tiles together to chunks and hands those to one thread, which compresses and
/// writes them as PATH.partial. Only publish() gives the file its name. Complete chunks wait in a
/// queue of kQueueBytes; when it is full, consume() waits. Chunks in the making come on top: an
/// engine that works in a compact region of the table keeps them few.
class DatasetWriter final : public TileSink {
 public:
  static constexpr std::uint64_t kQueueBytes = std::uint64_t{32} << 20U;

  /// Creates PATH.partial. Throws IoError, and leaves nothing behind, when that is impossible, when
  /// PATH exists, or when another run has left or is writing PATH.partial.
  DatasetWriter(std::string path, const Rule& rule, const Extent& extent, const std::string& engine,
                const DatasetOptions& options);

  /// Closes the partial file, unless it was published, and leaves it when it holds any chunk.
  ~DatasetWriter() override;

  /// Throws IoError when writing has failed, in this call or before.
  void consume(const FinishedTile& tile) override;

  /// Writes what is still queued, the summary and the histogram (counts by value), makes the file
  /// durable and renames it to PATH. Throws IoError when any of it fails, and std::logic_error
  /// when cells are missing; the partial file stays then.
  void publish(const Summary& summary, const std::vector<std::uint64_t>& histogram);

  [[nodiscard]] const std::string& partial_path() const;

  /// Size of the published file in bytes.
  [[nodiscard]] std::uint64_t file_bytes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grundy
