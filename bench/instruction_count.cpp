// Work of a known kind and size in one thread, for bench/instruction_check.py to count its
// instructions. usage: instruction_count compute|summarize RULE SIZE
#include <cstdio>
#include <string>

#include "grundy/engine/cpu_engine.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/game/rule.hpp"

namespace {

class Discard final : public grundy::TileSink {
 public:
  void consume(const grundy::FinishedTile& /*tile*/) override {}
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string("compiler")) {
    std::puts("g++ " __VERSION__);
    return 0;
  }
  if (argc != 4) return 2;
  const std::string mode = argv[1];
  const grundy::Rule rule = grundy::Rule::parse(argv[2]);
  const std::uint64_t size = grundy::parse_count("SIZE", argv[3]);
  grundy::EngineOptions options;
  options.threads = 1;
  grundy::CpuEngine engine(options);
  if (mode == "summarize") {
    grundy::Engine::Result result;
    return engine.summarize(rule, {size, size}, {}, result, {}) ? 0 : 1;
  }
  Discard discard;
  return engine.compute(rule, {size, size}, discard, {}) ? 0 : 1;
}
