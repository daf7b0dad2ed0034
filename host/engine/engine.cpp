#include "grundy/engine/engine.hpp"

#include <fmt/format.h>

#include "grundy/engine/cpu_engine.hpp"
#include "grundy/engine/reference_engine.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options) {
  if (name == "cpu" || name == "auto") return std::make_unique<CpuEngine>(options);
  if (name == "reference") return std::make_unique<ReferenceEngine>();
  throw UsageError(
      fmt::format("unknown engine '{}'; known are auto, cpu and reference", excerpt(name)));
}

}  // namespace grundy
