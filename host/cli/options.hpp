// Options that several subcommands share, and what they mean.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "grundy/engine/engine.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

#include "exit_status.hpp"

namespace grundy::cli {

/// What a subcommand does once its options are read; returns the exit status.
using Action = std::function<int()>;

/// What --rule takes, as the help shows it.
inline constexpr const char* kRuleNames = "classic|extended|triangle:K|cells:x,y;x,y;...";

/// What --compression takes.
inline constexpr const char* kCompressionNames = "none|deflate:L|zstd:L";

/// --rule.
struct RuleOption {
  explicit RuleOption(std::string rule) : standard(std::move(rule)) {}

  void add_to(CLI::App& command, const std::string& description = "Terminal positions of the game");
  [[nodiscard]] Rule rule() const { return Rule::parse(given.value_or(standard)); }

  std::string standard;  // when none is given
  std::optional<std::string> given;
};

/// --size, or --rows and --cols.
struct ExtentOptions {
  void add_to(CLI::App& command);
  [[nodiscard]] bool given() const { return size || rows || cols; }
  /// Throws UsageError when the options contradict each other or name no table.
  [[nodiscard]] Extent extent() const;

  // As typed: parsing them strictly gives better errors than the library's conversion.
  std::optional<std::string> size;
  std::optional<std::string> rows;
  std::optional<std::string> cols;
};

/// The number that --threads was given, or 0, all cores. Throws UsageError.
unsigned parse_threads(const std::optional<std::string>& text);

/// --engine, --threads, --device and --schedule.
struct EngineFlags {
  void add_to(CLI::App& command);
  [[nodiscard]] std::unique_ptr<Engine> engine() const;

  std::string name = "auto";
  std::optional<std::string> threads;
  std::optional<std::string> device;
  std::optional<std::string> schedule;
};

/// --json, --quiet and --progress.
struct ReportFlags {
  void add_to(CLI::App& command);
  /// Only --json and --quiet, for commands without progress.
  void add_output_to(CLI::App& command);
  [[nodiscard]] bool show_progress() const;
  [[nodiscard]] bool show_text() const { return !json && !quiet; }

  bool json = false;
  bool quiet = false;
  bool progress = false;
};

/// Positions X0 <= x < X1, Y0 <= y < Y1 of an option, from "X0:X1,Y0:Y1"; at least one. Throws
/// UsageError.
Region parse_region(const std::string& option, const std::string& text);

/// The values from A to B, at most `most`, of an option, from "A-B", or "A" for one. Throws
/// UsageError.
std::pair<std::uint32_t, std::uint32_t> parse_values(const std::string& option,
                                                     const std::string& text, std::uint32_t most);

/// The text that parse_region reads.
std::string region_text(const Region& region);

/// Throws UsageError for an empty name of a file.
void require_file_name(const std::string& option, const std::string& path);

/// Prints a result as one line; text in it that is not UTF-8, such as a file name, is marked.
void print_json(const nlohmann::ordered_json& json);

/// One positional file.
void add_file_argument(CLI::App& command, std::string& path, const std::string& description);

/// A subcommand: creates it with its help text; `example` is a command line that works.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::string& example);

void add_bench(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_compute(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_equivalence(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_levels(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_query(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);

}  // namespace grundy::cli
