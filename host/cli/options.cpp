#include "options.hpp"

#include <algorithm>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/game/parse.hpp"

namespace grundy::cli {

void RuleOption::add_to(CLI::App& command, const std::string& description) {
  command.add_option("--rule", given, description)->type_name(kRuleNames)->default_str(standard);
}

void ExtentOptions::add_to(CLI::App& command) {
  command.add_option("--size", size, "Rows and columns of a square table: 0 <= x, y < N")
      ->type_name("N");
  command.add_option("--rows", rows, "Rows of the table: 0 <= x < ROWS; with --cols")
      ->type_name("ROWS");
  command.add_option("--cols", cols, "Columns of the table: 0 <= y < COLS; with --rows")
      ->type_name("COLS");
}

Extent ExtentOptions::extent() const {
  if (!size && !(rows && cols))
    throw UsageError("how large a table? give --size N, or --rows and --cols");
  if (size && (rows || cols))
    throw UsageError("--size names both sides; give either --size, or --rows and --cols");
  Extent extent;
  if (size) {
    extent.rows = extent.cols = parse_count("--size", *size);
  } else {
    extent = {parse_count("--rows", *rows), parse_count("--cols", *cols)};
  }
  check_extent(extent);
  return extent;
}

void EngineFlags::add_to(CLI::App& command) {
  command
      .add_option("--engine", name,
                  "What computes: auto is a GPU if there is one, else the CPU; bitset is the "
                  "textbook way, to compare with; reference is the definition, for small tables")
      ->type_name("auto|cpu|cuda|bitset|reference")
      ->capture_default_str();
  command.add_option("--threads", threads, "Threads that compute on the CPU; default: all cores")
      ->type_name("T");
  command
      .add_option("--device", device,
                  "The GPU to use, by its number in 'grundy devices'; default: 0")
      ->type_name("K");
  command
      .add_option("--schedule", schedule,
                  "How a GPU orders its work: waves (a launch for each wave of tiles) or bands "
                  "(one launch, bands of rows follow each other)")
      ->type_name("waves|bands");
}

unsigned parse_threads(const std::optional<std::string>& text) {
  constexpr std::uint64_t kMostThreads = 1024;
  if (!text) return 0;
  const std::uint64_t count = parse_count("--threads", *text);
  if (count < 1 || count > kMostThreads)
    throw UsageError(fmt::format("--threads: {} is not between 1 and {}", count, kMostThreads));
  return static_cast<unsigned>(count);
}

std::unique_ptr<Engine> EngineFlags::engine() const {
  constexpr std::uint64_t kMostDevices = 1024;
  EngineOptions options;
  options.threads = parse_threads(threads);
  if (device) {
    const std::uint64_t number = parse_count("--device", *device);
    if (number >= kMostDevices)
      throw UsageError(fmt::format("--device: {} is not below {}", number, kMostDevices));
    options.device = static_cast<int>(number);
  }
  if (schedule) options.schedule = parse_schedule(*schedule);
  return make_engine(name, options);
}

void ReportFlags::add_output_to(CLI::App& command) {
  command.add_flag("--json", json, "Print one JSON object on standard output, and nothing else");
  command.add_flag("--quiet", quiet, "Print errors only");
}

void ReportFlags::add_to(CLI::App& command) {
  add_output_to(command);
  command.add_flag("--progress", progress,
                   "Show progress on standard error even when it is not a terminal");
}

bool ReportFlags::show_progress() const {
  return progress || (!quiet && isatty(STDERR_FILENO) == 1);
}

Region parse_region(const std::string& option, const std::string& text) {
  const auto refuse = [&] {
    throw UsageError(fmt::format(
        "{}: '{}' is no region; X0:X1,Y0:Y1 with X0 < X1 and Y0 < Y1 means the positions with "
        "X0 <= x < X1 and Y0 <= y < Y1",
        option, excerpt(text)));
  };
  std::uint64_t bounds[4] = {};
  std::string_view left = text;
  for (int k = 0; k < 4; ++k) {
    const std::size_t end = k == 3 ? left.size() : left.find(k == 1 ? ',' : ':');
    if (end == std::string_view::npos) refuse();
    bounds[k] = parse_count(option, left.substr(0, end), kValueLimit);
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  const auto [x0, x1, y0, y1] = bounds;
  if (x0 >= x1 || y0 >= y1) refuse();
  return {x0, y0, {x1 - x0, y1 - y0}};
}

std::pair<std::uint32_t, std::uint32_t> parse_values(const std::string& option,
                                                     const std::string& text, std::uint32_t most) {
  const auto parse = [&](std::string_view number) {
    return static_cast<std::uint32_t>(parse_count(option, number, most));
  };
  const std::string_view values = text;
  const std::size_t dash = values.find('-', 1);  // one at the front is a sign, and an error
  const std::uint32_t first = parse(values.substr(0, dash));
  const std::uint32_t last =
      dash == std::string_view::npos ? first : parse(values.substr(dash + 1));
  if (first > last)
    throw UsageError(
        fmt::format("{}: {} is no range; the smaller value comes first", option, excerpt(text)));
  return {first, last};
}

std::string region_text(const Region& region) {
  return fmt::format("{}:{},{}:{}", region.x0, region.x1(), region.y0, region.y1());
}

void require_file_name(const std::string& option, const std::string& path) {
  if (path.empty()) throw UsageError(fmt::format("{}: the name of the file is empty", option));
}

void print_json(const nlohmann::ordered_json& json) {
  using ErrorHandler = nlohmann::ordered_json::error_handler_t;
  fmt::print("{}\n", json.dump(-1, ' ', false, ErrorHandler::replace));
}

void add_file_argument(CLI::App& command, std::string& path, const std::string& description) {
  command.add_option("FILE", path, description)->required()->type_name("");
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::string& example) {
  CLI::App* command = app.add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  return command;
}

}  // namespace grundy::cli
