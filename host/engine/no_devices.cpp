// devices.hpp in builds without CUDA.
#include "grundy/engine/devices.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {

bool built_with_cuda() { return false; }

std::string cuda_versions() { return {}; }

int device_count() { return 0; }

Device describe_device(int /*number*/) { return {}; }

bool device_usable(int /*number*/) { return false; }

std::unique_ptr<Engine> make_cuda_engine(const EngineOptions& /*options*/) {
  throw DeviceError(
      "this program was built without the cuda engine; --engine cpu works everywhere, and "
      "'cmake --preset cuda' builds with CUDA");
}

}  // namespace grundy
