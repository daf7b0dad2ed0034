#include "grundy/dataset/table_file.hpp"

#include <algorithm>
#include <future>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "grundy/dataset/file_io.hpp"
#include "grundy/dataset/format.hpp"
#include "grundy/dataset/origin.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

using hdf5::check;
using hdf5::Handle;

/// What a run that was interrupted was writing.
TableContent content_of(const std::string& partial_path) {
  const DatasetReader reader(partial_path);
  const DatasetInfo& info = reader.info();
  return {info.rule, info.grid(), Codec::parse(info.compression)};
}

}  // namespace

Checkpoint TableFile::checkpoint_of(const std::string& path) {
  return Checkpoint(path + ".partial.checkpoint");
}

TableFile::TableFile(std::string path, Existing existing, const TableContent& content,
                     const std::string& engine)
    : partial_(std::move(path), existing),
      checkpoint_(checkpoint_of(partial_.path())),
      content_(content),
      what_(fmt::format("cannot write to {}", partial_.partial_path())),
      places_(content.grid.chunks()) {
  try {
    checkpoint_.remove();  // of a run that is replaced
    create(engine);
    save_checkpoint();
  } catch (...) {
    remove();
    throw;
  }
}

TableFile::TableFile(std::string path, const std::string& engine)
    : partial_(std::move(path), Existing::kContinue),
      checkpoint_(checkpoint_of(partial_.path())),
      what_(fmt::format("cannot write to {}", partial_.partial_path())) {
  const std::vector<ChunkRecord> chunks = checkpoint_.restore(partial_.descriptor());
  content_ = content_of(partial_.partial_path());
  open();
  places_.resize(content_.grid.chunks());
  for (const ChunkRecord& chunk : chunks) {
    if (chunk.index >= places_.size())
      throw IoError(fmt::format("{} does not belong to {}.checkpoint; --force begins anew",
                                partial_path(), partial_path()));
    places_[chunk.index] = {chunk.offset, chunk.bytes, chunk.skipped, chunk.crc32};
  }
  // A run may have ended between writing the results and publishing them.
  hdf5::write_attribute(table_.id(), "complete", std::uint64_t{0});
  const std::string engines = hdf5::read_string_attribute(table_.id(), "engine");
  if (engines != engine && !engines.ends_with(", " + engine))
    hdf5::write_attribute(table_.id(), "engine", engines + ", " + engine);
}

TableFile::~TableFile() {
  (void)table_.close();
  (void)file_.close();
}

bool TableFile::holds_chunks() const { return count_stored(places_) > 0; }

void TableFile::create(const std::string& engine) {
  hdf5::initialize();
  file_ = hdf5::create_file(partial_path(), fmt::format("cannot write {}", partial_path()));

  const ChunkGrid& grid = content_.grid;
  const hsize_t dims[2] = {grid.region.extent.rows, grid.region.extent.cols};
  const hsize_t chunk[2] = {grid.chunk.rows, grid.chunk.cols};
  const Handle space(check(H5Screate_simple(2, dims, nullptr), what_), H5Sclose);
  const Handle create(check(H5Pcreate(H5P_DATASET_CREATE), what_), H5Pclose);
  check(H5Pset_chunk(create.id(), 2, chunk), what_);
  const std::uint32_t fill = format::fill_value(grid.value_bytes);
  check(H5Pset_fill_value(create.id(), H5T_NATIVE_UINT32, &fill), what_);
  hdf5::add_filters(create.id(), content_.codec.filters(), what_);
  table_ = {check(H5Dcreate2(file_.id(), format::kTable, hdf5::stored_type(grid.value_bytes),
                             space.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT),
                  what_),
            H5Dclose};

  const hid_t table = table_.id();
  hdf5::write_attribute(table, "format", format::kName);
  hdf5::write_attribute(table, "format_version", format::kVersion);
  hdf5::write_attribute(table, "storage", grid.half ? format::kHalfStorage : format::kFullStorage);
  hdf5::write_attribute(table, "first_x", grid.region.x0);
  hdf5::write_attribute(table, "first_y", grid.region.y0);
  hdf5::write_attribute(table, "play", format::kPlay);
  hdf5::write_attribute(table, "axis_order", format::kAxisOrder);
  hdf5::write_attribute(table, "engine", engine);
  hdf5::write_attribute(table, "compression", content_.codec.name());
  write_origin(table, content_.rule);
}

void TableFile::open() {
  hdf5::initialize();
  file_ = hdf5::open_for_writing(partial_path(), what_);
  table_ = {check(H5Dopen2(file_.id(), format::kTable, H5P_DEFAULT), what_), H5Dclose};
}

void TableFile::close() {
  const bool table_closed = table_.close();
  if (!file_.close() || !table_closed)
    throw IoError(fmt::format("{}: {}", what_, hdf5::last_error()));
}

