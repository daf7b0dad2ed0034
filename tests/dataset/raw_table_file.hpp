// Table files made by plain HDF5 calls, as another program would: windows, half storage, chunks of
// any shape. Nothing of the product's writer is used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"

#include "dataset/table_files.hpp"

namespace grundy::support {

/// How a table is stored.
struct RawStorage {
  Region region;  // of no extent: the whole table
  bool half = false;
  Extent chunk{16, 16};
  int deflate = 1;  // 0: none, and no byte shuffle
  bool checksums = true;
  bool big_endian = false;
};

/// docs/format.md, written anew.
inline std::uint64_t digest_of(const Values& table, const Region& region) {
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  };
  std::uint64_t sum = 0;
  for (std::uint64_t x = region.x0; x < region.x1(); ++x)
    for (std::uint64_t y = region.y0; y < region.y1(); ++y)
      sum += mix(mix(x + (y << 32U)) + table.at(x, y));
  return sum;
}

/// Writes the table, or the region that is to be stored, with all attributes and the histogram as
/// they have to be for these values, right or wrong.
inline void write_raw_table(const std::string& path, const Rule& rule, const Values& table,
                            RawStorage storage) {
  using hdf5::check;
  using hdf5::Handle;
  hdf5::initialize();
  Region& region = storage.region;
  if (region.extent.rows == 0) region.extent = table.extent;
  const Extent& stored = region.extent;
  const bool wide = region.x1() + region.y1() - 2 > 65534;

  std::vector<std::uint32_t> elements;
  std::vector<std::uint64_t> histogram;
  for (std::uint64_t x = region.x0; x < region.x1(); ++x) {
    for (std::uint64_t y = region.y0; y < region.y1(); ++y) {
      const std::uint32_t value = table.at(x, y);
      if (value >= histogram.size()) histogram.resize(value + 1);
      ++histogram[value];
      elements.push_back(storage.half && y < x ? (wide ? 0xffff'ffffU : 0xffffU) : value);
    }
  }

  Handle file = hdf5::create_file(path, path);
  {
    const hsize_t dims[2] = {stored.rows, stored.cols};
    const hsize_t chunk[2] = {std::min(storage.chunk.rows, stored.rows),
                              std::min(storage.chunk.cols, stored.cols)};
    const Handle space(check(H5Screate_simple(2, dims, nullptr), "space"), H5Sclose);
    const Handle create(check(H5Pcreate(H5P_DATASET_CREATE), "create"), H5Pclose);
    check(H5Pset_chunk(create.id(), 2, chunk), "chunk");
    if (storage.deflate > 0) {
      check(H5Pset_shuffle(create.id()), "shuffle");
      check(H5Pset_deflate(create.id(), static_cast<unsigned>(storage.deflate)), "deflate");
    }
    if (storage.checksums) check(H5Pset_fletcher32(create.id()), "fletcher32");
    const std::uint32_t fill = wide ? 0xffff'ffffU : 0xffffU;
    check(H5Pset_fill_value(create.id(), H5T_NATIVE_UINT32, &fill), "fill");
    const hid_t type = storage.big_endian ? (wide ? H5T_STD_U32BE : H5T_STD_U16BE)
                                          : (wide ? H5T_STD_U32LE : H5T_STD_U16LE);
    const Handle set(check(H5Dcreate2(file.id(), "/grundy", type, space.id(), H5P_DEFAULT,
                                      create.id(), H5P_DEFAULT),
                           "table"),
                     H5Dclose);
    check(H5Dwrite(set.id(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()),
          "values");
    const auto text = [&](const char* name, const std::string& value) {
      hdf5::write_attribute(set.id(), name, value);
    };
    const auto number = [&](const char* name, std::uint64_t value) {
      hdf5::write_attribute(set.id(), name, value);
    };
    text("format", "grundy table");
    number("format_version", 2);
    text("rule", rule.name());
    text("play", "normal");
    text("storage", storage.half ? "half" : "full");
    number("first_x", region.x0);
    number("first_y", region.y0);
    text("axis_order", "[x][y]");
    text("software", "test");
    text("software_version", "1");
    text("engine", "none");
    text("compression",
         storage.deflate > 0 ? "deflate:" + std::to_string(storage.deflate) : "none");
    text("created", "2026-11-30T00:00:00Z");
    number("complete", 1);
    text("digest", fmt::format("{:016x}", digest_of(table, region)));
    number("max_value", histogram.size() - 1);
    number("zeros", histogram[0]);
    number("ones", histogram.size() > 1 ? histogram[1] : 0);

    const hsize_t size[1] = {histogram.size()};
    const Handle line(check(H5Screate_simple(1, size, nullptr), "space"), H5Sclose);
    const Handle counts(check(H5Dcreate2(file.id(), "/histogram", H5T_STD_U64LE, line.id(),
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                              "histogram"),
                        H5Dclose);
    check(H5Dwrite(counts.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, histogram.data()),
          "histogram");
  }
  if (!file.close()) throw IoError(path + " cannot be written");
}

}  // namespace grundy::support
