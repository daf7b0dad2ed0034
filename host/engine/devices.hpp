// The GPUs of this machine. Works, and finds none, in builds without CUDA too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grundy/engine/engine.hpp"

namespace grundy {

struct Device {
  int number = 0;  // as --device takes it
  std::string name;
  int capability_major = 0;
  int capability_minor = 0;
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::string problem;  // empty: usable; otherwise why not
};

/// Whether this program was built with the CUDA engine.
bool built_with_cuda();

/// Of the toolkit, the runtime and Thrust: "toolkit 13.0, runtime 13.0, Thrust 3.0.1"; empty
/// without CUDA.
std::string cuda_versions();

/// The GPUs that there are; 0 when there is no driver. Throws DeviceError when a driver is there
/// but fails.
int device_count();

/// Looks at one of them: 0 <= number < device_count(). What makes it unusable is in the result.
Device describe_device(int number);

/// Whether the cuda engine can run on that GPU; false also for a driver that fails.
bool device_usable(int number);

/// The engine on the GPU options.device; throws DeviceError when it cannot be used.
std::unique_ptr<Engine> make_cuda_engine(const EngineOptions& options);

}  // namespace grundy
