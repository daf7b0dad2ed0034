// --help, with lines that a terminal of 80 columns does not break.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace grundy::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override;
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace grundy::cli
