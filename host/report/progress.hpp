// Progress of a long run, on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace grundy {

/// What there is to say of a run.
struct Progress {
  std::string label;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  double seconds = 0;  // since the start
  std::string unit = "cells";
};

/// While it lives and is enabled, shows how much of a run is done, at which rate, and the time
/// left; at its end, what there was in all. On a terminal that is one line, rewritten and as long
/// as the terminal is wide; a run that ends before there was time to show it says nothing.
/// Elsewhere they are lines, the first after 5 seconds, later ones up to a minute apart.
class ProgressMeter {
 public:
  ProgressMeter(std::string label, std::uint64_t total, bool enabled, std::string unit = "cells");
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;
  ~ProgressMeter();

  /// Thread-safe.
  void add(std::uint64_t cells) { done_.fetch_add(cells, std::memory_order_relaxed); }

 private:
  void run();
  [[nodiscard]] Progress progress() const;

  const Progress start_;  // before anything is done
  bool rewrite_;          // the line, instead of writing another
  std::chrono::steady_clock::time_point begin_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  bool shown_ = false;
  std::thread thread_;
};

/// A line of a log: "cpu   12.3 %  45.6 million cells/s  1 min 5 s left".
std::string progress_line(const Progress& progress);

/// The same with a bar, in fewer than `columns` columns, so that it never wraps: first the bar gets
/// shorter, then the bar, the rate, the time left and the label are left out. The bar is of block
/// elements of Unicode, or of ASCII.
std::string progress_bar_line(const Progress& progress, std::size_t columns, bool unicode);

/// What there was in all: "cpu  16777216 cells in 1.5 s, 11.3 million cells/s"; of a run that was
/// abandoned, "cpu  400 of 1000 cells in 1.0 s, 400 cells/s". In fewer than `columns` columns: what
/// follows a comma, and then the label, is left out, and the rest cut.
std::string progress_summary(const Progress& progress, std::size_t columns);

}  // namespace grundy
