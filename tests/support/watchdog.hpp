// Turns a test that hangs into one that fails.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>

namespace grundy::support {

/// Aborts the test program when it still lives after `limit`, which is far more than a test needs.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds limit = std::chrono::seconds(100))
      : thread_([limit](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any never;
          std::unique_lock lock(mutex);
          never.wait_for(lock, stop, limit, [] { return false; });
          if (stop.stop_requested()) return;
          std::fputs("the test hangs\n", stderr);
          std::abort();
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace grundy::support
