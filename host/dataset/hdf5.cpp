#include "grundy/dataset/hdf5.hpp"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <zstd.h>

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

/// How the HDF Group has registered the Zstandard filter.
constexpr H5Z_filter_t kZstdFilter = 32015;

/// HDF5 calls this for chunks of files whose filters read_filters() does not know as a whole; for
/// all others, and for writing, the project's own filters serve.
std::size_t filter_by_zstd(unsigned flags, std::size_t /*values*/, const unsigned /*value*/[],
                           std::size_t bytes, std::size_t* buffer_bytes, void** buffer) {
  constexpr std::size_t kFailed = 0;
  if ((flags & H5Z_FLAG_REVERSE) == 0) return kFailed;
  const unsigned long long size = ZSTD_getFrameContentSize(*buffer, bytes);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size == 0)
    return kFailed;
  void* plain = H5allocate_memory(size, false);
  if (plain == nullptr) return kFailed;
  if (ZSTD_decompress(plain, size, *buffer, bytes) != size) {
    H5free_memory(plain);
    return kFailed;
  }
  H5free_memory(*buffer);
  *buffer = plain;
  *buffer_bytes = size;
  return size;
}

Handle writing_access(const std::string& what) {
  Handle access(check(H5Pcreate(H5P_FILE_ACCESS), what), H5Pclose);
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), what);
  // PartialFile locks what is written. HDF5's lock would let a reader that looks at the file keep
  // the writer from opening it again.
  check(H5Pset_file_locking(access.id(), false, true), what);
  return access;
}

}  // namespace

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    H5dont_atexit();
    H5open();
    const H5Z_class2_t zstd{H5Z_CLASS_T_VERS, kZstdFilter, 1,       1,
                            "zstd",           nullptr,     nullptr, filter_by_zstd};
    H5Zregister(&zstd);
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
  const Handle access = writing_access(what);
  return {check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), what), H5Fclose};
}

Handle open_for_writing(const std::string& path, const std::string& what) {
  const Handle access = writing_access(what);
  return {check(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), what), H5Fclose};
}

void add_filters(hid_t creation, const FilterPipeline& filters, const std::string& what) {
  for (const Filter& filter : filters) {
    switch (filter.kind) {
      case FilterKind::kShuffle:
        check(H5Pset_shuffle(creation), what);
        break;
      case FilterKind::kDeflate:
        // To HDF5 the level is a note of how the chunks were made; it knows 0 to 9.
        check(H5Pset_deflate(creation, static_cast<unsigned>(std::min(filter.level, 9))), what);
        break;
      case FilterKind::kZstd: {
        const auto level = static_cast<unsigned>(filter.level);
        check(H5Pset_filter(creation, kZstdFilter, H5Z_FLAG_OPTIONAL, 1, &level), what);
        break;
      }
      case FilterKind::kFletcher32:
        check(H5Pset_fletcher32(creation), what);
        break;
    }
  }
}

std::optional<FilterPipeline> read_filters(hid_t creation) {
  const int count = H5Pget_nfilters(creation);
  FilterPipeline filters;
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    unsigned config = 0;
    switch (H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr,
                           &config)) {
      case H5Z_FILTER_SHUFFLE:
        filters.push_back({FilterKind::kShuffle});
        break;
      case H5Z_FILTER_DEFLATE:
        filters.push_back({FilterKind::kDeflate});
        break;
      case kZstdFilter:
        filters.push_back({FilterKind::kZstd});
        break;
      case H5Z_FILTER_FLETCHER32:
        filters.push_back({FilterKind::kFletcher32});
        break;
      default:
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
  }
  // One of each group, in this order.
  const auto group = [](const Filter& filter) {
    return filter.kind == FilterKind::kShuffle ? 0 : filter.kind == FilterKind::kFletcher32 ? 2 : 1;
  };
  for (std::size_t i = 1; i < filters.size(); ++i)
    if (group(filters[i - 1]) >= group(filters[i])) return std::nullopt;
  return filters;
}

void require_filters(hid_t creation) {
  const int count = H5Pget_nfilters(creation);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    char name[64] = {};
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, sizeof name, name, nullptr);
    if (filter >= 0 && H5Zfilter_avail(filter) > 0) continue;
    H5Eclear2(H5E_DEFAULT);
    throw IoError(fmt::format(
        "reading it takes HDF5's filter {} ({}), which is not installed; HDF5_PLUGIN_PATH "
        "names the folder of its plugin",
        filter, name[0] == '\0' ? "without a name" : name));
  }
}

std::optional<std::uint64_t> find_chunk(hid_t table, std::uint64_t i, std::uint64_t j,
                                        const std::string& what) {
  const hsize_t element[2] = {i, j};
  unsigned skipped = 0;
  haddr_t offset = HADDR_UNDEF;
  hsize_t bytes = 0;
  check(H5Dget_chunk_info_by_coord(table, element, &skipped, &offset, &bytes), what);
  if (offset == HADDR_UNDEF) return std::nullopt;
  return offset;
}

std::optional<std::uint32_t> read_chunk(hid_t table, std::uint64_t i, std::uint64_t j,
                                        std::size_t most, std::vector<std::byte>& stored,
                                        const std::string& what) {
  const hsize_t element[2] = {i, j};
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(table, element, &bytes) < 0) {
    const std::string reason = last_error();
    // It is an error as well when the chunk was not written.
    if (!find_chunk(table, i, j, what)) return std::nullopt;
    throw IoError(fmt::format("{}: {}", what, reason));
  }
  if (bytes == 0) return std::nullopt;
  if (bytes > most)
    throw IoError(
        fmt::format("{}: it is said to take {} bytes, more than its elements need", what, bytes));
  stored.resize(bytes);
  std::uint32_t skipped = 0;
  check(H5Dread_chunk(table, H5P_DEFAULT, element, &skipped, stored.data()), what);
  return skipped;
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
