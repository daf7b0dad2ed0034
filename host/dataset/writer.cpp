#include "grundy/dataset/writer.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "grundy/dataset/bounded_queue.hpp"
#include "grundy/dataset/chunk_assembler.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/version.hpp"

namespace grundy {
namespace {

using hdf5::check;
using hdf5::Handle;

[[noreturn]] void throw_errno(const std::string& what) {
  throw IoError(fmt::format("{}: {}", what, std::strerror(errno)));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// Creates the partial file, which must not exist: with it this run claims the output.
Descriptor create_exclusively(const std::string& path, const std::string& partial, bool overwrite) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    throw IoError(fmt::format("cannot write {}: {}", path, error.message()));
  if (std::filesystem::is_directory(status))
    throw IoError(fmt::format("{} is a folder; name a file to write the table to", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw IoError(fmt::format("{} is not a regular file and is not replaced", path));
  // Of a symbolic link it is the link itself that is in the way, whether or not it leads anywhere.
  if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw IoError(fmt::format("{} exists; --force replaces it", path));
  if (overwrite && ::unlink(partial.c_str()) != 0 && errno != ENOENT)
    throw_errno(fmt::format("cannot remove {}", partial));
  const int fd = ::open(partial.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    throw IoError(fmt::format(
        "{} exists: an interrupted run has left it, or another run is writing it; --force replaces "
        "it",
        partial));
  if (fd < 0) throw_errno(fmt::format("cannot create {}", partial));
  return Descriptor(fd);
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

/// Cells of a large triangle are not listed: the attribute would outgrow the table.
std::string terminal_cells_text(const Rule& rule) {
  if (rule.terminal_count() > Rule::kMaxCells) return "those of the rule";
  std::string text;
  for (const Position& cell : rule.terminal_cells())
    text += fmt::format("{}{},{}", text.empty() ? "" : ";", cell.x, cell.y);
  return text;
}

hid_t stored_type(unsigned value_bytes) { return value_bytes == 2 ? H5T_STD_U16LE : H5T_STD_U32LE; }

}  // namespace

class DatasetWriter::Impl {
 public:
  Impl(std::string path, const Rule& rule, const Extent& extent, const std::string& engine,
       const DatasetOptions& options)
      : path_(std::move(path)),
        partial_path_(path_ + ".partial"),
        extent_(extent),
        overwrite_(options.overwrite),
        value_bytes_(format::value_bytes(extent)),
        chunk_extent_(format::chunk_extent(extent)),
        descriptor_(create_exclusively(path_, partial_path_, options.overwrite)),
        assembler_(extent, chunk_extent_, value_bytes_),
        queue_(std::max<std::size_t>(2, kQueueBytes / (chunk_extent_.cells() * value_bytes_))) {
    try {
      create_file(rule, engine, options.codec);
    } catch (...) {
      close_file();
      ::unlink(partial_path_.c_str());
      throw;
    }
    thread_ = std::jthread([this] { write_queued_chunks(); });
  }

  ~Impl() {
    finish_writing();
    const bool closed = close_file();
    if (closed && !published_ && written_cells_ == 0) ::unlink(partial_path_.c_str());
  }

  void consume(const FinishedTile& tile) {
    for_each_view(tile, [this](const TileView& view) {
      assembler_.add(view, [this](std::unique_ptr<Chunk> chunk) {
        if (!queue_.push(std::move(chunk))) rethrow_write_error();
      });
    });
  }

  void publish(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
    finish_writing();
    rethrow_write_error();
    if (written_cells_ != extent_.cells() || summary.cells != extent_.cells())
      throw std::logic_error(fmt::format("{} of {} cells were written, {} summed up",
                                         written_cells_, extent_.cells(), summary.cells));
    write_results(summary, histogram);
    make_durable_and_rename();
  }

  [[nodiscard]] const std::string& partial_path() const { return partial_path_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return std::filesystem::file_size(path_); }

 private:
  void create_file(const Rule& rule, const std::string& engine, const Codec& codec) {
    hdf5::initialize();
    const std::string what = fmt::format("cannot write {}", partial_path_);
    const Handle access(check(H5Pcreate(H5P_FILE_ACCESS), what), H5Pclose);
    // The format of HDF5 1.10: its chunk index suits a table of fixed size.
    check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), what);
    file_ = {check(H5Fcreate(partial_path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), what),
             H5Fclose};

    const hsize_t dims[2] = {extent_.rows, extent_.cols};
    const hsize_t chunk[2] = {chunk_extent_.rows, chunk_extent_.cols};
    const Handle space(check(H5Screate_simple(2, dims, nullptr), what), H5Sclose);
    const Handle create(check(H5Pcreate(H5P_DATASET_CREATE), what), H5Pclose);
    check(H5Pset_chunk(create.id(), 2, chunk), what);
    const std::uint32_t fill = format::fill_value(value_bytes_);
    check(H5Pset_fill_value(create.id(), H5T_NATIVE_UINT32, &fill), what);
    if (codec.level > 0) {
      check(H5Pset_shuffle(create.id()), what);
      check(H5Pset_deflate(create.id(), static_cast<unsigned>(codec.level)), what);
    }
    check(H5Pset_fletcher32(create.id()), what);
    table_ = {check(H5Dcreate2(file_.id(), format::kTable, stored_type(value_bytes_), space.id(),
                               H5P_DEFAULT, create.id(), H5P_DEFAULT),
                    what),
              H5Dclose};

    hdf5::write_attribute(table_.id(), "format", format::kName);
    hdf5::write_attribute(table_.id(), "format_version", format::kVersion);
    hdf5::write_attribute(table_.id(), "rule", rule.name());
    hdf5::write_attribute(table_.id(), "terminal_cells", terminal_cells_text(rule));
    hdf5::write_attribute(table_.id(), "play", format::kPlay);
    hdf5::write_attribute(table_.id(), "axis_order", format::kAxisOrder);
    hdf5::write_attribute(table_.id(), "software", "grundy");
    hdf5::write_attribute(table_.id(), "software_version", kVersion);
    hdf5::write_attribute(table_.id(), "engine", engine);
    hdf5::write_attribute(table_.id(), "compression", codec.name());
    hdf5::write_attribute(table_.id(), "created", utc_now());
    hdf5::write_attribute(table_.id(), "complete", std::uint64_t{0});
  }

  /// The writing thread: from here to its end, all HDF5 calls are its.
  void write_queued_chunks() {
    try {
      hdf5::initialize();
      while (const auto chunk = queue_.pop()) write_chunk(**chunk);
    } catch (...) {
      const std::scoped_lock lock(error_mutex_);
      write_error_ = std::current_exception();
      queue_.close();
    }
  }

  void write_chunk(const Chunk& chunk) {
    const std::string what = fmt::format("cannot write to {}", partial_path_);
    const hsize_t start[2] = {chunk.x0, chunk.y0};
    const hsize_t count[2] = {chunk.extent.rows, chunk.extent.cols};
    const Handle memory(check(H5Screate_simple(2, count, nullptr), what), H5Sclose);
    const Handle file(check(H5Dget_space(table_.id()), what), H5Sclose);
    check(H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start, nullptr, count, nullptr), what);
    check(H5Dwrite(table_.id(), value_bytes_ == 2 ? H5T_NATIVE_UINT16 : H5T_NATIVE_UINT32,
                   memory.id(), file.id(), H5P_DEFAULT, chunk.bytes.data()),
          what);
    written_cells_ += chunk.extent.cells();
  }

  void finish_writing() {
    queue_.close();
    if (thread_.joinable()) thread_.join();
  }

  void rethrow_write_error() {
    const std::scoped_lock lock(error_mutex_);
    if (write_error_) std::rethrow_exception(write_error_);
  }

  void write_results(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
    const std::string what = fmt::format("cannot write to {}", partial_path_);
    const hsize_t values[1] = {histogram.size()};
    const Handle space(check(H5Screate_simple(1, values, nullptr), what), H5Sclose);
    const Handle counts(check(H5Dcreate2(file_.id(), format::kHistogram, H5T_STD_U64LE, space.id(),
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                              what),
                        H5Dclose);
    check(H5Dwrite(counts.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, histogram.data()),
          what);
    hdf5::write_attribute(table_.id(), "digest", fmt::format("{:016x}", summary.digest));
    hdf5::write_attribute(table_.id(), "max_value", summary.max_value);
    hdf5::write_attribute(table_.id(), "zeros", summary.zeros);
    hdf5::write_attribute(table_.id(), "ones", summary.ones);
    hdf5::write_attribute(table_.id(), "complete", std::uint64_t{1});
    check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL), what);
  }

