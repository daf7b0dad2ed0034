#include "grundy/report/peak_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace grundy {

bool reset_peak_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;  // proc(5): sets the peak to the present resident set
  return file.good();
}

std::optional<std::uint64_t> peak_memory() {
  std::ifstream file("/proc/self/status");
  for (std::string key; file >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "VmHWM:" && file >> kibibytes) return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

}  // namespace grundy
