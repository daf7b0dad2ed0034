// grundy info: what a table file says about itself.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "grundy/dataset/reader.hpp"

#include "options.hpp"

namespace grundy::cli {
namespace {

struct InfoOptions {
  std::string path;
  bool json = false;
};

int print_info(const InfoOptions& options) {
  const DatasetReader reader(options.path);
  const DatasetInfo& info = reader.info();
  const std::uint64_t plain_bytes = info.extent.cells() * info.value_bytes;
  const double ratio = info.stored_bytes == 0 ? 0
                                              : static_cast<double>(plain_bytes) /
                                                    static_cast<double>(info.stored_bytes);
  if (options.json) {
    nlohmann::ordered_json json{{"file", options.path},
                                {"format_version", info.format_version},
                                {"rule", info.rule.name()},
                                {"play", info.play},
                                {"rows", info.extent.rows},
                                {"cols", info.extent.cols},
                                {"complete", info.complete},
                                {"value_bytes", info.value_bytes},
                                {"chunk", {info.chunk.rows, info.chunk.cols}},
                                {"compression", info.compression},
                                {"stored_bytes", info.stored_bytes},
                                {"file_bytes", info.file_bytes},
                                {"ratio", ratio},
                                {"software", info.software},
                                {"engine", info.engine},
                                {"created", info.created}};
    if (info.complete) {
      json["max_value"] = info.max_value;
      json["zeros"] = info.zeros;
      json["ones"] = info.ones;
      json["digest"] = info.digest;
    }
    print_json(json);
    return kDone;
  }
  const auto line = [](const char* key, const std::string& value) {
    fmt::print("{:<12} {}\n", key, value);
  };
  line("rule", fmt::format("{}, {} play", info.rule.name(), info.play));
  line("positions", fmt::format("{} x {}", info.extent.rows, info.extent.cols));
  line("complete", info.complete ? "yes" : "no");
  if (info.complete) {
    line("values",
         fmt::format("largest {}, {} zeros, {} ones", info.max_value, info.zeros, info.ones));
    line("digest", info.digest);
  }
  line("stored", fmt::format("{} bytes a value, chunks of {} x {}, compression {}",
                             info.value_bytes, info.chunk.rows, info.chunk.cols, info.compression));
  line("size", fmt::format("{} bytes for {} of values: {:.2f} to 1", info.stored_bytes, plain_bytes,
                           ratio));
  line("written by", fmt::format("{}, {} engine, {}", info.software, info.engine, info.created));
  line("format", fmt::format("version {}", info.format_version));
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "info", "Show what a table file says about itself",
                                  "grundy info extended.h5");
  const auto options = std::make_shared<InfoOptions>();
  add_file_argument(*command, options->path, "Table file");
  command->add_flag("--json", options->json,
                    "Print one JSON object on standard output, and nothing else");
  command->callback([options, &action] { action = [options] { return print_info(*options); }; });
}

}  // namespace grundy::cli