  void make_durable_and_rename() {
    if (!close_file())
      throw IoError(fmt::format("cannot write to {}: {}", partial_path_, hdf5::last_error()));
    if (::fsync(descriptor_.get()) != 0) throw_errno(fmt::format("cannot write {}", partial_path_));
    // Whoever replaced the partial file meanwhile must not have his published in our name.
    struct stat ours {};
    struct stat named {};
    if (::fstat(descriptor_.get(), &ours) != 0 || ::stat(partial_path_.c_str(), &named) != 0 ||
        ours.st_ino != named.st_ino || ours.st_dev != named.st_dev)
      throw IoError(fmt::format("{} was replaced while it was written", partial_path_));
    const unsigned flags = overwrite_ ? 0U : RENAME_NOREPLACE;
    int status = ::renameat2(AT_FDCWD, partial_path_.c_str(), AT_FDCWD, path_.c_str(), flags);
    if (status != 0 && errno == EINVAL)  // a file system that cannot promise not to replace
      status = ::rename(partial_path_.c_str(), path_.c_str());
    if (status != 0) throw_errno(fmt::format("cannot rename {} to {}", partial_path_, path_));
    published_ = true;
    const Descriptor folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() < 0 || ::fsync(folder.get()) != 0)
      throw_errno(fmt::format("cannot make the name {} durable", path_));
  }

  /// False when HDF5 could not write what it had buffered.
  bool close_file() {
    const bool table_closed = table_.close();
    return file_.close() && table_closed;
  }

  std::string path_;
  std::string partial_path_;
  Extent extent_;
  bool overwrite_;
  unsigned value_bytes_;
  Extent chunk_extent_;
  Descriptor descriptor_;
  Handle file_;
  Handle table_;
  std::uint64_t written_cells_ = 0;  // by the writing thread
  bool published_ = false;
  ChunkAssembler assembler_;
  BoundedQueue<std::unique_ptr<Chunk>> queue_;
  std::mutex error_mutex_;
  std::exception_ptr write_error_;
  std::jthread thread_;
};

DatasetWriter::DatasetWriter(std::string path, const Rule& rule, const Extent& extent,
                             const std::string& engine, const DatasetOptions& options)
    : impl_(std::make_unique<Impl>(std::move(path), rule, extent, engine, options)) {}

DatasetWriter::~DatasetWriter() = default;

void DatasetWriter::consume(const FinishedTile& tile) { impl_->consume(tile); }

void DatasetWriter::publish(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
  impl_->publish(summary, histogram);
}

const std::string& DatasetWriter::partial_path() const { return impl_->partial_path(); }

std::uint64_t DatasetWriter::file_bytes() const { return impl_->file_bytes(); }

}  // namespace grundy
