// devices.hpp in builds with CUDA.
#include <cuda_runtime_api.h>

#include "grundy/engine/cuda_engine.hpp"
#include "grundy/engine/cuda_support.hpp"
#include "grundy/engine/devices.hpp"
#include "grundy/kernels/schedules.hpp"

namespace grundy {

using cuda::check;

bool built_with_cuda() { return true; }

std::vector<Device> list_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();  // a machine without a GPU is no failure
    return {};
  }
  check(status, "cudaGetDeviceCount");
  std::vector<Device> devices;
  int current = 0;
  check(cudaGetDevice(&current), "cudaGetDevice");
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
    Device device{number,
                  properties.name,
                  properties.major,
                  properties.minor,
                  properties.multiProcessorCount,
                  properties.totalGlobalMem,
                  0,
                  {}};
    std::size_t total = 0;
    cudaError_t usable = cudaSetDevice(number);
    if (usable == cudaSuccess) usable = cudaMemGetInfo(&device.free_bytes, &total);
    if (usable == cudaSuccess) usable = kernels_usable();
    if (usable != cudaSuccess) {
      device.problem = cudaGetErrorString(usable);
      (void)cudaGetLastError();
    }
    devices.push_back(device);
  }
  check(cudaSetDevice(current), "cudaSetDevice");
  return devices;
}

bool device_usable(int number) {
  for (const Device& device : list_devices())
    if (device.number == number) return device.problem.empty();
  return false;
}

std::unique_ptr<Engine> make_cuda_engine(const EngineOptions& options) {
  return std::make_unique<CudaEngine>(options);
}

}  // namespace grundy
