// grundy export: values of a table for other programs.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/cell_source.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/output_file.hpp"
#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/selection.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/game/names.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/report/byte_stream.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/report/table_format.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct ExportOptions {
  std::optional<std::string> path;
  RuleOption rule{"classic"};
  ExtentOptions extent;
  EngineFlags engine;
  std::vector<std::string> table_options;  // those of them, but --threads, that were given
  std::optional<std::string> region;
  std::optional<std::string> row;
  std::optional<std::string> column;
  std::optional<std::string> diagonal;
  bool antidiagonals = false;
  bool triangle = false;
  std::optional<std::string> terms;
  std::optional<std::string> levels;
  std::optional<std::string> format;
  bool list = false;
  bool no_header = false;
  std::string output = OutputFile::kStandardOutput;
  bool force = false;
  ReportFlags report;

  [[nodiscard]] bool to_standard_output() const { return output == OutputFile::kStandardOutput; }
};

enum class Format { kCsv, kNpy, kBFile };

constexpr const char* kSequenceOptions =
    "--row, --column, --diagonal, --antidiagonals or --triangle";

Format format_of(const ExportOptions& options) {
  const auto ends_with = [&](std::string_view ending) {
    return std::string_view(options.output).ends_with(ending);
  };
  if (!options.format)
    return ends_with(".npy") ? Format::kNpy : ends_with(".txt") ? Format::kBFile : Format::kCsv;
  if (*options.format == "csv") return Format::kCsv;
  if (*options.format == "npy") return Format::kNpy;
  if (*options.format == "b-file") return Format::kBFile;
  throw UsageError("--format: " +
                   unknown_name("format", *options.format, {"csv", "npy", "b-file"}));
}

const char* name_of(Format format) {
  return format == Format::kCsv ? "csv" : format == Format::kNpy ? "npy" : "b-file";
}

std::int64_t parse_difference(const std::string& text) {
  const bool negative = text.starts_with('-');
  const auto size = static_cast<std::int64_t>(
      parse_count("--diagonal", std::string_view(text).substr(negative ? 1 : 0), kValueLimit));
  return negative ? -size : size;
}

Selection select(const ExportOptions& options, const Region& within) {
  std::vector<Selection> selections;
  if (options.row)
    selections.push_back(Selection::row(parse_count("--row", *options.row, kValueLimit), within));
  if (options.column)
    selections.push_back(
        Selection::column(parse_count("--column", *options.column, kValueLimit), within));
  if (options.diagonal)
    selections.push_back(Selection::diagonal(parse_difference(*options.diagonal), within));
  if (options.antidiagonals) selections.push_back(Selection::antidiagonals(within));
  if (options.triangle) selections.push_back(Selection::triangle(within));
  if (selections.size() > 1) throw UsageError(fmt::format("give one of {}", kSequenceOptions));
  if (selections.empty() && options.terms)
    throw UsageError(fmt::format("--terms counts those of {}", kSequenceOptions));
  if (selections.empty()) return Selection::region(within);
  if (options.terms) selections.front().limit(parse_count("--terms", *options.terms));
  return selections.front();
}

/// Throws UsageError for a format that cannot show what is selected.
std::unique_ptr<TableFormat> make_format(const ExportOptions& options, Format format,
                                         const Selection& selection, const Rule& rule,
                                         unsigned value_bytes) {
  std::optional<std::pair<std::uint32_t, std::uint32_t>> levels;
  if (options.levels) levels = parse_values("--levels", *options.levels, kValueLimit - 1);
  const bool list = options.list || levels;
  if (list && format != Format::kCsv)
    throw UsageError(fmt::format("{} makes lines x,y,value: --format csv, not {}",
                                 levels ? "--levels" : "--long", name_of(format)));
  switch (format) {
    case Format::kCsv:
      return list || selection.is_sequence() ? csv_list(!options.no_header, levels)
                                             : csv_matrix(selection, !options.no_header);
    case Format::kNpy:
      if (options.no_header)
        throw UsageError("--no-header: an NPY file is none without its header");
      if (options.to_standard_output() && isatty(STDOUT_FILENO) == 1)
        throw UsageError("NPY is not for terminals; name a file with --output, or redirect it");
      return npy(selection, value_bytes);
    case Format::kBFile:
      if (!selection.is_sequence())
        throw UsageError(
            fmt::format("a b-file, which .txt stands for, is a sequence: give {}, or --format csv",
                        kSequenceOptions));
      return b_file(selection, rule.name(), !options.no_header);
  }
  return nullptr;
}

