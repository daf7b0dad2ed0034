// grundy plot: pictures of tables and of sets of positions.
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/dataset/output_file.hpp"
#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/report/pictures.hpp"
#include "grundy/report/progress.hpp"
#include "grundy/theory/beatty.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct PlotOptions {
  // What is shown: one of these.
  std::optional<std::string> path;
  bool positions = false;
  std::optional<std::string> levels;
  bool exceptions = false;
  bool log = false;  // of the exceptions
  // Of a table.
  std::optional<std::string> region;
  std::optional<std::string> show;
  std::optional<std::string> threads;
  bool mark_zeros = false;
  // Of the others.
  std::vector<std::string> rules;
  std::optional<std::string> limit;
  // Of all.
  std::string output;
  std::optional<std::string> pixels;
  std::optional<std::string> title;
  bool force = false;
  ReportFlags report;
};

/// A picture, and what is said of it.
struct Picture {
  Figure figure;
  nlohmann::ordered_json json;
  std::string text;
};

void check_combination(const PlotOptions& options) {
  const int kinds = int{options.path.has_value()} + int{options.positions} +
                    int{options.levels.has_value()} + int{options.exceptions};
  if (kinds != 1)
    throw UsageError(
        "what is to be shown? give one of a table FILE, --positions, --levels K and --exceptions");
  const std::pair<const char*, bool> of_tables[] = {{"--region", options.region.has_value()},
                                                    {"--show", options.show.has_value()},
                                                    {"--threads", options.threads.has_value()},
                                                    {"--mark-zeros", options.mark_zeros}};
  const std::pair<const char*, bool> of_sets[] = {{"--rule", !options.rules.empty()},
                                                  {"--limit", options.limit.has_value()}};
  for (const auto& [name, given] : of_tables)
    if (given && !options.path)
      throw UsageError(fmt::format("{} is for the picture of a table FILE", name));
  if (options.log && !options.exceptions)
    throw UsageError("--log is for the picture of --exceptions");
  for (const auto& [name, given] : of_sets)
    if (given && options.path)
      throw UsageError(
          fmt::format("{} is for --positions, --levels and --exceptions; a table "
                      "FILE has its rule and size",
                      name));
}

PictureOptions picture_options(const PlotOptions& options) {
  PictureOptions parsed;
  constexpr std::size_t kLongestTitle = 300;
  if (options.title && options.title->size() > kLongestTitle)
    throw UsageError(fmt::format("--title: {} bytes are too long; at most {}",
                                 options.title->size(), kLongestTitle));
  parsed.title = options.title;
  if (!options.pixels) return parsed;
  const std::uint64_t pixels = parse_count("--pixels", *options.pixels);
  if (pixels < PictureOptions::kLeastPixels || pixels > PictureOptions::kMostPixels)
    throw UsageError(fmt::format("--pixels: {} is not between {} and {}", pixels,
                                 PictureOptions::kLeastPixels, PictureOptions::kMostPixels));
  parsed.pixels = static_cast<unsigned>(pixels);
  return parsed;
}

CellNumber parse_show(const std::optional<std::string>& text) {
  if (!text || *text == "value") return CellNumber::kValue;
  if (*text == "excess") return CellNumber::kExcess;
  throw UsageError(
      fmt::format("--show: unknown number '{}'; known are value, G(x,y), and excess, "
                  "G(x,y) - max(x,y)",
                  excerpt(*text)));
}

/// The rules of --rule, or the standard ones.
std::vector<Rule> parse_rules(const PlotOptions& options, std::vector<Rule> standard) {
  if (options.rules.empty()) return standard;
  std::vector<Rule> rules;
  for (const std::string& text : options.rules) rules.push_back(Rule::parse(text));
  return rules;
}

Rule parse_rule(const PlotOptions& options, const Rule& standard) {
  const std::vector<Rule> rules = parse_rules(options, {standard});
  if (rules.size() > 1) throw UsageError("--rule: several rules are for --positions");
  return rules.front();
}

std::uint64_t parse_limit(const PlotOptions& options) {
  constexpr std::uint64_t kStandard = 50;
  if (!options.limit) return kStandard;
  const std::uint64_t limit = parse_count("--limit", *options.limit, kClosedFormLimit - 1);
  if (limit == 0) throw UsageError("--limit: a limit of 0 has no positions");
  return limit;
}

