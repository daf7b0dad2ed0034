#include "interrupt.hpp"

#include <cstdlib>
#include <pthread.h>

namespace grundy::cli {
namespace {

/// Wakes the waiting thread for its end; no one else sends it.
int wake_signal() { return SIGRTMIN; }

}  // namespace

InterruptGuard::InterruptGuard() {
  sigemptyset(&watched_);
  sigaddset(&watched_, wake_signal());
  for (const int signal : {SIGINT, SIGTERM}) {
    // Who starts a program with a signal ignored, as nohup does, means it.
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    if (current.sa_handler != SIG_IGN) sigaddset(&watched_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &watched_, &previous_);
  thread_ = std::thread([this] { wait_for_signals(); });
}

InterruptGuard::~InterruptGuard() {
  pthread_kill(thread_.native_handle(), wake_signal());
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void InterruptGuard::wait_for_signals() {
  for (;;) {
    int signal = 0;
    if (sigwait(&watched_, &signal) != 0) continue;
    if (signal == wake_signal()) return;
    if (signal_ != 0) end_by_signal(signal);
    signal_ = signal;
    stop_.request_stop();
  }
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, signal);
  pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);  // not reached unless the signal is ignored for good
}

}  // namespace grundy::cli
