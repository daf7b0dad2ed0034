// The program: reads the command line, runs one subcommand, turns failures into exit statuses.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/report/build_facts.hpp"
#include "grundy/version.hpp"

#include "help_formatter.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "usage_message.hpp"

namespace {

using grundy::cli::kDevice;
using grundy::cli::kInputOutput;
using grundy::cli::kWrongUsage;

constexpr const char* kNoOutput = "cannot write to standard output";

/// Prints the message in one line, whatever it quotes. Not by fmt, which throws when it cannot.
int fail(int status, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  std::fputs(("grundy: " + message + "\n").c_str(), stderr);
  return status;
}

/// The standard descriptors are there from now on: a file that is opened never becomes one of them,
/// to be overwritten by what is meant for the user.
void open_standard_descriptors() {
  int fd = 0;
  do {
    fd = ::open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
}

std::string version_text() {
  std::string text = fmt::format("grundy {}\n", grundy::kVersion);
  std::vector<grundy::BuildFact> facts = grundy::build_facts();
  facts.push_back({"CLI11", CLI11_VERSION});
  for (const auto& [name, value] : facts) text += fmt::format("{:<11} {}\n", name, value);
  text.pop_back();  // whoever prints it ends the line
  return text;
}

std::string exit_status_text() {
  std::string text = "Exit status:\n";
  for (const auto& [number, meaning] : grundy::cli::kExitStatuses)
    text += fmt::format("  {}  {}\n", number, meaning);
  return text;
}

int run(int argc, char** argv) {
  CLI::App app("Grundy tables of Wythoff's game and its variants", "grundy");
  app.formatter(std::make_shared<grundy::cli::HelpFormatter>());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", version_text,
                       "Print the version, what it was built from and with, and exit");
  app.require_subcommand(1);
  app.footer(exit_status_text() + "\n'grundy COMMAND --help' explains a command.");
  grundy::cli::Action action;
  grundy::cli::add_compute(app, action);
  grundy::cli::add_verify(app, action);
  grundy::cli::add_info(app, action);
  grundy::cli::add_equivalence(app, action);
  grundy::cli::add_levels(app, action);
  grundy::cli::add_query(app, action);
  grundy::cli::add_plot(app, action);
  grundy::cli::add_devices(app, action);
  grundy::cli::add_bench(app, action);
  grundy::cli::add_export(app, action);
  grundy::cli::add_compare(app, action);
  grundy::cli::add_completion(app, action);
  grundy::cli::add_man(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(kWrongUsage, grundy::cli::usage_message(app, error));
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of the write that met it
  int status = 0;
  try {
    status = run(argc, argv);
  } catch (const grundy::cli::Interrupted& interrupted) {
    fail(0, interrupted.message);
    grundy::cli::end_by_signal(interrupted.signal);
  } catch (const grundy::UsageError& error) {
    return fail(kWrongUsage, error.what());
  } catch (const grundy::IoError& error) {
    return fail(kInputOutput, error.what());
  } catch (const grundy::DeviceError& error) {
    return fail(kDevice, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kDevice, "out of memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return fail(kInputOutput, kNoOutput);
    return fail(kDevice, std::string("internal error: ") + error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail(kInputOutput, kNoOutput);
  return status;
}
