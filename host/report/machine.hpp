// What was measured on: the facts that a figure is worth nothing without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace grundy {

struct MachineFacts {
  std::string host;       // its name
  std::string system;     // kernel and its release, architecture
  std::string processor;  // model name
  unsigned cores = 0;     // that this process may use
  std::uint64_t memory_bytes = 0;
  std::vector<std::string> gpus;  // names, capabilities, memory
  std::string gpu_driver;         // empty: none
  std::string compiler;           // of this library
  std::string software;           // grundy and its version
  std::string date;               // now, UTC, ISO 8601
};

/// What cannot be found out stays "unknown".
MachineFacts machine_facts();

}  // namespace grundy
