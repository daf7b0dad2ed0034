// The definition of Grundy values as a program: the judge of the other engines on small tables.
#pragma once

#include "grundy/engine/engine.hpp"

namespace grundy {

/// Each value is the mex over all moves, looked up in the full table: N^3 steps, 4 N^2 bytes,
/// one thread. Nothing is shared with the other engines.
class ReferenceEngine final : public Engine {
 public:
  [[nodiscard]] std::string_view name() const override { return "reference"; }
  [[nodiscard]] std::uint64_t bytes_needed(const Rule& rule, const Extent& extent) const override;
  [[nodiscard]] bool compute(const Rule& rule, const Extent& extent, TileSink& sink,
                             std::stop_token stop) override;
};

}  // namespace grundy
