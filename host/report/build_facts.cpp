#include "grundy/report/build_facts.hpp"

#include <cairo.h>
#include <libdeflate.h>
#include <string_view>
#include <zstd.h>

#include <fmt/format.h>
#include <hdf5.h>

#include "grundy/engine/devices.hpp"

#include "commit.hpp"  // written by every build

namespace grundy {
namespace {

/// "1.10.8", or both where the library that was loaded is another than that of the headers.
std::string version(const std::string& headers, const std::string& library) {
  return headers == library ? headers : fmt::format("{}, headers {}", library, headers);
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return version(fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE),
                 fmt::format("{}.{}.{}", major, minor, release));
}

std::string cuda_text() {
  if (!built_with_cuda()) return "without";
  return fmt::format("{}, for compute capability {}", cuda_versions(), GRUNDY_CUDA_ARCHITECTURES);
}

}  // namespace

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::vector<BuildFact> build_facts() {
  const std::string_view options = GRUNDY_BUILD_OPTIONS;
  return {{"commit", kCommit},
          {"build", fmt::format("{}{}{}", GRUNDY_BUILD_TYPE, options.empty() ? "" : ", ", options)},
          {"compiler", compiler_name()},
          {"CUDA", cuda_text()},
          {"HDF5", hdf5_version()},
          {"libdeflate", LIBDEFLATE_VERSION_STRING},
          {"Zstandard", version(ZSTD_VERSION_STRING, ZSTD_versionString())},
          {"cairo", version(CAIRO_VERSION_STRING, cairo_version_string())}};
}

}  // namespace grundy