Picture plot_table(const PlotOptions& options, const PictureOptions& how,
                   const InterruptGuard& guard) {
  TablePicture what;
  what.number = parse_show(options.show);
  what.mark_zeros = options.mark_zeros;
  ReadTilesOptions reading;
  reading.threads = parse_threads(options.threads);
  if (options.region) reading.region = parse_region("--region", *options.region);
  probe_table_file(*options.path);
  const DatasetReader reader(*options.path);
  reader.require_complete();
  what.rule = reader.info().rule;
  const Region& stored = reader.info().region;
  const Region region = reading.region.value_or(stored);
  if (!stored.contains(region))
    throw UsageError(fmt::format("--region: {} reaches beyond what {} has, {}", region_text(region),
                                 reader.path(), region_text(stored)));

  const PictureGrid grid = picture_grid(region, how.pixels);
  BlockMeans means(grid.blocks, what.number);
  {
    ProgressMeter meter("plot", region.extent.cells(), options.report.show_progress());
    reading.progress = [&meter](std::uint64_t cells) { meter.add(cells); };
    if (!read_tiles(reader, means, guard.stop_token(), reading))
      guard.throw_if_stopped(reader.path() + ": interrupted, nothing is drawn");
  }
  if (const auto p = means.impossible())
    throw IoError(
        fmt::format("{}: the value at ({},{}) exceeds x + y, which no value does; "
                    "'grundy verify' tells more",
                    reader.path(), p->x, p->y));
  const Extent& block = grid.blocks.block;
  const MeanRange range = range_of(means);
  return {draw_table(means, range, grid, what, how),
          {{"file", *options.path},
           {"rule", what.rule.name()},
           {"region", region_text(region)},
           {"show", options.show.value_or("value")},
           {"block", {block.rows, block.cols}},
           {"image", {grid.width(), grid.height()}},
           {"low", range.low},
           {"high", range.high},
           {"digest", reader.info().digest}},
          fmt::format("{}, positions {}: {} x {} pixels for blocks of {} x {} cells, means {:.6g} "
                      "to {:.6g}",
                      what.rule.name(), region_text(region), grid.width(), grid.height(),
                      block.rows, block.cols, range.low, range.high)};
}

Picture plot_positions(const PlotOptions& options, const PictureOptions& how) {
  const std::vector<Rule> rules = parse_rules(options, {Rule::classic(), Rule::extended()});
  const std::uint64_t limit = parse_limit(options);
  Picture picture{draw_p_positions(rules, limit, how), {{"limit", limit}}, {}};
  for (const Rule& rule : rules) {
    picture.json["rules"].push_back(rule.name());
    picture.text += (picture.text.empty() ? "" : ", ") + rule.name();
  }
  picture.text = fmt::format("P-positions with x, y < {} of {}", limit, picture.text);
  return picture;
}

Picture plot_levels(const PlotOptions& options, const PictureOptions& how) {
  const Rule rule = parse_rule(options, Rule::classic());
  const std::uint64_t limit = parse_limit(options);
  const std::uint64_t levels = parse_count("--levels", *options.levels);
  return {draw_levels(rule, levels, limit, how),
          {{"rule", rule.name()}, {"limit", limit}, {"levels", levels}},
          fmt::format("positions with x, y < {} of the first {} values of {}", limit, levels,
                      rule.name())};
}

Picture plot_exceptions(const PlotOptions& options, const PictureOptions& how,
                        const InterruptGuard& guard) {
  const Rule rule = parse_rule(options, Rule::extended());
  const std::uint64_t limit = parse_limit(options);
  LevelEquivalence result;
  {
    ProgressMeter meter("levels", limit, options.report.show_progress(), "rows");
    result = compare_levels(
        rule, limit, [&meter](std::uint64_t rows) { meter.add(rows); }, guard.stop_token());
  }
  guard.throw_if_stopped("interrupted before the limit, nothing is drawn");
  if (result.classic_mistake || result.zeros_mistake)
    throw std::logic_error(
        "positions by definition differ from the closed form; 'grundy equivalence' with the same "
        "--rule and --limit tells where");
  const Equivalence& ones = result.ones;
  return {draw_exceptions(rule, limit, ones, how, options.log ? Scale::kLog : Scale::kLinear),
          {{"rule", rule.name()},
           {"limit", limit},
           {"exception_count", ones.exception_count},
           {"threshold", ones.threshold},
           {"holds", ones.holds}},
          fmt::format("G = 1 of {} or classic P, not both, with x, y < {}: {} positions",
                      rule.name(), limit, ones.exception_count)};
}

