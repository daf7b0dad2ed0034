#include "grundy/dataset/writer.hpp"

#include <exception>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "grundy/dataset/bounded_queue.hpp"
#include "grundy/dataset/chunk_assembler.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/origin.hpp"
#include "grundy/dataset/partial_file.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

using hdf5::check;
using hdf5::Handle;

hid_t stored_type(unsigned value_bytes) { return value_bytes == 2 ? H5T_STD_U16LE : H5T_STD_U32LE; }

}  // namespace

class DatasetWriter::Impl {
 public:
  Impl(std::string path, const Rule& rule, const Extent& extent, const std::string& engine,
       const DatasetOptions& options)
      : partial_(std::move(path), options.overwrite),
        extent_(extent),
        value_bytes_(format::value_bytes(extent)),
        chunk_extent_(format::chunk_extent(extent)),
        assembler_(extent, chunk_extent_, value_bytes_),
        queue_(std::max<std::size_t>(2, kQueueBytes / (chunk_extent_.cells() * value_bytes_))) {
    try {
      create_file(rule, engine, options.codec);
    } catch (...) {
      close_file();
      partial_.remove();
      throw;
    }
    thread_ = std::jthread([this] { write_queued_chunks(); });
  }

  ~Impl() {
    finish_writing();
    const bool closed = close_file();
    if (closed && !published_ && written_cells_ == 0) partial_.remove();
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
    if (!close_file())
      throw IoError(fmt::format("cannot write to {}: {}", partial_path(), hdf5::last_error()));
    partial_.publish();
    published_ = true;
  }

  [[nodiscard]] const std::string& partial_path() const { return partial_.partial_path(); }
  [[nodiscard]] std::uint64_t file_bytes() const {
    return std::filesystem::file_size(partial_.path());
  }

 private:
  void create_file(const Rule& rule, const std::string& engine, const Codec& codec) {
    hdf5::initialize();
    const std::string what = fmt::format("cannot write {}", partial_path());
    file_ = hdf5::create_file(partial_path(), what);

    const hsize_t dims[2] = {extent_.rows, extent_.cols};
    const hsize_t chunk[2] = {chunk_extent_.rows, chunk_extent_.cols};
    const Handle space(check(H5Screate_simple(2, dims, nullptr), what), H5Sclose);
    const Handle create(check(H5Pcreate(H5P_DATASET_CREATE), what), H5Pclose);
    check(H5Pset_chunk(create.id(), 2, chunk), what);
    const std::uint32_t fill = format::fill_value(value_bytes_);
    check(H5Pset_fill_value(create.id(), H5T_NATIVE_UINT32, &fill), what);
    hdf5::add_filters(create.id(), codec.level, what);
    table_ = {check(H5Dcreate2(file_.id(), format::kTable, stored_type(value_bytes_), space.id(),
                               H5P_DEFAULT, create.id(), H5P_DEFAULT),
                    what),
              H5Dclose};

    hdf5::write_attribute(table_.id(), "format", format::kName);
    hdf5::write_attribute(table_.id(), "format_version", format::kVersion);
    hdf5::write_attribute(table_.id(), "storage", format::kFullStorage);
    hdf5::write_attribute(table_.id(), "first_x", std::uint64_t{0});
    hdf5::write_attribute(table_.id(), "first_y", std::uint64_t{0});
    hdf5::write_attribute(table_.id(), "play", format::kPlay);
    hdf5::write_attribute(table_.id(), "axis_order", format::kAxisOrder);
    hdf5::write_attribute(table_.id(), "engine", engine);
    hdf5::write_attribute(table_.id(), "compression", codec.name());
    write_origin(table_.id(), rule);
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
    const std::string what = fmt::format("cannot write to {}", partial_path());
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
    const std::string what = fmt::format("cannot write to {}", partial_path());
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

  /// False when HDF5 could not write what it had buffered.
  bool close_file() {
    const bool table_closed = table_.close();
    return file_.close() && table_closed;
  }

  PartialFile partial_;
  Extent extent_;
  unsigned value_bytes_;
  Extent chunk_extent_;
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
