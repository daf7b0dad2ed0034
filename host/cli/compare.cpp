// grundy compare: two table files against each other.
#include "grundy/dataset/compare.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/report/progress.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

struct CompareArguments {
  std::string a;
  std::string b;
  std::optional<std::string> region;
  std::optional<std::string> except;
  std::optional<std::string> relation;
  std::string listed = "10";
  std::optional<std::string> threads;
  ReportFlags report;
};

/// What both tables have, or the part of it that is asked for.
Region part_to_compare(const CompareArguments& options, const Region& a, const Region& b) {
  const Region both = intersection(a, b);
  if (both.empty())
    throw UsageError(fmt::format("{} has the positions {}, {} has {}: none in common", options.a,
                                 region_text(a), options.b, region_text(b)));
  if (!options.region) return both;
  const Region region = parse_region("--region", *options.region);
  if (!both.contains(region))
    throw UsageError(fmt::format("--region {}: both files have only the positions {}",
                                 region_text(region), region_text(both)));
  return region;
}

std::string description(const DatasetInfo& info) {
  return fmt::format("{}, {}{}, {} engine, {}, {}, digest {}", excerpt(info.rule.name()),
                     region_text(info.region), info.half ? " stored as y >= x" : "", info.engine,
                     info.software, info.created, info.digest);
}

nlohmann::ordered_json to_json(const DatasetReader& table) {
  const DatasetInfo& info = table.info();
  return {{"file", table.path()},
          {"rule", info.rule.name()},
          {"region", region_text(info.region)},
          {"storage", info.half ? "half" : "full"},
          {"engine", info.engine},
          {"software", info.software},
          {"created", info.created},
          {"digest", info.digest}};
}

nlohmann::ordered_json to_json(const ComparedCell& cell) {
  return {cell.position.x, cell.position.y, cell.a, cell.b};
}

nlohmann::ordered_json to_json(const FoundCells& found) {
  nlohmann::ordered_json first = nlohmann::ordered_json::array();
  for (const ComparedCell& cell : found.first) first.push_back(to_json(cell));
  return {{"count", found.count}, {"first", first}};
}

void print_cells(const std::string& what, const FoundCells& found) {
  if (found.count == 0) return;
  fmt::print("{}: {}\n", what, found.count);
  for (const ComparedCell& cell : found.first)
    fmt::print("  ({},{}) A={} B={}\n", cell.position.x, cell.position.y, cell.a, cell.b);
  if (found.count > found.first.size() && !found.first.empty()) fmt::print("  ...\n");
}

/// Where the comparison takes place, in words.
std::string place(const CompareOptions& what) {
  std::string text = region_text(what.part);
  if (what.except) text += " outside " + region_text(*what.except);
  return text;
}

void print_text(const Comparison& result, const CompareOptions& what) {
  if (result.different.count == 0) {
    fmt::print("equal at all {} positions of {}\n", result.positions, place(what));
    return;
  }
  fmt::print("DIFFERENT at {} of {} positions of {}, equal at {}\n", result.different.count,
             result.positions, place(what), result.positions - result.different.count);
  const ComparedCell& far = *result.farthest;
  fmt::print("farthest apart at ({},{}): A={} B={}\n", far.position.x, far.position.y, far.a,
             far.b);
  print_cells("different", result.different);
}

void print_text(const RelationCheck& result, const Relation& relation, const CompareOptions& what) {
  const std::uint64_t violations = result.violations(relation);
  fmt::print("{}: {} of {}\n", relation.text(),
             violations == 0
                 ? fmt::format("holds at all {} positions", result.positions)
                 : fmt::format("VIOLATED at {} of {} positions", violations, result.positions),
             place(what));
  const std::string conclusion = relation.conclusion.text();
  const std::string condition = relation.condition.text();
  fmt::print("{} at {} positions, {} at {}, both at {}\n", conclusion, result.conclusion, condition,
             result.condition, result.condition - result.missing.count);
  print_cells(fmt::format("{} without {}", condition, conclusion), result.missing);
  if (relation.both_ways)
    print_cells(fmt::format("{} without {}", conclusion, condition), result.surplus);
}

