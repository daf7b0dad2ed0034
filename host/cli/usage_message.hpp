// What is wrong with a command line.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace grundy::cli {

/// In one line: the first name that is not known, with the one that was probably meant; or else
/// what the error says. After `app` has thrown `error` while parsing.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace grundy::cli
