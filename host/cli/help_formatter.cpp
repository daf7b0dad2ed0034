#include "help_formatter.hpp"

#include <cstddef>
#include <sstream>

namespace grundy::cli {
namespace {

/// With line breaks between words instead of blanks.
std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    if (column > 0) {
      const bool fits = column + 1 + word.size() <= width;
      result += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::size_t description_width(std::size_t first_column) {
  constexpr std::size_t kColumns = 80;
  return kColumns - first_column;
}

}  // namespace

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), description_width(get_column_width()));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(
      out, command->get_display_name(true),
      wrapped(command->get_description(), description_width(get_column_width())),
      get_column_width());
  return out.str();
}

}  // namespace grundy::cli
