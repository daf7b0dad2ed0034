// devices.hpp in builds with CUDA.
#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include "grundy/engine/cuda_engine.hpp"
#include "grundy/engine/cuda_support.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/kernels/schedules.hpp"
#include "grundy/kernels/strip_reducer.hpp"

namespace grundy {

using cuda::check;

bool built_with_cuda() { return true; }

std::string cuda_versions() {
  const auto text = [](int version) {  // 1000 times the major one, 10 times the minor one
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  };
  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  return fmt::format("toolkit {}, runtime {}, Thrust {}", text(CUDART_VERSION), text(runtime),
                     thrust_version());
}

int device_count() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();  // a machine without a GPU is no failure
    return 0;
  }
  check(status, "cudaGetDeviceCount");
  return count;
}

Device describe_device(int number) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  Device device;
  device.number = number;
  device.name = properties.name;
  device.capability_major = properties.major;
  device.capability_minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.memory_bytes = properties.totalGlobalMem;
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  cudaError_t usable = cudaSetDevice(number);
  if (usable == cudaSuccess) usable = cudaMemGetInfo(&free_bytes, &total);
  if (usable == cudaSuccess) usable = kernels_usable();
  device.free_bytes = free_bytes;
  if (usable != cudaSuccess) {
    device.problem = cudaGetErrorString(usable);
    (void)cudaGetLastError();
  }
  return device;
}

bool device_usable(int number) {
  try {
    return number < device_count() && describe_device(number).problem.empty();
  } catch (const DeviceError&) {
    return false;
  }
}

std::unique_ptr<Engine> make_cuda_engine(const EngineOptions& options) {
  return std::make_unique<CudaEngine>(options);
}

}  // namespace grundy