/// The table itself must not be replaced by what is made of it.
void refuse_own_table(const ExportOptions& options) {
  if (options.to_standard_output()) return;
  std::error_code ignored;
  for (const char* ending : {"", ".partial"})
    if (std::filesystem::equivalent(options.output + ending, *options.path, ignored))
      throw UsageError(fmt::format("--output: {} is the table itself", options.output));
}

Region part_of_file(const ExportOptions& options, const Region& stored) {
  if (!options.region) return stored;
  const Region region = parse_region("--region", *options.region);
  if (!stored.contains(region))
    throw UsageError(fmt::format("--region {}: {} has the positions {}", region_text(region),
                                 *options.path, region_text(stored)));
  return region;
}

/// The table to compute, and what is wanted of it.
std::pair<Extent, Region> part_to_compute(const ExportOptions& options) {
  std::optional<Region> region;
  if (options.region) region = parse_region("--region", *options.region);
  if (!region && !options.extent.given())
    throw UsageError(
        "export what? name a table file, or give --rule and --size for a table to "
        "compute");
  const Extent extent =
      options.extent.given() ? options.extent.extent() : Extent{region->x1(), region->y1()};
  check_extent(extent);
  const Region all{0, 0, extent};
  if (region && !all.contains(*region))
    throw UsageError(fmt::format("--region {} reaches beyond the table of {} x {}",
                                 region_text(*region), extent.rows, extent.cols));
  return {extent, region.value_or(all)};
}

class Exporter {
 public:
  Exporter(const ExportOptions& options, Format format)
      : options_(options), format_(format), threads_(parse_threads(options.engine.threads)) {}

  int run() {
    const auto start = std::chrono::steady_clock::now();
    options_.path ? export_file() : export_computed();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    print_result(elapsed.count());
    return kDone;
  }

 private:
  void export_file() {
    probe_table_file(*options_.path);
    const DatasetReader reader(*options_.path);
    const CellSource source = stored_cells(reader);
    refuse_own_table(options_);
    const Selection selection = select(options_, part_of_file(options_, source.region));
    open_output(selection, reader.info().rule, reader.info().value_bytes);
    write(source, selection);
  }

  void export_computed() {
    const auto& [extent, within] = part_to_compute(options_);
    const Rule rule = options_.rule.rule();
    const Selection selection = select(options_, within);
    const Region& box = selection.box();
    open_output(selection, rule, format::value_bytes(extent));
    // Values do not depend on later ones.
    const Extent needed{box.x1(), box.y1()};
    const std::unique_ptr<Engine> engine = options_.engine.engine();
    ComputedCells cells(box);
    {
      ProgressMeter meter(std::string(engine->name()), needed.cells(),
                          show_progress(needed.cells()));
      CountCells count([&meter](std::uint64_t some) { meter.add(some); });
      TileFanout sinks({&cells, &count});
      if (!engine->compute(rule, needed, sinks, stop_token())) throw_interrupted();
    }
    write(cells.source(), selection);
  }

  /// Before the work, so that it does not fail at its end for a name.
  void open_output(const Selection& selection, const Rule& rule, unsigned value_bytes) {
    rule_ = rule.name();
    positions_ = selection.cells();
    formatter_ = make_format(options_, format_, selection, rule, value_bytes);
    // Nothing is to be cleaned up on standard output, and writing there can wait for a long time:
    // Ctrl-C ends it at once.
    if (!options_.to_standard_output()) guard_.emplace();
    output_.emplace(options_.output, replace_or_refuse(options_.force));
  }

  void write(const CellSource& source, const Selection& selection) {
    ByteStream stream([this](std::string_view bytes) { output_->write(bytes); });
    {
      ProgressMeter meter("export", selection.cells(), show_progress(selection.cells()), "values");
      formatter_->begin(stream);
      const auto add = [&](const Piece& piece) {
        formatter_->add(piece, stream);
        meter.add(piece.values.size());
      };
      if (!read_pieces(source, selection, add, {threads_, stop_token()})) throw_interrupted();
    }
    stream.flush();
    output_->publish();
    bytes_ = stream.written();
  }

  void print_result(double seconds) const {
    if (options_.report.json)
      print_json({{"source", options_.path.value_or("computed")},
                  {"rule", rule_},
                  {"format", name_of(format_)},
                  {"positions", positions_},
                  {"output", options_.output},
                  {"bytes", bytes_},
                  {"seconds", seconds}});
    if (options_.report.show_text() && !options_.to_standard_output())
      fmt::print("{} positions of {} as {}: written to {}, {} bytes\n", positions_, rule_,
                 name_of(format_), options_.output, bytes_);
  }