Picture make_picture(const PlotOptions& options, const PictureOptions& how,
                     const InterruptGuard& guard) {
  if (options.path) return plot_table(options, how, guard);
  if (options.positions) return plot_positions(options, how);
  if (options.levels) return plot_levels(options, how);
  return plot_exceptions(options, how, guard);
}

int plot(const PlotOptions& options) {
  check_combination(options);
  require_file_name("--output", options.output);
  const PictureFormat format = picture_format("--output", options.output);
  const PictureOptions how = picture_options(options);
  const InterruptGuard guard;
  OutputFile file(options.output, replace_or_refuse(options.force));
  Picture picture = make_picture(options, how, guard);
  const std::vector<std::uint8_t> bytes = draw_picture(picture.figure, format);
  file.write(std::as_bytes(std::span(bytes)));
  file.publish();
  if (options.report.json) {
    picture.json["output"] = options.output;
    picture.json["file_bytes"] = bytes.size();
    print_json(picture.json);
  }
  if (options.report.show_text())
    fmt::print("{}\npicture in {}, {} bytes\n", picture.text, options.output, bytes.size());
  return kDone;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "plot",
      "Draw a table, or the positions of sets, as PNG, PDF or SVG; x grows downwards, y to the "
      "right",
      "grundy plot extended.h5 --show excess --mark-zeros --output table.png --force\n"
      "  grundy plot extended.h5 --region 0:40,0:60 --pixels 480 --threads 2 --json -o corner.png\n"
      "  grundy plot extended.h5 --title 'x + y <= 2' --progress --quiet -o titled.svg\n"
      "  grundy plot --positions --limit 60 --output positions.pdf\n"
      "  grundy plot --levels 5 --rule extended --limit 60 --output levels.png\n"
      "  grundy plot --exceptions --limit 24 --output exceptions.svg\n"
      "  grundy plot --exceptions --rule triangle:4 --limit 1000000 --log --output far.png");
  const auto options = std::make_shared<PlotOptions>();
  command->add_option("FILE", options->path, "Table file to draw: its numbers as colours")
      ->type_name("");
  command->add_flag("--positions", options->positions,
                    "Draw the P-positions of rules and the lines of the golden ratio");
  command->add_option("--levels", options->levels, "Draw the positions of values 0 to K-1, K <= 8")
      ->type_name("K");
  command->add_flag("--exceptions", options->exceptions,
                    "Draw the positions with G = 1 that are no P-positions of classic, and the "
                    "other way round");
  command->add_flag("--log", options->log,
                    "Logarithmic axes for the exceptions, which leave out x = 0 and y = 0");
  command
      ->add_option("--output,-o", options->output, "File for the picture; its name says the format")
      ->type_name("FILE.png|FILE.pdf|FILE.svg")
      ->required();
  command->add_flag("--force", options->force, "Replace an existing file");
  command
      ->add_option("--region", options->region,
                   "The part of the table with X0 <= x < X1, Y0 <= y < Y1; default: all of it")
      ->type_name("X0:X1,Y0:Y1");
  command
      ->add_option("--show", options->show,
                   "The number of a cell: value, G(x,y), or excess, G(x,y) - max(x,y)")
      ->type_name("value|excess")
      ->default_str("value");
  command->add_flag("--mark-zeros", options->mark_zeros,
                    "Mark each pixel that has a cell with G(x,y) = 0");
  command
      ->add_option("--rule", options->rules,
                   "Terminal set, as for compute; several times for several P-positions; default: "
                   "classic and extended for --positions, classic for --levels, extended for "
                   "--exceptions")
      ->type_name("RULE")
      ->expected(1)
      ->take_all();
  command->add_option("--limit", options->limit, "All positions with x, y < N")
      ->type_name("N")
      ->default_str("50");
  command
      ->add_option("--pixels", options->pixels,
                   "Longer side of the picture between its axes, 100 to 4096; a larger region is "
                   "shown in blocks of cells, by their means")
      ->type_name("P")
      ->default_str("1080");
  command->add_option("--title", options->title, "Title instead of the standard one; '' for none")
      ->type_name("TEXT");
  command
      ->add_option("--threads", options->threads, "Threads that read a table; default: all cores")
      ->type_name("T");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace grundy::cli
