// grundy query: who wins from a position, and how.
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "grundy/dataset/probe.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"
#include "grundy/query/answer.hpp"
#include "grundy/theory/beatty.hpp"
#include "grundy/theory/closed_form_set.hpp"
#include "grundy/theory/hofstadter.hpp"

#include "options.hpp"

namespace grundy::cli {
namespace {

struct QueryOptions {
  std::string x;
  std::string y;
  RuleOption rule{"classic"};
  bool misere = false;
  std::optional<std::string> heap;
  std::optional<std::string> table;
  ReportFlags report;
};

std::string text_of(Position p) { return fmt::format("({},{})", p.x, p.y); }

/// The formula that puts a position of a closed-form set where it is.
std::string formula(const ClosedFormSet& set, Position p) {
  const std::optional<std::uint64_t> n = set.index(p);
  if (!n) return "one of the small positions off the closed form";
  if (&set == &ClosedFormSet::extended_p())
    return fmt::format("the pair floor(n*phi)-1+g(n), floor(n*phi^2)+g(n) with n = {}, g(n) = {}",
                       *n, extended_shift(*n));
  return fmt::format("the pair floor(n*phi), floor(n*phi^2) with n = {}", *n);
}

std::string source_text(Answer::Source source) {
  switch (source) {
    case Answer::Source::kTerminal:
      return "the position is terminal: the game has no move from it";
    case Answer::Source::kClosedForm:
      return "by closed form";
    case Answer::Source::kComputedTable:
      return "by a table computed up to the position";
    case Answer::Source::kTableFile:
      return "by the values in the file";
    case Answer::Source::kLevels:
      return "by level sets computed up to the position";
  }
  return "";
}

/// Why the position has its outcome, in one sentence.
std::string reason(const Question& question, const Answer& answer) {
  const bool is_p = answer.outcome == Outcome::kP;
  const ClosedFormSet* set = closed_form(question.rule, question.play, question.heap);
  if (answer.source == Answer::Source::kTerminal && question.heap == 0) {
    return question.play == Play::kNormal
               ? "it is terminal: whoever moved here has won"
               : "it is terminal: whoever moved here has lost, and no move is left";
  }
  if (is_p && answer.source == Answer::Source::kClosedForm)
    return fmt::format("it is {}; no move leads to another P-position",
                       formula(*set, question.position));
  if (is_p) return "no move leads to a P-position";
  return answer.winning_moves.size() == 1
             ? "1 move leads to a P-position"
             : fmt::format("{} moves lead to P-positions", answer.winning_moves.size());
}

Answer find_answer(const QueryOptions& options, Question& question) {
  if (!options.table) return answer(question);
  probe_table_file(*options.table);
  const DatasetReader reader(*options.table);
  if (options.rule.given && reader.info().rule != question.rule)
    throw UsageError(fmt::format("{} is a table of {}, not of {}", *options.table,
                                 reader.info().rule.name(), excerpt(question.rule.name())));
  question.rule = reader.info().rule;
  if (question.play == Play::kMisere)
    throw UsageError("a table of Grundy values does not decide misere play; leave out --table");
  if (question.rule.is_terminal(question.position)) return answer(question);
  return answer_from_values(question, read_line_values(reader, question.position),
                            Answer::Source::kTableFile);
}

void print_as_json(const Question& question, const Answer& answer) {
  nlohmann::ordered_json moves = nlohmann::ordered_json::array();
  for (const auto& [p, heap] : answer.winning_moves) {
    if (question.heap == 0) {
      moves.push_back({p.x, p.y});
    } else {
      moves.push_back({p.x, p.y, heap});
    }
  }
  nlohmann::ordered_json json{{"rule", question.rule.name()},
                              {"play", question.play == Play::kMisere ? "misere" : "normal"},
                              {"position", {question.position.x, question.position.y}}};
  if (question.heap != 0) json["heap"] = question.heap;
  json["outcome"] = answer.outcome == Outcome::kP ? "P" : "N";
  json["winning_moves"] = std::move(moves);
  if (answer.value) {
    json["grundy"] = *answer.value;
    json["grundy_source"] = source_text(*answer.value_source);
  }
  json["source"] = source_text(answer.source);
  json["why"] = reason(question, answer);
  print_json(json);
}

void print_as_text(const Question& question, const Answer& answer) {
  const bool is_p = answer.outcome == Outcome::kP;
  std::string where = text_of(question.position);
  if (question.heap != 0) where += fmt::format(" with a Nim heap of {}", question.heap);
  fmt::print("{}, {}, {} play\n", where, question.rule.name(),
             question.play == Play::kMisere ? "misere" : "normal");
  fmt::print("{}: the player {} wins; {}\n", is_p ? "P" : "N",
             is_p ? "who has just moved" : "to move", reason(question, answer));
  if (answer.value && answer.value_source == answer.source) {
    fmt::print("Grundy value {}\n", *answer.value);
  } else if (answer.value) {
    fmt::print("Grundy value {}, {}\n", *answer.value, source_text(*answer.value_source));
  }
  const ClosedFormSet* set = answer.source == Answer::Source::kClosedForm
                                 ? closed_form(question.rule, question.play, question.heap)
                                 : nullptr;
  for (const auto& [p, heap] : answer.winning_moves) {
    if (heap != question.heap) {
      fmt::print("winning move: the heap to {}\n", heap);
    } else if (set != nullptr) {
      fmt::print("winning move: to {}, {}\n", text_of(p), formula(*set, p));
    } else {
      fmt::print("winning move: to {}\n", text_of(p));
    }
  }
  fmt::print("{}\n", source_text(answer.source));
}

int query(const QueryOptions& options) {
  Question question;
  question.rule = options.rule.rule();
  question.position = {parse_count("X", options.x, kClosedFormLimit - 1),
                       parse_count("Y", options.y, kClosedFormLimit - 1)};
  question.play = options.misere ? Play::kMisere : Play::kNormal;
  if (options.heap) question.heap = parse_count("--heap", *options.heap, ~std::uint64_t{0});
  Answer answer = find_answer(options, question);
  // The closed forms know who wins; a small table knows the value too.
  add_value_by_table(question, answer);
  if (options.report.json) print_as_json(question, answer);
  if (options.report.show_text()) print_as_text(question, answer);
  return kDone;
}

}  // namespace

void add_query(CLI::App& app, Action& action) {
  CLI::App* command =
      add_command(app, "query", "Say who wins from a position, why, and with which moves",
                  "grundy query 4 6\n"
                  "  grundy query 1000000000000 1618033988749 --rule extended --misere\n"
                  "  grundy query 5 5 --heap 3 --json\n"
                  "  grundy query 4 4 --table extended.h5 --rule extended\n"
                  "  grundy query 4 4 --quiet");
  const auto options = std::make_shared<QueryOptions>();
  command->add_option("X", options->x, "First coordinate of the position, below 2^62")
      ->required()
      ->type_name("");
  command->add_option("Y", options->y, "Second coordinate of the position, below 2^62")
      ->required()
      ->type_name("");
  options->rule.add_to(*command);
  command->add_flag("--misere", options->misere,
                    "Play misere: whoever moves into a terminal position loses");
  command->add_option("--heap", options->heap, "Add a Nim heap of Z stones to the game")
      ->type_name("Z");
  command->add_option("--table", options->table, "Take the values from a table file")
      ->type_name("FILE.h5");
  options->report.add_output_to(*command);
  command->callback([options, &action] { action = [options] { return query(*options); }; });
}

}  // namespace grundy::cli
