#include "grundy/dataset/reader.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "grundy/dataset/elements.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/stored_chunks.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/engine/run_in_threads.hpp"
#include "grundy/game/block_grid.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/limits.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

using hdf5::check;
using hdf5::Handle;

Handle open_file(const std::string& path) {
  hdf5::initialize();
  // HDF5 has one message for all that can be wrong with a path; the system knows better.
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw IoError(fmt::format("{}: {}", path, std::strerror(error ? error.value() : ENOENT)));
  if (std::filesystem::is_directory(status)) throw IoError(fmt::format("{} is a folder", path));
  if (!std::filesystem::is_regular_file(status))
    throw IoError(fmt::format("{} is not a regular file", path));
  if (!std::ifstream(path)) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    H5Eclear2(H5E_DEFAULT);
    throw IoError(fmt::format("{} is not an HDF5 file, or its beginning is damaged", path));
  }
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    throw IoError(
        fmt::format("{} is damaged, truncated, or being written: {}", path, hdf5::last_error()));
  return {file, H5Fclose};
}

bool is_level_file(hid_t file) {
  if (H5Aexists(file, "format") <= 0) return false;
  try {
    return hdf5::read_string_attribute(file, "format") == format::kLevelsName;
  } catch (const IoError&) {  // of another type, for one
    return false;
  }
}

Handle open_table(hid_t file) {
  const auto foreign = [](const std::string& why) {
    H5Eclear2(H5E_DEFAULT);
    return IoError("an HDF5 file, but not a table of this program: " + why);
  };
  const hid_t id = H5Dopen2(file, format::kTable, H5P_DEFAULT);
  if (id < 0 && is_level_file(file)) {
    H5Eclear2(H5E_DEFAULT);
    throw IoError("a list of positions by value, as 'grundy levels' writes it, not a table");
  }
  if (id < 0) throw foreign(fmt::format("there is no dataset {}", format::kTable));
  Handle table(id, H5Dclose);
  std::string name;
  try {
    name = hdf5::read_string_attribute(id, "format");
  } catch (const IoError& error) {
    throw foreign(error.what());
  }
  if (name != format::kName) throw foreign(fmt::format("its format is '{}'", excerpt(name)));
  return table;
}

Extent two_dimensions(hid_t space) {
  hsize_t dims[2] = {};
  if (H5Sget_simple_extent_ndims(space) != 2 || H5Sget_simple_extent_dims(space, dims, nullptr) < 0)
    throw IoError("the table does not have two dimensions");
  return {dims[0], dims[1]};
}

}  // namespace

class DatasetReader::Impl {
 public:
  explicit Impl(const std::string& path) : path_(path), file_(open_file(path)) {
    try {
      table_ = open_table(file_.id());
      read_info();
    } catch (const UsageError& error) {  // the file's rule or extent, not the user's
      throw IoError(fmt::format("{}: {}", path, error.what()));
    } catch (const IoError& error) {
      throw IoError(fmt::format("{}: {}", path, error.what()));
    }
  }

