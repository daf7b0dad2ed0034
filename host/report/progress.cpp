#include "grundy/report/progress.hpp"

#include <cmath>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace grundy {
namespace {

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double seconds, const std::string& unit) {
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  std::string line = fmt::format("{}  {:5.1f} %", label, 100 * share);
  if (done == 0 || seconds <= 0) return line;
  line += fmt::format("  {:.1f} million {}/s", static_cast<double>(done) / seconds / 1e6, unit);
  if (done < total) line += fmt::format("  {} left", duration(seconds * (1 - share) / share));
  return line;
}

ProgressMeter::ProgressMeter(std::string label, std::uint64_t total, bool enabled, std::string unit)
    : label_(std::move(label)),
      total_(total),
      unit_(std::move(unit)),
      rewrite_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {
  if (!enabled) return;
  const std::chrono::milliseconds interval(rewrite_ ? 250 : 5000);
  thread_ = std::thread([this, interval] { run(interval); });
}

ProgressMeter::~ProgressMeter() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
  show();
  if (rewrite_) std::fputc('\n', stderr);
}

void ProgressMeter::run(std::chrono::milliseconds interval) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return finished_; })) show();
}

void ProgressMeter::show() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const std::string line =
      progress_line(label_, done_.load(std::memory_order_relaxed), total_, elapsed.count(), unit_);
  // "Erase to the end of the line" after the text, so that a shorter line leaves nothing behind.
  // Not by fmt, which throws when nobody can read it.
  std::fputs((rewrite_ ? "\r" + line + "\x1b[K" : line + "\n").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace grundy
