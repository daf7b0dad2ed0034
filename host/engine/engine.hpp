// One interface for everything that computes Grundy tables.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

#include "grundy/engine/sink.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

struct EngineOptions {
  unsigned threads = 0;         // worker threads; 0: one for each core this process may use
  std::uint64_t tile_side = 0;  // side of a tile in cells; 0: the engine's choice
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// As given to --engine and recorded in files.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Bytes of memory that computing a table of this extent takes, sinks not counted.
  [[nodiscard]] virtual std::uint64_t bytes_needed(const Rule& rule,
                                                   const Extent& extent) const = 0;

  /// Computes the table and hands every cell to the sink, in finished tiles. Returns true when the
  /// table is complete, false when `stop` was requested before; tiles already handed out are valid.
  /// Throws UsageError for an extent that check_extent refuses, DeviceError when the table does not
  /// fit the memory (nothing has been allocated then), and whatever the sink throws.
  [[nodiscard]] virtual bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                                     std::stop_token stop) = 0;
};

/// The engine of that name: "reference", "cpu", or "auto" for the fastest that this machine can
/// use. Throws UsageError for an unknown name.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options);

}  // namespace grundy
