// The few HDF5 calls the project makes, with owned handles and failures as exceptions. Not every
// build of the library is thread-safe: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "grundy/dataset/filters.hpp"
#include "grundy/game/errors.hpp"

namespace grundy::hdf5 {

/// An HDF5 identifier, closed when it goes out of scope.
class Handle {
 public:
  using CloseFunction = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, CloseFunction close_function) : id_(id), close_(close_function) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes now; false when HDF5 reports a failure, as it does when buffered data cannot be
  /// written.
  [[nodiscard]] bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  CloseFunction close_ = nullptr;
};

/// Keeps HDF5 from printing error stacks of this thread, and from flushing at exit what could not
/// be written. Called by each thread before it uses a file.
void initialize();

/// The reason at the bottom of HDF5's error stack, such as "No space left on device", in one line.
std::string last_error();

/// Throws IoError "<what>: <last_error()>" when `status` is negative, else returns it.
template <typename Status>
Status check(Status status, const std::string& what) {
  if (status < 0) throw IoError(what + ": " + last_error());
  return status;
}

/// Creates a file, or empties the one that is there, in the format of HDF5 1.10: its chunk index
/// suits tables of fixed size. Throws IoError "<what>: ...".
Handle create_file(const std::string& path, const std::string& what);

/// Opens a file that create_file has made, for going on with it.
Handle open_for_writing(const std::string& path, const std::string& what);

/// The type of values of 2 or 4 bytes in a table file.
inline hid_t stored_type(unsigned value_bytes) {
  return value_bytes == 2 ? H5T_STD_U16LE : H5T_STD_U32LE;
}

/// Sets the filters of a chunked dataset that is to be created.
void add_filters(hid_t creation, const FilterPipeline& filters, const std::string& what);

/// The filters of a dataset with this creation property list, when ChunkFilters can do what they
/// do: at most one of each kind, in the order of Codec::filters().
std::optional<FilterPipeline> read_filters(hid_t creation);

/// Throws IoError that names the first filter of the dataset that HDF5 does not have at hand.
void require_filters(hid_t creation);

/// Where the chunk with element (i,j) of a two-dimensional dataset begins in the file; empty when
/// it was not written. HDF5 1.10 looks through the places of all chunks: not for many of them.
std::optional<std::uint64_t> find_chunk(hid_t table, std::uint64_t i, std::uint64_t j,
                                        const std::string& what);

/// The bytes of that chunk as they are stored, into `stored`, and which filters were skipped; empty
/// when it was not written. Throws IoError, also when the chunk takes more than `most` bytes.
std::optional<std::uint32_t> read_chunk(hid_t table, std::uint64_t i, std::uint64_t j,
                                        std::size_t most, std::vector<std::byte>& stored,
                                        const std::string& what);

/// Scalar attributes of an object; writing creates them or replaces their value. Strings are of
/// fixed length, UTF-8: those lie in the object's header, under its checksum, while HDF5 keeps
/// variable-length ones where one damaged byte makes it crash.
void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, std::uint64_t value);

/// Throw IoError that names the attribute when it is missing or of another kind.
std::string read_string_attribute(hid_t object, const char* name);
std::uint64_t read_integer_attribute(hid_t object, const char* name);

}  // namespace grundy::hdf5
