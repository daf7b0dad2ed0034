// The textbook way to compute Grundy tables faster than by definition: what the others are measured
// against.
#pragma once

#include "grundy/engine/engine.hpp"

namespace grundy {

/// A bit set of used values for each row, column and diagonal; each cell, row by row, takes the
/// first bit that is clear in its three sets, looked for from value 0 on, 64 values at a time. No
/// summaries, no hints, no use of symmetry, one thread: about N^3/64 steps and 0.75 N^2 bytes.
class BitsetEngine final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return "bitset"; }
  [[nodiscard]] std::uint64_t bytes_needed(const Rule& rule, const Extent& extent) const override;
  [[nodiscard]] bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                             std::stop_token stop) override;
};

}  // namespace grundy
