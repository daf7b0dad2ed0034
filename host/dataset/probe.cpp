#include "grundy/dataset/probe.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

constexpr rlim_t kSecondsOfProcessor = 60;

/// Never returns: what the process has open and registered belongs to its parent.
[[noreturn]] void open_and_exit(const std::string& path) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit time{kSecondsOfProcessor, kSecondsOfProcessor};
  setrlimit(RLIMIT_CPU, &time);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
    std::signal(number, SIG_DFL);  // a sanitizer would report them
  try {
    touch_metadata(path);
  } catch (const std::exception&) {
    // The parent comes to the same and says so.
  }
  std::_Exit(0);
}

}  // namespace

void touch_metadata(const std::string& path) {
  const DatasetReader reader(path);
  const DatasetInfo& info = reader.info();
  (void)reader.stored_chunks();
  if (info.grid().chunks() <= kProbedChunks) reader.look_up_chunks();
  if (info.complete) (void)reader.read_histogram();
}

void probe_table_file(const std::string& path) {
  const pid_t child = fork();
  if (child < 0)
    throw IoError(fmt::format("{}: no process to open it in: {}", path, std::strerror(errno)));
  if (child == 0) open_and_exit(path);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw IoError(fmt::format("{}: nothing known of the process that opens it: {}", path,
                                std::strerror(errno)));
  if (status == 0) return;
  throw IoError(fmt::format(
      "{} is damaged, perhaps on purpose: opening it brings the HDF5 library down ({} {})", path,
      WIFSIGNALED(status) ? "signal" : "exit status",
      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

}  // namespace grundy
