// Runs the same work in several threads.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace grundy {

/// The threads to work in where `asked` are asked for: those, or for 0 one for each core that this
/// process may use.
inline unsigned worker_threads(unsigned asked) {
  return asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

/// Calls work() in this thread and in up to threads - 1 others, and returns when all have returned.
/// Where one throws, calls give_up(), which is to end the work of the others, and in the end
/// rethrows what was thrown first.
template <typename Work, typename GiveUp>
void run_in_threads(unsigned threads, Work work, GiveUp give_up) {
  std::mutex error_mutex;
  std::exception_ptr first_error;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
      give_up();
    }
  };
  {
    std::vector<std::jthread> pool;
    try {
      for (unsigned t = 1; t < threads; ++t) pool.emplace_back(guarded);
    } catch (const std::system_error&) {
      // The system grants no more threads; those there are do the work.
    }
    guarded();
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace grundy