  [[nodiscard]] const DatasetInfo& info() const { return info_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  void read(const Region& region, std::uint32_t* values) const {
    if (!info_.region.contains(region))
      throw std::logic_error(fmt::format("{}: positions are read that it does not have", path_));
    const bool reaches_below_diagonal = info_.half && region.x1() > region.y0 + 1;
    if (!reaches_below_diagonal || region.x0 < region.y1()) read_stored(region, values);
    if (reaches_below_diagonal) read_mirror_images(region, values);
  }

  [[nodiscard]] std::uint64_t stored_chunks() const {
    const std::scoped_lock lock(hdf5_mutex_);
    hdf5::initialize();
    const std::string what = path_ + ": cannot count the chunks";
    const Handle space(check(H5Dget_space(table_.id()), what), H5Sclose);
    hsize_t count = 0;
    check(H5Dget_num_chunks(table_.id(), space.id(), &count), what);
    return count;
  }

  void look_up_chunks() const {
    const std::scoped_lock lock(hdf5_mutex_);
    hdf5::initialize();
    const ChunkGrid grid = info_.grid();
    for (std::uint64_t i = 0; i < grid.rows(); ++i) {
      for (std::uint64_t j = 0; j < grid.cols(); ++j) {
        const hsize_t corner[2] = {i * info_.chunk.rows, j * info_.chunk.cols};
        hsize_t bytes = 0;
        // An error is an answer too: there may be no such chunk.
        if (H5Dget_chunk_storage_size(table_.id(), corner, &bytes) < 0) H5Eclear2(H5E_DEFAULT);
      }
    }
  }

  [[nodiscard]] std::vector<std::uint64_t> read_histogram() const {
    const std::scoped_lock lock(hdf5_mutex_);
    hdf5::initialize();
    const std::string what = fmt::format("{}: cannot read {}", path_, format::kHistogram);
    const Handle counts(check(H5Dopen2(file_.id(), format::kHistogram, H5P_DEFAULT), what),
                        H5Dclose);
    const Handle space(check(H5Dget_space(counts.id()), what), H5Sclose);
    const hssize_t size = check(H5Sget_simple_extent_npoints(space.id()), what);
    // One count for each value that the extent allows, at most: a damaged size must not fill
    // memory.
    if (H5Sget_simple_extent_ndims(space.id()) != 1 ||
        static_cast<std::uint64_t>(size) > info_.extent.rows + info_.extent.cols)
      throw IoError(what + ": its size does not fit the table");
    std::vector<std::uint64_t> values(static_cast<std::size_t>(size));
    check(H5Dread(counts.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          what);
    return values;
  }

 private:
  /// The elements of these positions as they are.
  void read_stored(const Region& region, std::uint32_t* values) const {
    try {
      if (chunks_) {
        read_by_chunks(region, values);
      } else {
        read_by_hdf5(region, values);
      }
    } catch (const IoError& error) {
      throw IoError(fmt::format("{}: cannot read cells {} <= x < {}, {} <= y < {}: {}", path_,
                                region.x0, region.x1(), region.y0, region.y1(), error.what()));
    }
  }

  void read_by_chunks(const Region& region, std::uint32_t* values) const {
    const ChunkGrid& grid = chunks_->grid();
    const auto elements = std::make_unique_for_overwrite<std::byte[]>(grid.chunk_bytes());
    for_each_chunk(grid, region, [&](std::uint64_t i, std::uint64_t j) {
      chunks_->read(i, j, {elements.get(), grid.chunk_bytes()});
      const Region part = intersection(grid.positions(i, j), region);
      widen_elements(grid, i, j, {elements.get(), grid.chunk_bytes()}, part,
                     values + (part.x0 - region.x0) * region.extent.cols + part.y0 - region.y0,
                     region.extent.cols);
    });
  }

  void read_by_hdf5(const Region& region, std::uint32_t* values) const {
    const std::scoped_lock lock(hdf5_mutex_);
    hdf5::initialize();
    const std::string what = "HDF5";
    const hsize_t start[2] = {region.x0 - info_.region.x0, region.y0 - info_.region.y0};
    const hsize_t count[2] = {region.extent.rows, region.extent.cols};
    const Handle memory(check(H5Screate_simple(2, count, nullptr), what), H5Sclose);
    const Handle file(check(H5Dget_space(table_.id()), what), H5Sclose);
    check(H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start, nullptr, count, nullptr), what);
    check(H5Dread(table_.id(), H5T_NATIVE_UINT32, memory.id(), file.id(), H5P_DEFAULT, values),
          what);
  }

  /// The positions y < x of half storage, from their mirror images.
  void read_mirror_images(const Region& region, std::uint32_t* values) const {
    // Only of the columns left of the last row's diagonal: others may have no image in the table.
    const std::uint64_t columns = std::min(region.extent.cols, region.x1() - 1 - region.y0);
    const Region mirror{region.y0, region.x0, {columns, region.extent.rows}};
    std::vector<std::uint32_t> images(mirror.extent.cells());
    read_stored(mirror, images.data());
    for (std::uint64_t i = 0; i < region.extent.rows; ++i) {
      for (std::uint64_t j = 0; j < columns && region.y0 + j < region.x0 + i; ++j)
        values[i * region.extent.cols + j] = images[j * region.extent.rows + i];
    }
  }

  void read_info() {
    const hid_t table = table_.id();
    info_.format_version = hdf5::read_integer_attribute(table, "format_version");
    if (info_.format_version > format::kVersion)
      throw IoError(
          fmt::format("format version {}, but this program reads only up to {}; use a newer one",
                      info_.format_version, format::kVersion));
    info_.rule = Rule::parse(hdf5::read_string_attribute(table, "rule"));
    read_region(table);
    read_storage(table);
    info_.play = hdf5::read_string_attribute(table, "play");
    if (info_.play != format::kPlay)
      throw IoError(fmt::format("the play '{}' is not known to this program, only {}",
                                excerpt(info_.play), format::kPlay));
    info_.software = hdf5::read_string_attribute(table, "software") + " " +
                     hdf5::read_string_attribute(table, "software_version");
    info_.engine = hdf5::read_string_attribute(table, "engine");
    info_.created = hdf5::read_string_attribute(table, "created");
    info_.compression = hdf5::read_string_attribute(table, "compression");
    info_.complete = hdf5::read_integer_attribute(table, "complete") == 1;
    if (!info_.complete) return;
    info_.digest = hdf5::read_string_attribute(table, "digest");
    info_.max_value = hdf5::read_integer_attribute(table, "max_value");
    info_.zeros = hdf5::read_integer_attribute(table, "zeros");
    info_.ones = hdf5::read_integer_attribute(table, "ones");
  }

  void read_region(hid_t table) {
    const Handle space(check(H5Dget_space(table), "table"), H5Sclose);
    const Extent stored = two_dimensions(space.id());
    check_extent(stored);
    info_.region = {0, 0, stored};
    if (info_.format_version >= 2) {  // before, every file was a whole table
      info_.region.x0 = hdf5::read_integer_attribute(table, "first_x");
      info_.region.y0 = hdf5::read_integer_attribute(table, "first_y");
      const std::string storage = hdf5::read_string_attribute(table, "storage");
      info_.half = storage == format::kHalfStorage;
      if (!info_.half && storage != format::kFullStorage)
        throw IoError(fmt::format("the storage '{}' is not known to this program, only {} and {}",
                                  excerpt(storage), format::kFullStorage, format::kHalfStorage));
    }
    for (const std::uint64_t first : {info_.region.x0, info_.region.y0})
      if (first > kValueLimit)
        throw IoError(fmt::format("the first position, {}, is too large", first));
    info_.extent = {info_.region.x1(), info_.region.y1()};
    check_extent(info_.extent);
    const bool can_be_half = info_.region.x0 == 0 && info_.region.y0 == 0 &&
                             info_.rule.symmetric() && stored.rows <= stored.cols;
    if (info_.half && !can_be_half)
      throw IoError(
          "half storage of a table that is not symmetric, a window, or has more rows "
          "than columns");
  }

  void read_storage(hid_t table) {
    info_.value_bytes = format::value_bytes(info_.extent);
    const Handle type(check(H5Dget_type(table), "type"), H5Tclose);
    if (H5Tget_class(type.id()) != H5T_INTEGER || H5Tget_sign(type.id()) != H5T_SGN_NONE ||
        H5Tget_size(type.id()) != info_.value_bytes)
      throw IoError(fmt::format("values are not unsigned integers of {} bytes", info_.value_bytes));
    const Handle create(check(H5Dget_create_plist(table), "storage"), H5Pclose);
    hsize_t chunk[2] = {};
    if (H5Pget_layout(create.id()) != H5D_CHUNKED || H5Pget_chunk(create.id(), 2, chunk) != 2)
      throw IoError("the table is not stored in two-dimensional chunks");
    info_.chunk = {chunk[0], chunk[1]};
    info_.block = {std::min<std::uint64_t>(chunk[0], 1024),
                   std::min<std::uint64_t>(chunk[1], 1024)};
    if (check(H5Tequal(type.id(), hdf5::stored_type(info_.value_bytes)), "type") > 0)
      open_chunks(create.id());
    info_.stored_bytes = H5Dget_storage_size(table);
    info_.file_bytes = std::filesystem::file_size(path_);
  }

  /// Chunks are decoded here where that is possible, and by HDF5 otherwise.
  void open_chunks(hid_t creation) {
    constexpr std::uint64_t kLargestChunk = std::uint64_t{16} << 20U;
    // Of half storage the other chunks are not there, and nobody needs them.
    const ChunkGrid grid = info_.grid();
    const Handle file_creation(check(H5Fget_create_plist(file_.id()), "storage"), H5Pclose);
    hsize_t user_block = 0;  // shifts all places in the file
    check(H5Pget_userblock(file_creation.id(), &user_block), "storage");
    // By another element size HDF5 would put together other values.
    unsigned flags = 0;
    unsigned shuffled_bytes = info_.value_bytes;
    std::size_t parameters = 1;
    if (H5Pget_filter_by_id2(creation, H5Z_FILTER_SHUFFLE, &flags, &parameters, &shuffled_bytes, 0,
                             nullptr, nullptr) < 0) {
      H5Eclear2(H5E_DEFAULT);  // there is none
    } else if (parameters != 1 || shuffled_bytes != info_.value_bytes) {
      return;
    }
    const std::optional<FilterPipeline> filters = hdf5::read_filters(creation);
    if (!filters) hdf5::require_filters(creation);
    if (filters && user_block == 0 && grid.chunk.rows <= kLargestChunk / grid.chunk.cols / 4)
      chunks_.emplace(grid, *filters,
                      [this, most = ChunkFilters({}, grid.chunk_bytes(), 1).largest_stored()](
                          std::uint64_t i, std::uint64_t j, std::vector<std::byte>& stored) {
                        return load_chunk(i, j, most, stored);
                      });
  }

  [[nodiscard]] std::optional<std::uint32_t> load_chunk(std::uint64_t i, std::uint64_t j,
                                                        std::size_t most,
                                                        std::vector<std::byte>& stored) const {
    const std::scoped_lock lock(hdf5_mutex_);
    hdf5::initialize();
    return hdf5::read_chunk(table_.id(), i * info_.chunk.rows, j * info_.chunk.cols, most, stored,
                            fmt::format("chunk ({},{})", i, j));
  }

  std::string path_;
  Handle file_;
  Handle table_;
  DatasetInfo info_;
  mutable std::mutex hdf5_mutex_;
  std::optional<StoredChunks> chunks_;
};

DatasetReader::DatasetReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}

