#include "grundy/engine/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// The first number in a file, if there is one.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::uint64_t machine_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return kUnlimited;
}

std::uint64_t control_group_memory() {
  // The files as seen from inside a container: version 2, then version 1.
  for (const auto& [limit, used] :
       {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                  "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
    const auto max = number_in(limit);
    const auto now = number_in(used);
    if (max && now) return *max - std::min(*max, *now);
  }
  return kUnlimited;
}

std::uint64_t address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return limit.rlim_cur;
}

}  // namespace

std::uint64_t available_memory() {
  return std::min({machine_memory(), control_group_memory(), address_space()});
}

void require_memory(std::string_view what, std::uint64_t bytes) {
  const std::uint64_t available = available_memory();
  if (bytes > available)
    throw DeviceError(fmt::format("{} needs {} bytes of memory, of which {} are available", what,
                                  bytes, available));
}

void UnmapWords::operator()(std::uint64_t* words) const { munmap(words, bytes); }

MappedWords map_zeroed_words(std::uint64_t words) {
  const std::size_t bytes = std::max<std::size_t>(words, 1) * sizeof(std::uint64_t);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw DeviceError(
        fmt::format("cannot map {} bytes of memory: {}", bytes, std::strerror(errno)));
  madvise(memory, bytes, MADV_HUGEPAGE);  // only speed depends on it
  return MappedWords(static_cast<std::uint64_t*>(memory), UnmapWords{bytes});
}

}  // namespace grundy
