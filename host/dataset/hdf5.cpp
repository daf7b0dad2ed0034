#include "grundy/dataset/hdf5.hpp"

#include <algorithm>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

namespace grundy::hdf5 {
namespace {

Handle create_attribute(hid_t object, const char* name, hid_t type) {
  if (check(H5Aexists(object, name), name) > 0) check(H5Adelete(object, name), name);
  const Handle space(check(H5Screate(H5S_SCALAR), name), H5Sclose);
  return {check(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), name),
          H5Aclose};
}

Handle string_type(std::size_t length) {
  Handle type(check(H5Tcopy(H5T_C_S1), "string type"), H5Tclose);
  check(H5Tset_size(type.id(), std::max<std::size_t>(length, 1)), "string type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "string type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "string type");
  return type;
}

Handle open_scalar_attribute(hid_t object, const char* name, H5T_class_t kind) {
  if (H5Aexists(object, name) <= 0)
    throw IoError(fmt::format("the attribute '{}' is missing", name));
  Handle attribute(check(H5Aopen(object, name, H5P_DEFAULT), name), H5Aclose);
  const Handle type(check(H5Aget_type(attribute.id()), name), H5Tclose);
  const Handle space(check(H5Aget_space(attribute.id()), name), H5Sclose);
  if (H5Tget_class(type.id()) != kind || H5Sget_simple_extent_npoints(space.id()) != 1)
    throw IoError(fmt::format("the attribute '{}' is not of the expected type", name));
  return attribute;
}

}  // namespace

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    H5dont_atexit();
    H5open();
  });
  // In a thread-safe build each thread has its own error stack, and this setting with it.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_error() {
  std::string reason;
  const auto keep = [](unsigned /*depth*/, const H5E_error2_t* error, void* text) -> herr_t {
    if (error->desc != nullptr && *error->desc != '\0')
      *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &reason);
  H5Eclear2(H5E_DEFAULT);
  // Of a failed system call HDF5 tells the time, the file, addresses, and, quoted, the reason.
  constexpr std::string_view kQuoted = "error message = '";
  const std::size_t quoted = reason.find(kQuoted);
  if (quoted != std::string::npos) {
    reason.erase(0, quoted + kQuoted.size());
    reason.resize(std::min(reason.size(), reason.find('\'')));
  }
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason.empty() ? "unknown HDF5 error" : reason;
}

Handle create_file(const std::string& path, const std::string& what) {
  const Handle access(check(H5Pcreate(H5P_FILE_ACCESS), what), H5Pclose);
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), what);
  return {check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), what), H5Fclose};
}

void add_filters(hid_t creation, int deflate_level, const std::string& what) {
  if (deflate_level > 0) {
    check(H5Pset_shuffle(creation), what);
    check(H5Pset_deflate(creation, static_cast<unsigned>(deflate_level)), what);
  }
  check(H5Pset_fletcher32(creation), what);
}

void write_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type = string_type(value.size());
  const Handle attribute = create_attribute(object, name, type.id());
  check(H5Awrite(attribute.id(), type.id(), value.data()), name);
}

void write_attribute(hid_t object, const char* name, std::uint64_t value) {
  const Handle attribute = create_attribute(object, name, H5T_STD_U64LE);
  check(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, &value), name);
}

std::string read_string_attribute(hid_t object, const char* name) {
  const Handle attribute = open_scalar_attribute(object, name, H5T_STRING);
  const Handle stored(check(H5Aget_type(attribute.id()), name), H5Tclose);
  if (check(H5Tis_variable_str(stored.id()), name) != 0)
    throw IoError(fmt::format("the attribute '{}' is not a fixed-length string", name));
  std::string value(H5Tget_size(stored.id()), '\0');
  check(H5Aread(attribute.id(), stored.id(), value.data()), name);
  value.resize(std::min(value.size(), value.find('\0')));
  return value;
}

std::uint64_t read_integer_attribute(hid_t object, const char* name) {
  const Handle attribute = open_scalar_attribute(object, name, H5T_INTEGER);
  std::uint64_t value = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), name);
  return value;
}

}  // namespace grundy::hdf5
