// Measures engines side by side on the same work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grundy/dataset/codec.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/game/rule.hpp"

namespace grundy {

/// How far a measured run goes. Each takes the digest and the counts of the table.
enum class Stage {
  kCompute,   // computing and summing up where the values are: of a GPU, on it
  kTransfer,  // besides, every value reaches the main memory and is read there
  kFile,      // besides, the table is written to a file, made durable and closed
};

/// As given to --figures: "compute", "transfer" or "file".
std::string_view stage_name(Stage stage);

inline constexpr std::uint64_t kAnySize = ~std::uint64_t{0};

/// An engine in one configuration.
struct Contestant {
  std::string name;  // such as "cpu:2"
  std::function<std::unique_ptr<Engine>()> make;
  double growth = 2;              // its time is about proportional to this power of a square's side
  std::uint64_t most = kAnySize;  // larger tables are not for it
};

struct BenchmarkPlan {
  std::vector<Rule> rules;
  std::vector<std::uint64_t> sizes;  // sides of the tables, ascending
  std::vector<Contestant> contestants;
  struct Figure {
    Stage stage = Stage::kCompute;
    std::uint64_t most = kAnySize;  // side of the largest table it is measured for
  };
  std::vector<Figure> figures;  // by stage, each at most once
  unsigned repeats = 5;
  double budget = 5;    // seconds after which a figure is not measured once more
  double longest = 30;  // a run predicted to take longer, in seconds, is left out
  std::string folder;   // for the files of kFile, which are removed
  Codec codec;
  bool show_progress = false;
};

/// The runs of one contestant on one table as far as one stage.
struct Measurement {
  std::string rule;
  std::uint64_t size = 0;
  std::string contestant;
  Stage stage = Stage::kCompute;
  std::vector<double> seconds;  // of each run
  std::uint64_t digest = 0;
  std::uint64_t needed_bytes = 0;           // as the engine says
  std::optional<std::uint64_t> peak_bytes;  // of the whole process, the largest of the runs
  std::uint64_t base_bytes = 0;             // that it had before the run
  std::uint64_t file_bytes = 0;

  [[nodiscard]] std::uint64_t cells() const { return size * size; }
};

/// Something that was not measured, and why.
struct LeftOut {
  std::string rule;
  std::uint64_t size = 0;
  std::string contestant;
  std::string what;  // a stage, or "all"
  std::string reason;
};

struct BenchmarkResult {
  std::vector<Measurement> measurements;
  std::vector<LeftOut> left_out;
  std::vector<std::string> mismatches;  // runs that disagree with others on the same table
};

/// Runs the plan: table by table, on each table in rounds through contestants and stages, so that a
/// drift of the machine's speed hits all alike. The first run of each contestant on a table is a
/// warm-up where the budget allows it, and always when it has not run before. Returns false when a
/// stop was requested before the end. Throws what the engines and the writer throw, but for
/// DeviceError of a contestant on a table, which leaves it out there.
bool run_benchmark(const BenchmarkPlan& plan, BenchmarkResult& result, const std::stop_token& stop);

}  // namespace grundy
