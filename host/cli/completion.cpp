// grundy completion: scripts that complete command lines in bash and zsh.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/names.hpp"

#include "command_facts.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

// ---- bash ---------------------------------------------------------------------------------------

constexpr const char* kBashStart =
    R"(# bash completion for grundy; written by 'grundy completion bash'

_grundy_words() {
  local word
  for word in $(compgen -W "$1" -- "$current"); do
    COMPREPLY+=("$word")
    # What goes on, as triangle:K does, gets no space.
    if [[ $word == *: ]]; then compopt -o nospace; fi
  done
}

# Files of a pattern, and folders on the way to them.
_grundy_files() {
  local name
  while IFS= read -r name; do
    # shellcheck disable=SC2053  # it is a pattern
    if [[ -d $name || $name == $1 ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen -f -- "$current")
  compopt -o filenames
}

_grundy() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' option='' values=0 i
  COMPREPLY=()
  # The command, the last option, and which of its values the current word is. Of --option=value
  # the = is a word too.
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -* ]]; then
      option=${COMP_WORDS[i]} values=0
    elif [[ -z $command ]]; then
      command=${COMP_WORDS[i]}
    elif [[ ${COMP_WORDS[i]} != = ]]; then
      ((++values))
    fi
  done
  if [[ $current == = ]]; then current=''; fi
  case $command:$option:$values in
)";

constexpr const char* kBashWords = R"(  *)
    case $command:$current in
)";

constexpr const char* kBashEnd = R"(    esac
    ;;
  esac
}

complete -F _grundy grundy
)";

/// What adds the values of a kind, as shell commands.
std::vector<std::string> bash_calls(const ValueKind& kind) {
  std::vector<std::string> calls;
  if (!kind.values.empty())
    calls.push_back(fmt::format("_grundy_words '{}'", join(kind.values, " ")));
  if (kind.any_file)
    calls.emplace_back("_grundy_files '*'");
  else if (!kind.extensions.empty())
    calls.push_back(fmt::format("_grundy_files '*.@({})'", join(kind.extensions, "|")));
  else if (kind.folder)
    calls.emplace_back("_grundy_files ''");
  return calls;
}

/// A case for the values of an option, the first to the last.
std::string bash_case(const std::string& command, const CLI::Option& option) {
  constexpr int kMany = 10;
  std::vector<std::string> patterns;
  const int count = option.get_items_expected_max();
  for (const std::string& name : names_of(option)) {
    if (count > kMany) patterns.push_back(fmt::format("{}:{}:*", command, name));
    for (int value = 0; count <= kMany && value < count; ++value)
      patterns.push_back(fmt::format("{}:{}:{}", command, name, value));
  }
  std::vector<std::string> calls = bash_calls(value_kind(option));
  if (calls.empty()) calls.emplace_back(":");
  return fmt::format("  {}) {} ;;\n", join(patterns, " | "), join(calls, "; "));
}

std::string bash_script(const CLI::App& app) {
  std::vector<std::string> commands;
  std::string values;
  std::string words;
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    commands.push_back(name);
    for (const CLI::Option* option : options_of(*command))
      if (takes_value(*option)) values += bash_case(name, *option);
    words += fmt::format("    {}:-*) _grundy_words '{}' ;;\n", name,
                         join(names_of(options_of(*command)), " "));
    std::vector<std::string> calls;
    for (const CLI::Option* argument : arguments_of(*command))
      for (std::string& call : bash_calls(value_kind(*argument)))
        if (std::find(calls.begin(), calls.end(), call) == calls.end())
          calls.push_back(std::move(call));
    if (!calls.empty()) words += fmt::format("    {}:*) {} ;;\n", name, join(calls, "; "));
  }
  words += fmt::format("    :-*) _grundy_words '{}' ;;\n    :*) _grundy_words '{}' ;;\n",
                       join(names_of(options_of(app)), " "), join(commands, " "));
  return kBashStart + values + kBashWords + words + kBashEnd;
}

// ---- zsh ----------------------------------------------------------------------------------------

constexpr const char* kZshStart = R"(#compdef grundy
# zsh completion for grundy; written by 'grundy completion zsh'

