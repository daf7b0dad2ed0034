#include "grundy/dataset/level_file.hpp"

#include <array>

#include <fmt/format.h>

#include "grundy/dataset/codec.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/origin.hpp"
#include "grundy/dataset/partial_file.hpp"

namespace grundy {
namespace {

using hdf5::check;
using hdf5::Handle;

constexpr hsize_t kChunk = hsize_t{1} << 17U;  // elements: 1 MiB of coordinates

/// An empty one-dimensional dataset that can grow.
Handle create_column(hid_t file, const char* name, hid_t type, const std::string& what) {
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Handle space(check(H5Screate_simple(1, &none, &unlimited), what), H5Sclose);
  const Handle create(check(H5Pcreate(H5P_DATASET_CREATE), what), H5Pclose);
  check(H5Pset_chunk(create.id(), 1, &kChunk), what);
  hdf5::add_filters(create.id(), Codec{}.filters(), what);
  return {
      check(H5Dcreate2(file, name, type, space.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT), what),
      H5Dclose};
}

}  // namespace

class LevelFile::Impl {
 public:
  Impl(std::string path, const Rule& rule, const LevelFileOptions& options)
      : partial_(std::move(path), replace_or_refuse(options.overwrite)),
        what_(fmt::format("cannot write to {}", partial_.partial_path())) {
    try {
      create_file(rule, options);
    } catch (...) {
      (void)close();
      partial_.remove();
      throw;
    }
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (closed_) return;
    (void)close();
    partial_.remove();
  }

  void append(const std::vector<LevelCell>& cells) {
    for (const LevelCell& cell : cells) {
      x_.push_back(cell.position.x);
      y_.push_back(cell.position.y);
      value_.push_back(cell.value);
    }
    if (x_.size() >= kChunk) write_collected();
  }

  void publish() {
    write_collected();
    hdf5::write_attribute(file_.id(), "positions", written_);
    hdf5::write_attribute(file_.id(), "complete", std::uint64_t{1});
    check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL), what_);
    if (!close()) throw IoError(fmt::format("{}: {}", what_, hdf5::last_error()));
    closed_ = true;
    partial_.publish();
  }

 private:
  void create_file(const Rule& rule, const LevelFileOptions& options) {
    hdf5::initialize();
    file_ = hdf5::create_file(partial_.partial_path(), what_);
    columns_ = {create_column(file_.id(), "x", H5T_STD_U64LE, what_),
                create_column(file_.id(), "y", H5T_STD_U64LE, what_),
                create_column(file_.id(), "value", H5T_STD_U8LE, what_)};
    hdf5::write_attribute(file_.id(), "format", format::kLevelsName);
    hdf5::write_attribute(file_.id(), "format_version", std::uint64_t{1});
    hdf5::write_attribute(file_.id(), "play", "normal");
    hdf5::write_attribute(file_.id(), "limit", options.limit);
    hdf5::write_attribute(file_.id(), "first_value", std::uint64_t{options.first});
    hdf5::write_attribute(file_.id(), "last_value", std::uint64_t{options.last});
    write_origin(file_.id(), rule);
  }

  void write_collected() {
    const hsize_t count = x_.size();
    write_column(columns_[0].id(), H5T_NATIVE_UINT64, x_.data(), count);
    write_column(columns_[1].id(), H5T_NATIVE_UINT64, y_.data(), count);
    write_column(columns_[2].id(), H5T_NATIVE_UINT8, value_.data(), count);
    written_ += count;
    x_.clear();
    y_.clear();
    value_.clear();
  }

  void write_column(hid_t column, hid_t type, const void* values, hsize_t count) {
    const hsize_t start = written_;
    const hsize_t size = start + count;
    check(H5Dset_extent(column, &size), what_);
    const Handle memory(check(H5Screate_simple(1, &count, nullptr), what_), H5Sclose);
    const Handle file(check(H5Dget_space(column), what_), H5Sclose);
    check(H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr), what_);
    check(H5Dwrite(column, type, memory.id(), file.id(), H5P_DEFAULT, values), what_);
  }

  /// False when HDF5 could not write what it had buffered.
  [[nodiscard]] bool close() {
    bool closed = true;
    for (Handle& column : columns_) closed = column.close() && closed;
    return file_.close() && closed;
  }

  PartialFile partial_;
  std::string what_;
  Handle file_;
  std::array<Handle, 3> columns_;  // closed before the file
  std::vector<std::uint64_t> x_;
  std::vector<std::uint64_t> y_;
  std::vector<std::uint8_t> value_;
  std::uint64_t written_ = 0;
  bool closed_ = false;  // complete: what becomes of it is up to PartialFile
};

LevelFile::LevelFile(std::string path, const Rule& rule, const LevelFileOptions& options)
    : impl_(std::make_unique<Impl>(std::move(path), rule, options)) {}

LevelFile::~LevelFile() = default;

void LevelFile::append(const std::vector<LevelCell>& cells) { impl_->append(cells); }

void LevelFile::publish() { impl_->publish(); }

}  // namespace grundy