DatasetReader::~DatasetReader() = default;

const DatasetInfo& DatasetReader::info() const { return impl_->info(); }

const std::string& DatasetReader::path() const { return impl_->path(); }

void DatasetReader::require_complete() const {
  if (!info().complete) throw IoError(path() + " is not a complete table");
}

void DatasetReader::require_whole_table() const {
  require_complete();
  const Region& region = info().region;
  if (region.x0 != 0 || region.y0 != 0)
    throw IoError(fmt::format("{} is only a window into a table, from position ({},{}) on", path(),
                              region.x0, region.y0));
}

void DatasetReader::read(const Region& region, std::uint32_t* values) const {
  impl_->read(region, values);
}

std::uint64_t DatasetReader::stored_chunks() const { return impl_->stored_chunks(); }

void DatasetReader::look_up_chunks() const { impl_->look_up_chunks(); }

std::vector<std::uint64_t> DatasetReader::read_histogram() const { return impl_->read_histogram(); }

bool read_tiles(const DatasetReader& reader, TileSink& sink, const std::stop_token& stop,
                const ReadTilesOptions& options) {
  const DatasetInfo& info = reader.info();
  const Region wanted = options.region.value_or(info.region);
  const BlockGrid blocks{info.region, info.block};
  // A square block of half storage is decoded once, and handed out with its mirror image.
  const bool with_mirror = info.half && info.block.rows == info.block.cols;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  const auto hand_out = [&](std::uint64_t i, std::uint64_t j, std::vector<std::uint32_t>& values) {
    const bool mirrored = with_mirror && i != j;
    const Region whole = blocks.positions(i, j);
    const Region part = intersection(whole, wanted);
    const Region image = intersection(whole.transposed(), wanted);
    if ((with_mirror && j < i) || (part.empty() && (!mirrored || image.empty()))) return;
    const Region& source = mirrored ? whole : part;
    reader.read(source, values.data());
    const TileView view{source.x0,
                        source.y0,
                        static_cast<std::uint32_t>(source.extent.rows),
                        static_cast<std::uint32_t>(source.extent.cols),
                        values.data(),
                        static_cast<std::ptrdiff_t>(source.extent.cols),
                        1};
    const FinishedTile tile{clip(view, wanted),
                            mirrored ? clip(view.transposed(), wanted) : TileView{}};
    sink.consume(tile);
    if (!options.progress) return;
    std::uint64_t cells = 0;
    for_each_view(tile, [&](const TileView& one) { cells += std::uint64_t{one.rows} * one.cols; });
    options.progress(cells);
  };
  run_in_threads(
      worker_threads(options.threads),
      [&] {
        std::vector<std::uint32_t> values(info.block.cells());
        while (!stop.stop_requested() && !failed) {
          const std::uint64_t index = next.fetch_add(1);
          if (index >= blocks.blocks()) return;
          hand_out(index / blocks.cols(), index % blocks.cols(), values);
        }
      },
      [&failed] { failed = true; });
  return next >= blocks.blocks();
}

}  // namespace grundy
