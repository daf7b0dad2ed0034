#include "grundy/report/machine.hpp"

#include <chrono>
#include <exception>
#include <fstream>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "grundy/engine/devices.hpp"
#include "grundy/report/build_facts.hpp"
#include "grundy/version.hpp"

namespace grundy {
namespace {

constexpr const char* kUnknown = "unknown";

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
  return kUnknown;
}

unsigned cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return 0;
}

std::uint64_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages < 0 || page < 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::vector<std::string> gpus() {
  std::vector<std::string> names;
  try {
    for (int number = 0; number < device_count(); ++number) {
      const Device device = describe_device(number);
      names.push_back(fmt::format("{}, compute capability {}.{}, {} bytes", device.name,
                                  device.capability_major, device.capability_minor,
                                  device.memory_bytes));
    }
  } catch (const std::exception&) {  // a driver that fails: then there is none to measure on
  }
  return names;
}

std::string gpu_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

MachineFacts machine_facts() {
  MachineFacts facts;
  utsname names{};
  const bool named = uname(&names) == 0;
  facts.host = named ? names.nodename : kUnknown;
  facts.system =
      named ? fmt::format("{} {} {}", names.sysname, names.release, names.machine) : kUnknown;
  facts.processor = processor();
  facts.cores = cores();
  facts.memory_bytes = memory_bytes();
  facts.gpus = gpus();
  facts.gpu_driver = gpu_driver();
  facts.compiler = compiler_name();
  facts.software = fmt::format("grundy {}", kVersion);
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  facts.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  return facts;
}

}  // namespace grundy
