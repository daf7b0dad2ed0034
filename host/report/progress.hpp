// Progress of a long run, on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace grundy {

/// While it lives and is enabled, shows how many of `total` cells (or what `unit` says) are done,
/// the rate and the time left: on a terminal one line that is rewritten, elsewhere a line every few
/// seconds.
class ProgressMeter {
 public:
  ProgressMeter(std::string label, std::uint64_t total, bool enabled, std::string unit = "cells");
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;
  ~ProgressMeter();

  /// Thread-safe.
  void add(std::uint64_t cells) { done_.fetch_add(cells, std::memory_order_relaxed); }

 private:
  void run(std::chrono::milliseconds interval);
  void show() const;

  std::string label_;
  std::uint64_t total_;
  std::string unit_;
  bool rewrite_;  // the line, instead of writing another
  std::chrono::steady_clock::time_point start_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  std::thread thread_;
};

/// The line that is shown: "label  12.3 %  45.6 million cells/s  1 min 5 s left".
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double seconds, const std::string& unit = "cells");

}  // namespace grundy