# Words; files of a pattern.
_grundy_value() {
  local -a words=(${=1})
  # What goes on, as triangle:K does, gets no space.
  compadd -S '' -- ${(M)words:#*:}
  compadd -- ${words:#*:}
  case $2 in
    ('') ;;
    (/) _files -/ ;;
    (*) _files -g $2 ;;
  esac
}

_grundy() {
  local curcontext=$curcontext state line
  local -A opt_args
)";

constexpr const char* kZshCommand = R"(    '1:command:->command' '*::argument:->argument'
  case $state in
  (command)
    local -a commands=(
)";

constexpr const char* kZshArguments = R"(    )
    _describe command commands
    ;;
  (argument)
    case $line[1] in
)";

constexpr const char* kZshEnd = R"(    esac
    ;;
  esac
}

if [[ $funcstack[1] == _grundy ]]; then _grundy "$@"; else compdef _grundy grundy; fi
)";

/// Within single quotes, with a backslash before what has a meaning where the text stands.
std::string zsh_text(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || special.find(c) != std::string_view::npos) result += '\\';
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result;
}

/// What follows for each value of an option or an argument: ":message:action" of _arguments.
std::string zsh_value(const CLI::Option& option) {
  const ValueKind kind = value_kind(option);
  std::string pattern;
  if (kind.any_file)
    pattern = "*";
  else if (kind.extensions.size() == 1)
    pattern = "*." + kind.extensions.front();
  else if (!kind.extensions.empty())  // a | tells it from the qualifiers that zsh has in (...)
    pattern = "*.(" + join(kind.extensions, "|") + ")";
  else if (kind.folder)
    pattern = "/";
  const std::string type = option.get_type_name();
  std::string text =
      fmt::format(":{}:", zsh_text(type.empty() ? option.get_single_name() : type, ":"));
  if (!kind.values.empty() || !pattern.empty())
    text +=
        fmt::format(R"( _grundy_value "{}" "{}")", zsh_text(join(kind.values, " "), ":"), pattern);
  return text;
}

/// Specifications of the options of a command for _arguments, one a line.
std::string zsh_options(const CLI::App& command, std::string_view indent) {
  constexpr int kMany = 10;
  std::string text;
  for (const CLI::Option* option : options_of(command)) {
    const std::vector<std::string> names = names_of(*option);
    const bool repeats = takes_value(*option) &&
                         option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    std::string values;
    for (int i = 0; i < std::min(option->get_items_expected_max(), kMany); ++i)
      values += zsh_value(*option);
    for (const std::string& name : names)
      text += fmt::format(
          "{}'{}{}{}[{}]{}' \\\n", indent, repeats ? "*" : fmt::format("({})", join(names, " ")),
          name, takes_value(*option) ? "=" : "", zsh_text(option->get_description(), "[]"), values);
  }
  return text;
}

std::string zsh_script(const CLI::App& app) {
  std::string names;
  std::string arguments;
  for (const CLI::App* command : commands_of(app)) {
    names += fmt::format("      '{}:{}'\n", command->get_name(),
                         zsh_text(command->get_description(), ":"));
    arguments += fmt::format("    ({})\n      _arguments \\\n{}", command->get_name(),
                             zsh_options(*command, "        "));
    for (const CLI::Option* argument : arguments_of(*command))
      arguments += fmt::format("        '{}' \\\n", zsh_value(*argument));
    arguments += "        && return\n      ;;\n";
  }
  return fmt::format("{}  _arguments -C \\\n{}{}{}{}{}{}", kZshStart, zsh_options(app, "    "),
                     kZshCommand, names, kZshArguments, arguments, kZshEnd);
}

// ---- command ------------------------------------------------------------------------------------

int completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash")
    fmt::print("{}", bash_script(app));
  else if (shell == "zsh")
    fmt::print("{}", zsh_script(app));
  else
    throw UsageError(unknown_name("shell", shell, {"bash", "zsh"}));
  return kDone;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = add_command(
      app, "completion", "Print the script that completes command lines in a shell",
      "grundy completion bash > grundy-completion.bash\n  grundy completion zsh > _grundy");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "The shell that is to complete them")
      ->required()
      ->type_name("bash|zsh");
  command->callback(
      [shell, &app, &action] { action = [shell, &app] { return completion(app, *shell); }; });
}

}  // namespace grundy::cli
