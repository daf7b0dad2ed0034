// The program: reads the command line, runs one subcommand, turns failures into exit statuses.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/version.hpp"

#include "interrupt.hpp"
#include "options.hpp"

namespace {

constexpr int kWrongUsage = 2;
constexpr int kInputOutput = 3;
constexpr int kDevice = 4;

int fail(int status, const char* message) {
  fmt::print(stderr, "grundy: {}\n", message);
  return status;
}

int run(int argc, char** argv) {
  CLI::App app("Grundy tables of Wythoff's game and its variants", "grundy");
  app.set_version_flag("--version", std::string("grundy ") + grundy::kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done and true, 1 a check failed, 2 wrong usage, 3 input or output, 4 the "
      "machine cannot do it.\n"
      "'grundy COMMAND --help' explains a command.");
  grundy::cli::Action action;
  grundy::cli::add_compute(app, action);
  grundy::cli::add_verify(app, action);
  grundy::cli::add_info(app, action);
  grundy::cli::add_equivalence(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(kWrongUsage, fmt::format("{}; see --help", error.what()).c_str());
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of the write that met it
  int status = 0;
  try {
    status = run(argc, argv);
  } catch (const grundy::cli::Interrupted& interrupted) {
    fail(0, interrupted.message.c_str());
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
    return fail(kDevice, fmt::format("internal error: {}", error.what()).c_str());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return fail(kInputOutput, "cannot write to standard output");
  return status;
}
