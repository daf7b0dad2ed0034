// Writes a table to an HDF5 file while it is computed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/dataset/codec.hpp"
#include "grundy/engine/known_values.hpp"
#include "grundy/engine/sink.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

struct DatasetOptions {
  Codec codec;
  bool overwrite = false;  // replace an existing file, and what an interrupted run has left
  bool half = false;       // store y >= x only, of a symmetric table with rows <= cols
  std::optional<Region> window = std::nullopt;             // store only these positions
  std::uint64_t buffer_bytes = std::uint64_t{256} << 20U;  // of memory, in all
  unsigned threads = 0;  // that compress; 0: one for each core this process may use
  std::chrono::milliseconds checkpoint_interval = std::chrono::seconds(10);
};

/// A sink that puts tiles together to chunks. Some threads compress those, and one, which alone
/// calls HDF5, writes them to PATH.partial. Only publish() gives the file its name, after reading
/// it back. When the threads do not keep up, consume() waits.
///
/// Memory stays below options.buffer_bytes: chunks in the making that do not fit are kept in an
/// unnamed file beside PATH. An engine that works in a compact region of the table keeps them few.
///
/// From time to time the writer makes a checkpoint, and a run that ends in any way before
/// publish() can be continued from the last one, by resume().
class DatasetWriter final : public TileSink {
 public:
  /// Creates PATH.partial. Throws UsageError for options that contradict the rule, the extent or
  /// each other, and IoError, and leaves nothing behind, when that is impossible, when PATH exists,
  /// or when another run has left or is writing PATH.partial.
  DatasetWriter(std::string path, const Rule& rule, const Extent& extent, const std::string& engine,
                const DatasetOptions& options);

  /// Closes the partial file, unless it was published. Leaves it, with a last checkpoint if that
  /// is possible, when it holds any chunk.
  ~DatasetWriter() override;

  /// What is in a file in the making, and how much of it is stored.
  struct State {
    Rule rule = Rule::classic();
    Extent extent;  // from (0,0) to the last position stored
    Region region;
    bool half = false;
    Codec codec;
    std::uint64_t chunks = 0;
    std::uint64_t stored_chunks = 0;
    std::uint64_t distrusted_chunks = 0;  // that were stored, but are not as they were written
  };

  /// Goes on with the PATH.partial that an interrupted run has left: back to its last checkpoint,
  /// then every chunk is read, and those that are not as they were written count as missing. Of
  /// the options only buffer_bytes, threads and checkpoint_interval matter. Null when there is no
  /// such run; one that did not get as far as its first checkpoint is removed. After a stop request
  /// the chunks that were not read yet are not trusted. Throws as the constructor does. Calls
  /// checked(chunks, of_chunks) for chunks read, from several threads.
  static std::unique_ptr<DatasetWriter> resume(
      const std::string& path, const std::string& engine, const DatasetOptions& options,
      const std::function<void(std::uint64_t chunks, std::uint64_t of_chunks)>& checked = {},
      const std::stop_token& stop = {});

  /// Not while consume() may be called.
  [[nodiscard]] State state() const;

  /// The values stored when the run was resumed; null if it was not. Lives as long as this.
  [[nodiscard]] const KnownValues* known() const;

  /// Every cell of the table, each once. Throws IoError when writing has failed, in this call or
  /// before.
  void consume(const FinishedTile& tile) override;

  /// Ends this run, and makes what is complete durable, so that another can go on with it. Throws
  /// IoError when that fails.
  void suspend();

  /// Writes what is still queued, the summary and the histogram (counts by value) of the region,
  /// makes the file durable, reads it back, and renames it to PATH. Throws IoError when any of it
  /// fails, and std::logic_error when cells are missing; the partial file stays then.
  void publish(const Summary& summary, const std::vector<std::uint64_t>& histogram);

  [[nodiscard]] const std::string& partial_path() const;

  /// Size of the published file in bytes.
  [[nodiscard]] std::uint64_t file_bytes() const;

 private:
  class Impl;
  explicit DatasetWriter(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace grundy