void add_json(nlohmann::ordered_json& json, const Comparison& result) {
  json["positions"] = result.positions;
  json["equal"] = result.positions - result.different.count;
  json["different"] = to_json(result.different);
  if (result.farthest) json["farthest"] = to_json(*result.farthest);
  json["holds"] = result.different.count == 0;
}

void add_json(nlohmann::ordered_json& json, const RelationCheck& result, const Relation& relation) {
  json["relation"] = relation.text();
  json["positions"] = result.positions;
  json["conclusion"] = result.conclusion;
  json["condition"] = result.condition;
  json["both"] = result.condition - result.missing.count;
  json["condition_only"] = to_json(result.missing);
  json["conclusion_only"] = to_json(result.surplus);
  json["violations"] = result.violations(relation);
  json["holds"] = result.violations(relation) == 0;
}

int compare(const CompareArguments& options) {
  constexpr std::uint64_t kMostListed = 1'000'000;
  std::optional<Relation> relation;
  if (options.relation) relation = Relation::parse(*options.relation);
  CompareOptions what;
  what.listed = parse_count("--list", options.listed, kMostListed);
  if (options.except) what.except = parse_region("--except", *options.except);
  what.read.threads = parse_threads(options.threads);
  for (const std::string* path : {&options.a, &options.b}) probe_table_file(*path);
  const DatasetReader a(options.a);
  const DatasetReader b(options.b);
  const CellSource a_cells = stored_cells(a);
  const CellSource b_cells = stored_cells(b);
  what.part = part_to_compare(options, a_cells.region, b_cells.region);
  const InterruptGuard guard;
  what.read.stop = guard.stop_token();

  const auto start = std::chrono::steady_clock::now();
  std::optional<Comparison> comparison;
  std::optional<RelationCheck> check;
  {
    ProgressMeter meter("compare", what.part.extent.cells(), options.report.show_progress());
    what.progress = [&meter](std::uint64_t cells) { meter.add(cells); };
    if (relation) {
      check = check_relation(a_cells, b_cells, *relation, what);
    } else {
      comparison = compare_cells(a_cells, b_cells, what);
    }
  }
  if (!comparison && !check) guard.throw_if_stopped("interrupted before the end, not compared");
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (options.report.json) {
    nlohmann::ordered_json json{
        {"a", to_json(a)}, {"b", to_json(b)}, {"region", region_text(what.part)}};
    if (what.except) json["except"] = region_text(*what.except);
    if (relation) {
      add_json(json, *check, *relation);
    } else {
      add_json(json, *comparison);
    }
    json["seconds"] = elapsed.count();
    print_json(json);
  }
  if (options.report.show_text()) {
    fmt::print("A {}: {}\nB {}: {}\n", options.a, description(a.info()), options.b,
               description(b.info()));
    if (relation) {
      print_text(*check, *relation, what);
    } else {
      print_text(*comparison, what);
    }
  }
  const bool holds =
      relation ? check->violations(*relation) == 0 : comparison->different.count == 0;
  return holds ? kDone : kCheckFailed;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "compare",
      "Compare two table files of any rules, engines, sizes and kinds of storage, A and B, "
      "position by position, wherever both have values",
      "grundy compare extended.h5 classic.h5 --relation 'A=1 iff B=0' --except 0:8,0:8\n"
      "  grundy compare classic.h5 classic.h5 --region 0:500,0:500 --list 3 --threads 2 --json "
      "--progress\n"
      "  grundy compare extended.h5 extended.h5 --quiet");
  const auto options = std::make_shared<CompareArguments>();
  command->add_option("FILE_A", options->a, "The first table file, A")->required()->type_name("");
  command->add_option("FILE_B", options->b, "The second table file, B")->required()->type_name("");
  command
      ->add_option("--relation", options->relation,
                   "Instead of equality: 'A=V where B=W', at every position with B=W, A=V; or 'A=V "
                   "iff B=W', and nowhere else")
      ->type_name("RELATION");
  command->add_option("--region", options->region, "Compare only these positions")
      ->type_name("X0:X1,Y0:Y1");
  command->add_option("--except", options->except, "Leave these positions out")
      ->type_name("X0:X1,Y0:Y1");
  command
      ->add_option("--list", options->listed, "List the first K positions of each kind, row by row")
      ->type_name("K")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads; default: all cores")->type_name("T");
  options->report.add_to(*command);
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace grundy::cli
