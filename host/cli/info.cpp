// grundy info: what a table file says about itself.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"

#include "options.hpp"

namespace grundy::cli {
namespace {

struct InfoOptions {
  std::string path;
  bool json = false;
};

/// How much of the table is in the file.
struct Stored {
  std::uint64_t chunks;         // that there are
  std::uint64_t wanted_chunks;  // that a complete file has at least
  std::uint64_t plain_bytes;    // of the chunks that there are, before compression

  [[nodiscard]] double share() const {
    return wanted_chunks == 0
               ? 0
               : std::min(1.0, static_cast<double>(chunks) / static_cast<double>(wanted_chunks));
  }
  [[nodiscard]] double ratio(const DatasetInfo& info) const {
    return info.stored_bytes == 0
               ? 0
               : static_cast<double>(plain_bytes) / static_cast<double>(info.stored_bytes);
  }
};

Stored how_stored(const DatasetReader& reader) {
  const DatasetInfo& info = reader.info();
  const std::uint64_t chunks = reader.stored_chunks();
  const std::uint64_t cells = std::min(chunks * info.chunk.cells(), info.region.extent.cells());
  return {chunks, info.grid().stored_chunks(), cells * info.value_bytes};
}

nlohmann::ordered_json to_json(const std::string& path, const DatasetInfo& info,
                               const Stored& stored) {
  nlohmann::ordered_json json{{"file", path},
                              {"format_version", info.format_version},
                              {"rule", info.rule.name()},
                              {"play", info.play},
                              {"rows", info.extent.rows},
                              {"cols", info.extent.cols},
                              {"first", {info.region.x0, info.region.y0}},
                              {"stored_rows", info.region.extent.rows},
                              {"stored_cols", info.region.extent.cols},
                              {"storage", info.half ? "half" : "full"},
                              {"complete", info.complete},
                              {"value_bytes", info.value_bytes},
                              {"chunk", {info.chunk.rows, info.chunk.cols}},
                              {"chunks", stored.wanted_chunks},
                              {"stored_chunks", stored.chunks},
                              {"compression", info.compression},
                              {"stored_bytes", info.stored_bytes},
                              {"file_bytes", info.file_bytes},
                              {"ratio", stored.ratio(info)},
                              {"software", info.software},
                              {"engine", info.engine},
                              {"created", info.created}};
  if (info.complete) {
    json["max_value"] = info.max_value;
    json["zeros"] = info.zeros;
    json["ones"] = info.ones;
    json["digest"] = info.digest;
  }
  return json;
}

std::string geometry(const DatasetInfo& info) {
  const std::string table = fmt::format("{} x {}", info.extent.rows, info.extent.cols);
  const Region& region = info.region;
  if (region.extent != info.extent)
    return fmt::format("{} <= x < {}, {} <= y < {}: a window of {} x {} into a table of {}",
                       region.x0, region.x1(), region.y0, region.y1(), region.extent.rows,
                       region.extent.cols, table);
  return info.half ? table + ", of which y >= x is stored" : table;
}

void print_text(const DatasetInfo& info, const Stored& stored) {
  const auto line = [](const char* key, const std::string& value) {
    fmt::print("{:<12} {}\n", key, value);
  };
  line("rule", fmt::format("{}, {} play", info.rule.name(), info.play));
  line("positions", geometry(info));
  line("complete", info.complete ? "yes"
                                 : fmt::format("no: {:.1f} % of the chunks are in the file",
                                               100 * stored.share()));
  if (info.complete) {
    line("values",
         fmt::format("largest {}, {} zeros, {} ones", info.max_value, info.zeros, info.ones));
    line("digest", info.digest);
  }
  line("stored",
       fmt::format("{} bytes a value, compression {}", info.value_bytes, info.compression));
  line("chunks", fmt::format("{} of {}, each {} x {}", stored.chunks, stored.wanted_chunks,
                             info.chunk.rows, info.chunk.cols));
  line("size", fmt::format("{} bytes for {} of values: {:.2f} to 1", info.stored_bytes,
                           stored.plain_bytes, stored.ratio(info)));
  line("written by", fmt::format("{}, {} engine, {}", info.software, info.engine, info.created));
  line("format", fmt::format("version {}", info.format_version));
}

int print_info(const InfoOptions& options) {
  probe_table_file(options.path);
  const DatasetReader reader(options.path);
  const Stored stored = how_stored(reader);
  if (options.json) {
    print_json(to_json(options.path, reader.info(), stored));
  } else {
    print_text(reader.info(), stored);
  }
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "info", "Show what a table file says about itself",
                                  "grundy info extended.h5\n  grundy info extended.h5 --json");
  const auto options = std::make_shared<InfoOptions>();
  add_file_argument(*command, options->path, "Table file to look into");
  command->add_flag("--json", options->json,
                    "Print one JSON object on standard output, and nothing else");
  command->callback([options, &action] { action = [options] { return print_info(*options); }; });
}

}  // namespace grundy::cli
