// One interface for everything that computes Grundy tables.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "grundy/engine/known_values.hpp"
#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/kernels/slant.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

class SummarySink;

struct EngineOptions {
  unsigned threads = 0;  // worker threads; 0: one for each core this process may use
  // Side of a tile in cells, of cuda the steps of an epoch (docs/cuda.md); 0: the engine's choice.
  std::uint64_t tile_side = 0;
  int device = 0;  // cuda: the GPU, as `grundy devices` numbers them
  std::optional<Schedule> schedule =
      std::nullopt;  // cuda: how it orders its work; default: the faster one
};

/// Told how many further cells are done; thread-safe.
using CellsDone = std::function<void(std::uint64_t cells)>;

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// As given to --engine and recorded in files.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Bytes of memory that computing a table of this extent takes, sinks not counted; of the
  /// device's memory, where the engine has one.
  [[nodiscard]] virtual std::uint64_t bytes_needed(const Rule& rule,
                                                   const Extent& extent) const = 0;

  /// Computes the table and hands every cell to the sink, in finished tiles. Returns true when the
  /// table is complete, false when `stop` was requested before; tiles already handed out are valid.
  /// Throws UsageError for an extent that check_extent refuses, DeviceError when the table does not
  /// fit the memory (nothing has been allocated then) or a device fails, and whatever the sink
  /// throws.
  [[nodiscard]] virtual bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                                     std::stop_token stop) = 0;

  /// The same for a table of which some values are known, such as those that a file holds already:
  /// an engine may enter them instead of computing them again. Throws IoError when a known value
  /// contradicts others. This one computes all.
  [[nodiscard]] virtual bool compute_rest(const Rule& rule, const Extent& extent,
                                          const KnownValues& known, TileSink& sink,
                                          std::stop_token stop);

  /// What summarize() is asked for besides the summary.
  struct Wanted {
    TileSink* tiles = nullptr;  // gets every finished tile, as from compute()
    bool histogram = false;
    CellsDone progress;                  // may be empty
    const KnownValues* known = nullptr;  // as for compute_rest()
  };
  struct Result {
    Summary summary;
    std::vector<std::uint64_t> histogram;  // by value, up to the largest that occurs
  };

  /// Computes the table for what can be said of it as a whole; an engine that can sum up where it
  /// computes hands out no tiles unless they are wanted. Returns and throws as compute() does;
  /// after a stop `result` is that of the tiles so far.
  [[nodiscard]] virtual bool summarize(const Rule& rule, const Extent& extent, const Wanted& wanted,
                                       Result& result, std::stop_token stop);

  /// The positions of one value under a rule.
  struct Level {
    const Rule* rule;
    std::uint32_t value;
  };
  struct LevelPair {
    std::vector<Position> first;  // in order of (x,y)
    std::vector<Position> second;
  };

  /// Computes the tables of two rules and finds where they have their values; `progress` counts the
  /// cells of both. Returns and throws as compute() does.
  [[nodiscard]] virtual bool find_levels(const Level& first, const Level& second,
                                         const Extent& extent, LevelPair& result,
                                         const CellsDone& progress, std::stop_token stop);

 protected:
  /// compute(), or compute_rest() where values are known, with the summary of all tiles besides.
  /// For engines that can sum up while they compute; this one sums up what is handed out.
  [[nodiscard]] virtual bool compute_summed(const Rule& rule, const Extent& extent,
                                            const KnownValues* known, TileSink& sink,
                                            SummarySink& summary, std::stop_token stop);
};

/// The engine of that name: "reference", "bitset", "cpu", "cuda", or "auto" for the fastest that
/// this machine can use. Throws UsageError for an unknown name, DeviceError for cuda without a
/// usable GPU.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options);

/// A schedule by the name that --schedule takes, "waves" or "bands"; throws UsageError for others.
Schedule parse_schedule(std::string_view name);

}  // namespace grundy
