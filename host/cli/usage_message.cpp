#include "usage_message.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "grundy/game/names.hpp"
#include "grundy/game/parse.hpp"

#include "command_facts.hpp"

namespace grundy::cli {
namespace {

std::string without_dashes(const std::string& name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// "; did you mean --threads?", or nothing.
std::string suggestion(const std::string& typed, const std::vector<std::string>& names) {
  std::vector<std::string> bare;
  bare.reserve(names.size());
  for (const std::string& name : names) bare.push_back(without_dashes(name));
  const auto meant = closest_name(without_dashes(typed), bare);
  if (!meant) return {};
  const auto place = std::find(bare.begin(), bare.end(), *meant) - bare.begin();
  return fmt::format("; did you mean {}?", names[static_cast<std::size_t>(place)]);
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> typed = app.get_subcommands();
  const CLI::App& command = typed.empty() ? app : *typed.front();
  const std::string see = typed.empty()
                              ? "; see 'grundy --help'"
                              : fmt::format("; see 'grundy {} --help'", command.get_name());
  const std::vector<std::string> unknown = command.remaining();
  if (unknown.empty()) return excerpt(error.what(), 200) + see;
  const auto is_option = [](const std::string& text) {
    return text.starts_with('-') && !without_dashes(text).empty();
  };
  // What follows an unknown option may be its value.
  const auto option = std::find_if(unknown.begin(), unknown.end(), is_option);
  const std::string& first = typed.empty() || option == unknown.end() ? unknown.front() : *option;
  const std::vector<std::string> options = names_of(options_of(command));
  if (is_option(first)) {
    const std::string name = first.substr(0, first.find('='));
    return fmt::format("unknown option {}{}{}", excerpt(name), suggestion(name, options), see);
  }
  if (!typed.empty())
    return fmt::format("unexpected argument '{}'{}{}", excerpt(first), suggestion(first, options),
                       see);
  std::vector<std::string> commands;
  for (const CLI::App* one : commands_of(app)) commands.push_back(one->get_name());
  return fmt::format("unknown command '{}'{}{}", excerpt(first), suggestion(first, commands), see);
}

}  // namespace grundy::cli
