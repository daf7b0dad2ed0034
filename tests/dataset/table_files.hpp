// Table files for tests: written from any values, changed afterwards, and read back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/writer.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"

#include "support/collected_table.hpp"
#include "support/definition.hpp"

namespace grundy::support {

/// A new folder, removed at the end with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "grundy-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

  /// The names of all files, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// Any values, row-major; not necessarily those of a game.
struct Values {
  Extent extent;
  std::vector<std::uint32_t> values;

  [[nodiscard]] std::uint32_t& at(std::uint64_t x, std::uint64_t y) {
    return values[x * extent.cols + y];
  }
  [[nodiscard]] std::uint32_t at(std::uint64_t x, std::uint64_t y) const {
    return values[x * extent.cols + y];
  }
  friend bool operator==(const Values&, const Values&) = default;
};

inline Values right_values(const Rule& rule, const Extent& extent) {
  Values table{extent, {}};
  for (const auto& row : values_by_definition(rule.terminal_cells(), extent))
    table.values.insert(table.values.end(), row.begin(), row.end());
  return table;
}

/// For tables that take the definition too long.
inline Values engine_values(const Rule& rule, const Extent& extent) {
  const auto computed = compute_table("cpu", rule, extent);
  Values table{extent, {}};
  for (std::uint64_t x = 0; x < extent.rows; ++x)
    for (std::uint64_t y = 0; y < extent.cols; ++y) table.values.push_back(computed->at(x, y));
  return table;
}

/// Hands the cells x_begin <= x < x_end to a sink as tiles of at most side x side.
inline void feed(TileSink& sink, const Values& table, std::uint64_t x_begin, std::uint64_t x_end,
                 std::uint64_t side = 200) {
  const std::uint64_t cols = table.extent.cols;
  for (std::uint64_t x = x_begin; x < x_end; x += side)
    for (std::uint64_t y = 0; y < cols; y += side)
      sink.consume({{x, y, static_cast<std::uint32_t>(std::min(side, x_end - x)),
                     static_cast<std::uint32_t>(std::min(side, cols - y)),
                     table.values.data() + x * cols + y, static_cast<std::ptrdiff_t>(cols), 1},
                    {}});
}

/// A published file in which everything but the values is as it should be: digest, counts and
/// histogram are those of the values stored.
inline void write_table(const std::string& path, const Rule& rule, const Values& table,
                        const DatasetOptions& options = {}, std::uint64_t tile_side = 200) {
  SummarySink summary;
  HistogramSink histogram;
  DatasetWriter writer(path, rule, table.extent, "test", options);
  TileFanout counts({&summary, &histogram});
  RegionSink stored(writer.state().region, counts);
  TileFanout fanout({&stored, &writer});
  feed(fanout, table, 0, table.extent.rows, tile_side);
  writer.publish(summary.result(), histogram.counts());
}

inline Values read_table(const DatasetReader& reader) {
  Values table{reader.info().extent, std::vector<std::uint32_t>(reader.info().extent.cells())};
  reader.read(reader.info().region, table.values.data());
  return table;
}

inline Values read_table(const std::string& path) { return read_table(DatasetReader(path)); }

/// Calls change(table, file), with HDF5 identifiers, on a file that is open for writing.
template <typename Change>
void change_file(const std::string& path, Change change) {
  hdf5::initialize();
  hdf5::Handle file(hdf5::check(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), path), H5Fclose);
  {
    hdf5::Handle table(hdf5::check(H5Dopen2(file.id(), "/grundy", H5P_DEFAULT), path), H5Dclose);
    change(table.id(), file.id());
  }
  ASSERT_TRUE(file.close());
}

template <typename Value>
void change_attribute(const std::string& path, const char* name, const Value& value) {
  change_file(path,
              [&](hid_t table, hid_t /*file*/) { hdf5::write_attribute(table, name, value); });
}

/// Where the chunk with cell (0,0) begins in the file, and how long it is.
inline std::pair<std::uint64_t, std::uint64_t> first_chunk(const std::string& path) {
  hdf5::initialize();
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const hdf5::Handle table(H5Dopen2(file.id(), "/grundy", H5P_DEFAULT), H5Dclose);
  const hsize_t first[2] = {0, 0};
  unsigned filters = 0;
  haddr_t offset = 0;
  hsize_t size = 0;
  hdf5::check(H5Dget_chunk_info_by_coord(table.id(), first, &filters, &offset, &size), path);
  return {offset, size};
}

}  // namespace grundy::support
