// What the commands say of themselves, for those who explain them: completion, the manual,
// messages.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace grundy::cli {

/// The commands that --help lists.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// Options, or positional arguments, of a command.
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// "-h" and "--help", as they are typed.
std::vector<std::string> names_of(const CLI::Option& option);
std::vector<std::string> names_of(const std::vector<const CLI::Option*>& options);

bool takes_value(const CLI::Option& option);

/// The command lines of a footer "Example:\n  grundy ...\n  grundy ...".
std::vector<std::string> examples_of(const CLI::App& command);

/// What a value can be.
struct ValueKind {
  std::vector<std::string> values;      // in full, or as far as a colon: "triangle:"
  std::vector<std::string> extensions;  // of files: "h5"
  bool any_file = false;
  bool folder = false;
};

/// The kind of value that the type name in the help tells, of an argument also its name. Its parts
/// are separated by | or spaces: FILE is a file, FILE.h5 one with this ending, DIR a folder; others
/// are the values themselves where there are several, as in "waves|bands" or "classic|triangle:K";
/// or, as CLI::IsMember writes them, "{waves,bands}". In any other case only the user knows.
ValueKind value_kind(const CLI::Option& option);

}  // namespace grundy::cli
