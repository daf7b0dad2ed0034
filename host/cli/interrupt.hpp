// Ctrl-C and SIGTERM as requests to stop.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <string>
#include <thread>

namespace grundy::cli {

/// Thrown by a command that was stopped; main prints the message and ends by the signal.
struct Interrupted {
  int signal;
  std::string message;
};

/// While it lives, the first SIGINT or SIGTERM requests a stop, and the second ends the program at
/// once. To be made before other threads, which inherit that they leave these signals alone.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  [[nodiscard]] std::stop_token stop_token() const { return stop_.get_token(); }
  /// The signal that requested the stop.
  [[nodiscard]] int signal() const { return signal_; }
  /// Throws Interrupted once a stop is requested.
  void throw_if_stopped(const std::string& message) const {
    if (stop_.stop_requested()) throw Interrupted{signal_, message};
  }

 private:
  void wait_for_signals();

  sigset_t watched_{};
  sigset_t previous_{};
  std::stop_source stop_;
  std::atomic<int> signal_{0};
  std::thread thread_;
};

/// Ends the process as that signal would have.
[[noreturn]] void end_by_signal(int signal);

}  // namespace grundy::cli