void TableFile::write_chunk(std::uint64_t i, std::uint64_t j, const FilteredChunk& chunk) {
  const ChunkGrid& grid = content_.grid;
  haddr_t before = 0;
  check(H5Fget_eoa(file_.id(), &before), what_);
  const hsize_t element[2] = {i * grid.chunk.rows, j * grid.chunk.cols};
  check(H5Dwrite_chunk(table_.id(), H5P_DEFAULT, chunk.skipped, element, chunk.bytes.size(),
                       chunk.bytes.data()),
        what_);
  std::optional<ChunkPlace>& place = places_[grid.index(i, j)];
  haddr_t after = 0;
  check(H5Fget_eoa(file_.id(), &after), what_);
  place = {find_new_chunk(i, j, before, after, chunk.bytes), chunk.bytes.size(), chunk.skipped,
           crc32(chunk.bytes)};
  begin_sync(*place);
}

std::uint64_t TableFile::find_new_chunk(std::uint64_t i, std::uint64_t j, std::uint64_t before,
                                        std::uint64_t after,
                                        const std::vector<std::byte>& bytes) const {
  // HDF5 appends what finds no room within the file, perhaps with metadata before or behind it, and
  // asking it takes longer the more chunks there are. To tell the places apart the end of the chunk
  // will do: all of it is read before the file is published or resumed.
  constexpr std::size_t kLooked = 4096;
  const auto end = std::span(bytes).last(std::min(kLooked, bytes.size()));
  std::vector<std::byte> there(end.size());
  for (const std::uint64_t offset : {before, after - bytes.size()}) {
    try {
      read_at(partial_.descriptor(), offset + bytes.size() - there.size(), there);
      if (std::ranges::equal(there, end)) return offset;
    } catch (const IoError&) {
      // The file ends before: it is not there.
    }
  }
  const ChunkGrid& grid = content_.grid;
  const auto found = hdf5::find_chunk(table_.id(), i * grid.chunk.rows, j * grid.chunk.cols, what_);
  if (!found) throw IoError(what_ + ": a chunk was not stored");
  return *found;
}

void TableFile::begin_sync(const ChunkPlace& place) {
  constexpr std::uint64_t kBytes = std::uint64_t{16} << 20U;  // at a time
  unsynced_begin_ = std::min(unsynced_begin_, place.offset);
  unsynced_end_ = std::max(unsynced_end_, place.offset + place.bytes);
  if (unsynced_end_ - unsynced_begin_ < kBytes) return;
  partial_.begin_sync(unsynced_begin_, unsynced_end_ - unsynced_begin_);
  unsynced_begin_ = ~std::uint64_t{0};
  unsynced_end_ = 0;
}

void TableFile::save_checkpoint() {
  if (!partial_.in_place()) {
    checkpoint_.remove();  // speaks of a file that has no name any more
    throw IoError(fmt::format("{} was replaced while it was written", partial_path()));
  }
  close();
  std::vector<ChunkRecord> chunks;
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (const std::optional<ChunkPlace>& place = places_[k])
      chunks.push_back({k, place->offset, place->bytes, place->skipped, place->crc32});
  checkpoint_.save(partial_.descriptor(), std::move(chunks));
  open();
}

void TableFile::write_results(const Summary& summary, const std::vector<std::uint64_t>& histogram) {
  if (check(H5Lexists(file_.id(), format::kHistogram, H5P_DEFAULT), what_) > 0)
    check(H5Ldelete(file_.id(), format::kHistogram, H5P_DEFAULT), what_);
  const hsize_t values[1] = {histogram.size()};
  const Handle space(check(H5Screate_simple(1, values, nullptr), what_), H5Sclose);
  const Handle counts(check(H5Dcreate2(file_.id(), format::kHistogram, H5T_STD_U64LE, space.id(),
                                       H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                            what_),
                      H5Dclose);
  check(H5Dwrite(counts.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, histogram.data()),
        what_);
  hdf5::write_attribute(table_.id(), "digest", fmt::format("{:016x}", summary.digest));
  hdf5::write_attribute(table_.id(), "max_value", summary.max_value);
  hdf5::write_attribute(table_.id(), "zeros", summary.zeros);
  hdf5::write_attribute(table_.id(), "ones", summary.ones);
  hdf5::write_attribute(table_.id(), "complete", std::uint64_t{1});
}

void TableFile::publish(const Summary& summary, const std::vector<std::uint64_t>& histogram,
                        unsigned threads) {
  write_results(summary, histogram);
  close();
  // While the disk is busy with it, it is read back, most of it from memory.
  std::future<void> synced =
      std::async(std::launch::async | std::launch::deferred, [this] { partial_.sync(); });
  check_finished(threads);
  synced.get();
  partial_.publish();
  checkpoint_.remove();
}

void TableFile::check_finished(unsigned threads) const {
  const ChunkGrid& grid = content_.grid;
  const std::vector<std::size_t> flawed =
      PlacedChunks(partial_path()).find_flawed(places_, threads);
  if (!flawed.empty())
    throw IoError(fmt::format("{}: chunk ({},{}) does not come back as it was written",
                              partial_path(), flawed.front() / grid.cols(),
                              flawed.front() % grid.cols()));
  if (!DatasetReader(partial_path()).info().complete)
    throw IoError(fmt::format("{} does not come back complete", partial_path()));
}

void TableFile::remove() {
  (void)table_.close();
  (void)file_.close();
  checkpoint_.remove();
  partial_.remove();
}

}  // namespace grundy
