// Computes a small table with the library and checks its digest.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "grundy/engine/engine.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/version.hpp"

int main() {
  grundy::SummarySink sink;
  const std::unique_ptr<grundy::Engine> engine = grundy::make_engine("auto", {});
  const bool complete = engine->compute(grundy::Rule::extended(), {100, 100}, sink, {});
  const std::uint64_t digest = sink.result().digest;
  std::printf("grundy %s: digest %016" PRIx64 "\n", grundy::kVersion, digest);
  return complete && digest == 0x124121d9e9bafcf6U ? 0 : 1;
}
