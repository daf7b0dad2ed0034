// grundy man: the manual page, made of what --help says.
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "grundy/version.hpp"

#include "command_facts.hpp"
#include "options.hpp"

namespace grundy::cli {
namespace {

/// Text for troff: what it would take for a command or a special character is escaped. Hyphens stay
/// those that are typed.
std::string troff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '-')
      result += "\\-";
    else if (c == '\\')
      result += "\\e";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result;
}

/// "--size N", the name in bold and the rest as the user fills it in.
std::string term(const CLI::Option& option) {
  std::string text;
  if (option.get_positional()) {
    text = fmt::format("\\fI{}\\fR", troff(option.get_name(true)));
    if (!option.get_type_name().empty())
      text += fmt::format(" ({})", troff(option.get_type_name()));
    return text;
  }
  for (const std::string& name : names_of(option))
    text += fmt::format("{}\\fB{}\\fR", text.empty() ? "" : ", ", troff(name));
  if (takes_value(option)) text += fmt::format(" \\fI{}\\fR", troff(option.get_type_name()));
  return text;
}

std::string described(const CLI::Option& option) {
  std::string text = fmt::format(".TP\n{}\n{}.", term(option), troff(option.get_description()));
  if (takes_value(option) && !option.get_default_str().empty())
    text += fmt::format(" Default: {}.", troff(option.get_default_str()));
  return text + "\n";
}

std::string options_text(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* argument : arguments_of(command)) text += described(*argument);
  for (const CLI::Option* option : options_of(command)) text += described(*option);
  return text;
}

std::string usage(const CLI::App& command) {
  std::string text = fmt::format("\\fBgrundy {}\\fR [options]", troff(command.get_name()));
  for (const CLI::Option* argument : arguments_of(command)) {
    const std::string name = fmt::format("\\fI{}\\fR", troff(argument->get_name(true)));
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string command_text(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}\n.PP\n{}.\n", troff(command.get_name()),
                                 usage(command), troff(command.get_description()));
  text += options_text(command);
  text += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const std::string& example : examples_of(command)) text += troff(example) + "\n";
  return text + ".RE\n.fi\n";
}

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".\\\" Written by 'grundy man'.\n.TH GRUNDY 1 \"\" \"grundy {}\" \"User Commands\"\n"
      ".SH NAME\ngrundy \\- {}\n",
      troff(kVersion), troff(app.get_description()));
  text += ".SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(app))
    text += (command == commands_of(app).front() ? "" : ".br\n") + usage(*command) + "\n";
  text += fmt::format(".SH OPTIONS\n{}.SH COMMANDS\n", options_text(app));
  for (const CLI::App* command : commands_of(app)) text += command_text(*command);
  text += ".SH EXIT STATUS\n";
  for (const auto& [number, meaning] : kExitStatuses)
    text += fmt::format(".TP\n.B {}\n{}.\n", number, troff(meaning));
  return text;
}

int man(const CLI::App& app) {
  fmt::print("{}", manual_page(app));
  return kDone;
}

}  // namespace

void add_man(CLI::App& app, Action& action) {
  CLI::App* command = add_command(app, "man", "Print the manual page", "grundy man > grundy.1");
  command->callback([&app, &action] { action = [&app] { return man(app); }; });
}

}  // namespace grundy::cli