  /// Progress only of what takes time, and not between lines that a terminal shows.
  [[nodiscard]] bool show_progress(std::uint64_t cells) const {
    constexpr std::uint64_t kMany = std::uint64_t{1} << 24U;
    if (options_.report.progress) return true;
    const bool on_screen = options_.to_standard_output() && isatty(STDOUT_FILENO) == 1;
    return cells >= kMany && !on_screen && options_.report.show_progress();
  }

  [[nodiscard]] std::stop_token stop_token() const {
    return guard_ ? guard_->stop_token() : std::stop_token();
  }

  [[noreturn]] void throw_interrupted() const {
    throw Interrupted{guard_->signal(),
                      fmt::format("interrupted; nothing is left of {}", options_.output)};
  }

  const ExportOptions& options_;
  Format format_;
  unsigned threads_;
  std::optional<InterruptGuard> guard_;
  std::optional<OutputFile> output_;
  std::unique_ptr<TableFormat> formatter_;
  std::string rule_;
  std::uint64_t positions_ = 0;
  std::uint64_t bytes_ = 0;
};

int export_table(const ExportOptions& options) {
  require_file_name("--output", options.output);
  if (options.to_standard_output() && options.report.json)
    throw UsageError("--json: standard output has the table; name a file for it with --output");
  if (options.to_standard_output() && options.force)
    throw UsageError("--force is for a file that exists: name it with --output");
  if (options.path && !options.table_options.empty())
    throw UsageError(fmt::format("{} is for a table to compute, but {} is a file",
                                 options.table_options.front(), *options.path));
  return Exporter(options, format_of(options)).run();
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "export", "Write values of a table, from a file or computed, as CSV, NPY or OEIS b-file",
      "grundy export extended.h5 --region 0:8,0:8\n"
      "  grundy export extended.h5 --output extended.npy --force\n"
      "  grundy export extended.h5 --levels 0-1 --long --no-header | head -5\n"
      "  grundy export extended.h5 --row 5 --terms 10\n"
      "  grundy export extended.h5 --column 5 --quiet -o column.csv\n"
      "  grundy export classic.h5 --diagonal 0 --json -o b047708.txt\n"
      "  grundy export --rule classic --size 100 --antidiagonals --format b-file | head -5\n"
      "  grundy export --rows 40 --cols 60 --triangle --engine cpu --threads 2 --progress\n"
      "  grundy export --size 50 --device 0 --schedule bands");
  const auto options = std::make_shared<ExportOptions>();
  command->add_option("FILE", options->path, "Table file; without one, a table to compute")
      ->type_name("");
  options->rule.add_to(*command);
  options->extent.add_to(*command);
  options->engine.add_to(*command);
  command
      ->add_option("--region", options->region,
                   "Only the positions X0 <= x < X1, Y0 <= y < Y1; default: all")
      ->type_name("X0:X1,Y0:Y1");
  command->add_option("--row", options->row, "The sequence G(X,n)")->type_name("X");
  command->add_option("--column", options->column, "The sequence G(n,Y)")->type_name("Y");
  command
      ->add_option("--diagonal", options->diagonal,
                   "The sequence with y - x = D: G(n,n+D), or G(n-D,n) for a negative D; 0 is that "
                   "of OEIS A047708")
      ->type_name("D");
  command->add_flag("--antidiagonals", options->antidiagonals,
                    "The table by anti-diagonals as OEIS A004481: (0,0), (0,1), (1,0), (0,2), ..., "
                    "as far as they are wholly there");
  command->add_flag(
      "--triangle", options->triangle,
      "The triangle y <= x by rows as OEIS A317205, from (0,0), (1,0), (1,1), (2,0) on");
  command->add_option("--terms", options->terms, "Only the first N terms of a sequence")
      ->type_name("N");
  command
      ->add_option("--levels", options->levels,
                   "Only the positions with values from A to B, as lines x,y,value")
      ->type_name("A-B");
  command
      ->add_option("--format", options->format,
                   "The format; default: by the ending of the output, .npy, .txt for b-file, else "
                   "csv")
      ->type_name("csv|npy|b-file");
  command->add_flag("--long", options->list,
                    "CSV with a line x,y,value for each position instead of a matrix");
  command->add_flag("--no-header", options->no_header,
                    "CSV of the values alone, without names of columns and rows; a b-file without "
                    "its comment");
  command->add_option("-o,--output", options->output, "File for them; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_flag("--force", options->force, "Replace an existing file");
  options->report.add_to(*command);
  command->callback([options, command, &action] {
    for (const char* name :
         {"--rule", "--size", "--rows", "--cols", "--engine", "--device", "--schedule"})
      if (command->count(name) > 0) options->table_options.emplace_back(name);
    action = [options] { return export_table(*options); };
  });
}

}  // namespace grundy::cli
