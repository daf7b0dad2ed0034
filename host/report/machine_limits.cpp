#include "grundy/report/machine_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

double copy_bandwidth(unsigned threads) {
  constexpr std::size_t kBytes = std::size_t{48} << 20U;  // each of the two blocks of all threads
  const std::size_t share = kBytes / threads;
  std::vector<std::vector<char>> from(threads, std::vector<char>(share, 1));
  std::vector<std::vector<char>> to(threads, std::vector<char>(share, 2));
  double best = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto start = Clock::now();
    {
      std::vector<std::jthread> pool;
      for (unsigned t = 0; t < threads; ++t)
        pool.emplace_back([&, t] { std::memcpy(to[t].data(), from[t].data(), share); });
    }
    best = std::max(best, 2 * static_cast<double>(share * threads) / seconds_since(start));
  }
  return best;
}

double load_latency(std::uint64_t bytes) {
  // A random cycle through all cache lines of the block, so that no prefetcher follows.
  constexpr std::size_t kLine = 64 / sizeof(std::size_t);
  const std::size_t lines = std::max<std::size_t>(1, bytes / 64);
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(1);
  for (std::size_t i = lines; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<std::size_t> next(lines * kLine);
  for (std::size_t i = 0; i < lines; ++i) next[order[i] * kLine] = order[(i + 1) % lines] * kLine;

  constexpr int kReads = 1'000'000;
  double best = 1;
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::size_t at = 0;
    const auto start = Clock::now();
    for (int read = 0; read < kReads; ++read) at = next[at];
    const double seconds = seconds_since(start);
    // The end of the chain is used, so that the compiler walks it.
    if (at < next.size()) best = std::min(best, seconds / kReads);
  }
  return best;
}

double critical_path(std::uint64_t rows, std::uint64_t cols, double latency) {
  return static_cast<double>(rows + cols - 1) * kReadsInAStep * latency;
}

}  // namespace grundy
