#include "command_facts.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string_view>

namespace grundy::cli {
namespace {

bool has_upper(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isupper(c) != 0; });
}

/// "FILE.h5": a name in capitals, a point, an ending.
bool is_file_with_ending(std::string_view part) {
  const std::size_t point = part.find('.');
  return point != std::string_view::npos && point > 0 && point + 1 < part.size() &&
         std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(point),
                     [](unsigned char c) { return std::isupper(c) != 0 || c == '_'; });
}

/// Without what the user is to put in its place: "triangle:" of "triangle:K".
std::string typed_part(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos) return std::string(value);
  const std::string_view rest = value.substr(colon + 1);
  const bool literal = !has_upper(rest) && rest.find("...") == std::string_view::npos;
  return std::string(literal ? value : value.substr(0, colon + 1));
}

void add_part(ValueKind& kind, std::string_view part, bool one_of_several) {
  if (part.empty()) return;
  if (is_file_with_ending(part)) {
    const std::string ending(part.substr(part.find('.') + 1));
    if (std::find(kind.extensions.begin(), kind.extensions.end(), ending) == kind.extensions.end())
      kind.extensions.push_back(ending);
  } else if (part.starts_with("FILE")) {
    kind.any_file = true;
  } else if (part == "DIR") {
    kind.folder = true;
  } else if (one_of_several && std::islower(static_cast<unsigned char>(part.front())) != 0) {
    kind.values.push_back(typed_part(part));
  }
}

void add_parts(ValueKind& kind, std::string_view text, std::string_view separators) {
  const bool several = text.find_first_of(separators) != std::string_view::npos;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    add_part(kind, text.substr(0, end), several);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) {
    return !command->get_name().empty() && !command->get_group().empty();
  });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->nonpositional() && !option->get_group().empty();
  });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->get_group().empty();
  });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> names_of(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> all;
  for (const CLI::Option* option : options)
    for (std::string& name : names_of(*option)) all.push_back(std::move(name));
  return all;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> examples_of(const CLI::App& command) {
  std::vector<std::string> examples;
  std::istringstream footer(command.get_footer());
  for (std::string line; std::getline(footer, line);)
    if (line.starts_with("  ")) examples.push_back(line.substr(2));
  return examples;
}

ValueKind value_kind(const CLI::Option& option) {
  ValueKind kind;
  const std::string type = option.get_type_name();
  const std::size_t brace = type.find('{');
  if (brace != std::string::npos) {
    const std::size_t end = std::min(type.find('}', brace), type.size());
    add_parts(kind, std::string_view(type).substr(brace + 1, end - brace - 1), ",");
  } else {
    add_parts(kind, type, "| ");
  }
  if (option.get_positional()) add_parts(kind, option.get_name(true), "| ");
  return kind;
}

}  // namespace grundy::cli
