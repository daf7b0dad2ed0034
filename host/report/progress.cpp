#include "grundy/report/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

double share_of(const Progress& progress) {
  if (progress.total == 0) return 1;
  return static_cast<double>(progress.done) / static_cast<double>(progress.total);
}

std::string percent_text(const Progress& progress) {
  return fmt::format("{:5.1f} %", 100 * share_of(progress));
}

/// Empty before there is one.
std::string rate_text(const Progress& progress) {
  if (progress.done == 0 || progress.seconds <= 0) return {};
  const double rate = static_cast<double>(progress.done) / progress.seconds;
  if (rate >= 1e6) return fmt::format("{:.1f} million {}/s", rate / 1e6, progress.unit);
  return fmt::format("{:.{}f} {}/s", rate, rate < 10 ? 1 : 0, progress.unit);
}

/// Empty before it can be told, and when nothing is left.
std::string left_text(const Progress& progress) {
  if (progress.done == 0 || progress.seconds <= 0 || progress.done >= progress.total) return {};
  const double share = share_of(progress);
  return duration(progress.seconds * (1 - share) / share) + " left";
}

std::string join(const std::vector<std::string>& parts) {
  std::string line;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!line.empty()) line += "  ";
    line += part;
  }
  return line;
}

std::string shortened(const std::string& text, std::size_t length) {
  constexpr std::size_t kDots = 3;
  return text.size() <= length ? text : length <= kDots ? "" : excerpt(text, length - kDots);
}

std::string bar(double share, std::size_t width, bool unicode) {
  const auto full =
      std::min(width, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) {
    const bool on = i < full;
    text += unicode ? (on ? "\u2588" : "\u2591") : (on ? "#" : ".");
  }
  return unicode ? text : "[" + text + "]";
}

/// Of the terminal that standard error is.
std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// Whether what is printed is taken as UTF-8, by the first of these variables that says anything.
bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

/// Not by fmt, which throws when nobody can read it.
void print(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_line(const Progress& progress) {
  return join({progress.label, percent_text(progress), rate_text(progress), left_text(progress)});
}

std::string progress_bar_line(const Progress& progress, std::size_t columns, bool unicode) {
  constexpr std::size_t kShortestBar = 8;
  constexpr std::size_t kLongestBar = 40;
  // Not the last column: some terminals go to the next line once it is written.
  const std::size_t room = columns == 0 ? 0 : columns - 1;
  const std::string label = shortened(progress.label, room / 2);
  const std::string percent = percent_text(progress);
  const std::string rate = rate_text(progress);
  const std::string left = left_text(progress);
  const std::string all = join({label, percent, rate, left});
  const std::size_t around_bar = unicode ? 2 : 4;  // two spaces, brackets
  if (all.size() + around_bar + kShortestBar <= room) {
    const std::size_t width = std::min(room - all.size() - around_bar, kLongestBar);
    return join({label, bar(share_of(progress), width, unicode), percent, rate, left});
  }
  for (const std::string& line : {all, join({label, percent, left}), join({label, percent})})
    if (line.size() <= room) return line;
  return percent.substr(0, room);
}

std::string progress_summary(const Progress& progress, std::size_t columns) {
  const std::size_t room = columns == 0 ? 0 : columns - 1;
  const std::string amount = progress.done == progress.total
                                 ? fmt::format("{}", progress.done)
                                 : fmt::format("{} of {}", progress.done, progress.total);
  const std::string time = progress.seconds < 10 ? fmt::format("{:.1f} s", progress.seconds)
                                                 : duration(progress.seconds);
  const std::string what = fmt::format("{} {} in {}", amount, progress.unit, time);
  const std::string rate = rate_text(progress);
  const std::string all = join({progress.label, rate.empty() ? what : what + ", " + rate});
  for (const std::string& line : {all, join({progress.label, what})})
    if (line.size() <= room) return line;
  return what.substr(0, room);
}

ProgressMeter::ProgressMeter(std::string label, std::uint64_t total, bool enabled, std::string unit)
    : start_{std::move(label), 0, total, 0, std::move(unit)},
      rewrite_(isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"),
      begin_(std::chrono::steady_clock::now()) {
  if (enabled) thread_ = std::thread([this] { run(); });
}

ProgressMeter::~ProgressMeter() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (!rewrite_) {
    print(progress_summary(progress(), kAnyWidth) + "\n");
  } else if (shown_) {
    print("\r" + progress_summary(progress(), terminal_columns()) + "\x1b[K\n");
  }
}

Progress ProgressMeter::progress() const {
  Progress now = start_;
  now.done = done_.load(std::memory_order_relaxed);
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return now;
}

void ProgressMeter::run() {
  constexpr milliseconds kFirstLine{5000};
  constexpr milliseconds kMostApart{60000};
  const bool unicode = utf8_locale();
  milliseconds interval = rewrite_ ? milliseconds(250) : kFirstLine;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval, [this] { return finished_; })) {
    shown_ = true;
    if (rewrite_) {
      // The width each time anew: the window may have been resized. "Erase to the end of the line"
      // after the text, so that a shorter line leaves nothing behind.
      print("\r" + progress_bar_line(progress(), terminal_columns(), unicode) + "\x1b[K");
    } else {
      const Progress now = progress();
      print(progress_line(now) + "\n");
      interval = std::clamp(milliseconds(std::llround(now.seconds * 50)), kFirstLine, kMostApart);
    }
  }
}

}  // namespace grundy
