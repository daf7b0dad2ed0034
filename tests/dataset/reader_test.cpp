#include "grundy/dataset/reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/format.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/verify.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using hdf5::Handle;
using support::content_of;
using support::RandomCase;
using support::TemporaryFolder;
using support::Values;
using support::write_content;
using support::write_table;

// How a table is stored, right where nothing is said.
struct Storage {
  hid_t type = H5T_STD_U16LE;
  std::vector<hsize_t> extent{8, 6};
  bool chunked = true;
  H5Z_filter_t filter = 0;
};

// The attributes of a complete file that are read, but the format.
constexpr const char* kTexts[] = {
    "rule",   "play",    "storage",     "software", "software_version",
    "engine", "created", "compression", "digest"};
constexpr const char* kNumbers[] = {"format_version", "first_x", "first_y", "complete",
                                    "max_value",      "zeros",   "ones"};

class Reader : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.file("table.h5"); }

  /// A right table of 8 x 6 positions.
  void write_right_table(const DatasetOptions& options = {Codec{}, true}) {
    write_table(path(), Rule::classic(), support::right_values(Rule::classic(), {8, 6}), options);
  }

  /// Rewrites a right table in another kind of storage, with the attributes it had.
  void write_stored_as(const Storage& storage) {
    write_right_table();
    support::change_file(path(), [&](hid_t table, hid_t file) {
      const Handle space(
          H5Screate_simple(static_cast<int>(storage.extent.size()), storage.extent.data(), nullptr),
          H5Sclose);
      const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      if (storage.chunked)
        hdf5::check(H5Pset_chunk(create.id(), static_cast<int>(storage.extent.size()),
                                 storage.extent.data()),
                    "chunk");
      if (storage.filter != 0)  // optional, so that writing does without it
        hdf5::check(H5Pset_filter(create.id(), storage.filter, H5Z_FLAG_OPTIONAL, 0, nullptr),
                    "filter");
      const Handle other(hdf5::check(H5Dcreate2(file, "/other", storage.type, space.id(),
                                                H5P_DEFAULT, create.id(), H5P_DEFAULT),
                                     "other"),
                         H5Dclose);
      const std::vector<std::uint32_t> zeros(1000);
      hdf5::check(
          H5Dwrite(other.id(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()),
          "other");
      hdf5::write_attribute(other.id(), "format", std::string(format::kName));
      for (const char* name : kTexts)
        hdf5::write_attribute(other.id(), name, hdf5::read_string_attribute(table, name));
      for (const char* name : kNumbers)
        hdf5::write_attribute(other.id(), name, hdf5::read_integer_attribute(table, name));
      hdf5::check(H5Ldelete(file, "/grundy", H5P_DEFAULT), "grundy");
      hdf5::check(H5Lmove(file, "/other", file, "/grundy", H5P_DEFAULT, H5P_DEFAULT), "grundy");
    });
  }

  /// Opening fails, and says why and for which file.
  void expect_refused(const std::string& reason) const { expect_refused(path(), reason); }
  static void expect_refused(const std::string& path, const std::string& reason) {
    const auto open = [&] { const DatasetReader reader(path); };
    EXPECT_TRUE(support::throws_naming<IoError>(reason, open));
    EXPECT_TRUE(support::throws_naming<IoError>(path, open));
  }

  TemporaryFolder folder_;
  support::Watchdog watchdog_;
};

// ---- files of other kinds
// -------------------------------------------------------------------------

TEST_F(Reader, PathThatIsNoFileIsNamed) {
  expect_refused("No such file or directory");
  std::filesystem::create_directory(path());
  expect_refused("is a folder");
  write_content(folder_.file("plain"), "text");
  expect_refused(folder_.file("plain/table.h5"), "Not a directory");
}

TEST_F(Reader, FileThatIsNoHdf5FileIsRefused) {
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("Grundy values: 0 1 2\n"),
        std::string(100'000, '\0'), std::string("\x89HDF\r\n\x1a"), std::string("CDF\1")}) {
    write_content(path(), content);
    expect_refused("not an HDF5 file");
  }
}

TEST_F(Reader, Hdf5SignatureAloneIsRefused) {
  RandomCase random(741);
  std::string content("\x89HDF\r\n\x1a\n");
  for (int bytes = 0; bytes < 3000; bytes += 100) {
    write_content(path(), content);
    expect_refused("");
    for (int i = 0; i < 100; ++i) content += static_cast<char>(random.below(256));
  }
}

TEST_F(Reader, Hdf5FileOfAnotherProgramIsRefused) {
  hdf5::initialize();
  const auto write_file = [&](const std::function<void(hid_t)>& fill) {
    const Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    fill(file.id());
  };
  const auto create_table = [](hid_t file, const char* name) {
    const hsize_t dims[2] = {3, 4};
    const Handle space(H5Screate_simple(2, dims, nullptr), H5Sclose);
    return Handle(
        H5Dcreate2(file, name, H5T_STD_U16LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
  };
  write_file([](hid_t) {});
  expect_refused("not a table of this program");
  write_file([&](hid_t file) { create_table(file, "/data"); });
  expect_refused("not a table of this program");
  write_file([&](hid_t file) { create_table(file, "/grundy"); });
  expect_refused("not a table of this program");
  write_file([&](hid_t file) {
    const Handle group(H5Gcreate2(file, "/grundy", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose);
    hdf5::write_attribute(group.id(), "format", std::string("grundy table"));
  });
  expect_refused("not a table of this program");
  write_file([&](hid_t file) {
    const Handle table = create_table(file, "/grundy");
    hdf5::write_attribute(table.id(), "format", std::string("chess table"));
  });
  expect_refused("not a table of this program");
}

// ---- tables stored otherwise
// ----------------------------------------------------------------------

TEST_F(Reader, TableStoredAsDocumentedIsRead) {
  write_stored_as({});
  const DatasetReader reader(path());
  EXPECT_EQ(reader.info().extent, (Extent{8, 6}));
  EXPECT_EQ(support::read_table(reader).values, std::vector<std::uint32_t>(48));
}

TEST_F(Reader, TableOfOtherDimensionsIsRefused) {
  write_stored_as({.extent = {48}});
  expect_refused("two dimensions");
  write_stored_as({.extent = {2, 4, 6}});
  expect_refused("two dimensions");
}

TEST_F(Reader, TableOfOtherValuesIsRefused) {
  for (const hid_t type : {H5T_STD_U32LE, H5T_STD_U8LE, H5T_STD_U64LE, H5T_STD_I16LE,
                           H5T_IEEE_F32LE, H5T_IEEE_F64LE}) {
    write_stored_as({.type = type});
    expect_refused("unsigned integers of 2 bytes");
  }
}

TEST_F(Reader, TableWithAFilterThatIsNotInstalledIsRefused) {
  write_stored_as({.filter = 32767});
  expect_refused("filter 32767");
}

TEST_F(Reader, TableThatIsNotChunkedIsRefused) {
  write_stored_as({.chunked = false});
  expect_refused("chunks");
}

TEST_F(Reader, EmptyTableIsRefused) {
  write_right_table();
  support::change_file(path(), [](hid_t, hid_t file) {
    hdf5::check(H5Lmove(file, "/grundy", file, "/old", H5P_DEFAULT, H5P_DEFAULT), "move");
    const hsize_t dims[2] = {0, 5};
    const hsize_t most[2] = {H5S_UNLIMITED, 5};
    const hsize_t chunk[2] = {4, 5};
    const Handle space(H5Screate_simple(2, dims, most), H5Sclose);
    const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(create.id(), 2, chunk);
    const Handle table(H5Dcreate2(file, "/grundy", H5T_STD_U16LE, space.id(), H5P_DEFAULT,
                                  create.id(), H5P_DEFAULT),
                       H5Dclose);
    hdf5::write_attribute(table.id(), "format", std::string("grundy table"));
    hdf5::write_attribute(table.id(), "format_version", std::uint64_t{1});
    hdf5::write_attribute(table.id(), "rule", std::string("classic"));
  });
  expect_refused("empty");
}

// ---- attributes
// -----------------------------------------------------------------------------------

TEST_F(Reader, NewerFormatIsRefused) {
  for (const std::uint64_t version : {std::uint64_t{3}, std::uint64_t{1000}, ~std::uint64_t{0}}) {
    write_right_table();
    support::change_attribute(path(), "format_version", version);
    expect_refused("version " + std::to_string(version));
  }
}

TEST_F(Reader, FileOfTheFirstVersionIsAWholeTable) {
  write_right_table();
  support::change_attribute(path(), "format_version", std::uint64_t{1});
  support::change_file(path(), [](hid_t table, hid_t) {
    for (const char* name : {"storage", "first_x", "first_y"}) H5Adelete(table, name);
  });
  const DatasetReader reader(path());
  EXPECT_EQ(reader.info().region, (Region{0, 0, {8, 6}}));
  EXPECT_FALSE(reader.info().half);
}

TEST_F(Reader, MissingAttributeIsNamed) {
  std::vector<const char*> names(std::begin(kTexts), std::end(kTexts));
  names.insert(names.end(), std::begin(kNumbers), std::end(kNumbers));
  for (const char* name : names) {
    write_right_table();
    support::change_file(path(), [name](hid_t table, hid_t) { H5Adelete(table, name); });
    expect_refused(std::string("'") + name + "' is missing");
  }
}

void write_array_attribute(hid_t table, const char* name, hid_t type, hsize_t size) {
  H5Adelete(table, name);
  const Handle space(size == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &size, nullptr),
                     H5Sclose);
  const Handle attribute(H5Acreate2(table, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  const std::vector<std::uint64_t> zeros(100);
  if (size > 0) H5Awrite(attribute.id(), type, zeros.data());
}

TEST_F(Reader, AttributeOfAnotherTypeIsNamed) {
  const Handle variable_string(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(variable_string.id(), H5T_VARIABLE);
  const auto refuse = [&](const char* name, const std::function<void(hid_t)>& change) {
    write_right_table();
    support::change_file(path(), [&](hid_t table, hid_t) { change(table); });
    expect_refused(name);
  };
  for (const char* name : kTexts) {
    SCOPED_TRACE(name);
    refuse(name, [&](hid_t table) { hdf5::write_attribute(table, name, std::uint64_t{1}); });
    refuse(name, [&](hid_t table) { write_array_attribute(table, name, variable_string.id(), 2); });
    refuse(name, [&](hid_t table) { write_array_attribute(table, name, variable_string.id(), 0); });
  }
  for (const char* name : kNumbers) {
    SCOPED_TRACE(name);
    refuse(name, [&](hid_t table) { hdf5::write_attribute(table, name, std::string("1")); });
    refuse(name, [&](hid_t table) { write_array_attribute(table, name, H5T_IEEE_F64LE, 1); });
    refuse(name, [&](hid_t table) { write_array_attribute(table, name, H5T_STD_U64LE, 2); });
    refuse(name, [&](hid_t table) { write_array_attribute(table, name, H5T_STD_U64LE, 0); });
  }
  SCOPED_TRACE("format");
  refuse("", [](hid_t table) { hdf5::write_attribute(table, "format", std::uint64_t{1}); });
}

TEST_F(Reader, RuleThatIsNoneIsRefused) {
  for (const char* rule : {"", "wythoff", "triangle:-1", "cells:1", "triangle:99999999999999999999",
                           "cells:0,0;0,0"}) {
    write_right_table();
    support::change_attribute(path(), "rule", std::string(rule));
    expect_refused("rule");
  }
}

// ---- damage
// ---------------------------------------------------------------------------------------

TEST_F(Reader, TruncatedFileIsRefused) {
  write_right_table();
  const std::string whole = content_of(path());
  for (std::size_t length = 0; length < whole.size();
       length += length < 100 || length + 100 > whole.size() ? 1 : 53) {
    write_content(path(), whole.substr(0, length));
    SCOPED_TRACE(length);
    expect_refused(length < 8 ? "not an HDF5 file" : "");
  }
}

// Where a file holds anything: most of a small one is room that HDF5 keeps free.
std::vector<std::size_t> places_in_use(const std::string& content) {
  std::vector<std::size_t> places;
  std::size_t seen = 0;  // zeros
  for (std::size_t i = 0; i < content.size(); ++i) {
    seen = content[i] == '\0' ? seen + 1 : 0;
    if (seen < 16) places.push_back(i);
  }
  return places;
}

// What opening and verifying a damaged file may end in: an error with a reason, a failed check, or
// a pass of the very cells that were written, when the damage is where no value depends on it.
void expect_sound(const std::string& path, const Rule& rule, const Values& written) {
  try {
    const DatasetReader reader(path);
    const Verification result = verify_table(reader, [](std::uint64_t) {}, {});
    if (!result.passed()) return;
    EXPECT_EQ(reader.info().rule, rule);
    EXPECT_TRUE(support::read_table(reader) == written) << "other cells pass";
  } catch (const IoError& error) {
    EXPECT_STRNE(error.what(), "");
  } catch (const DeviceError&) {  // a damaged extent may ask for any memory
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of exception: " << error.what();
  }
}

TEST_F(Reader, FlippedBitsNeverPassWithOtherCells) {
  const support::Watchdog watchdog(std::chrono::seconds(300));
  RandomCase random(742);
  for (const char* name : {"classic", "cells:0,0;0,1;3,4"}) {
    for (const Codec codec : {Codec{4}, Codec{0}}) {
      const Rule rule = Rule::parse(name);
      const Values table = support::right_values(rule, {12, 9});
      write_table(path(), rule, table, {codec, true});
      const std::string whole = content_of(path());
      const std::vector<std::size_t> places = places_in_use(whole);
      for (int round = 0; round < support::cases(1200); ++round) {
        std::string content = whole;
        const std::size_t place = places[random.below(places.size())];
        const auto change =
            static_cast<char>(random.coin() ? 1U << random.below(8) : random.between(1, 255));
        content[place] = static_cast<char>(content[place] ^ change);
        write_content(path(), content);
        SCOPED_TRACE(std::string(name) + ", " + codec.name() + ": byte " + std::to_string(place) +
                     " changed by " + std::to_string(static_cast<unsigned char>(change)));
        expect_sound(path(), rule, table);
      }
    }
  }
}

TEST_F(Reader, OverwrittenPiecesNeverPassWithOtherCells) {
  RandomCase random(743);
  const Values table = support::right_values(Rule::extended(), {12, 9});
  write_table(path(), Rule::extended(), table, {Codec{}, true});
  const std::string whole = content_of(path());
  const std::vector<std::size_t> places = places_in_use(whole);
  for (int round = 0; round < support::cases(800); ++round) {
    std::string content = whole;
    const std::size_t place = places[random.below(places.size())];
    const std::size_t end = std::min<std::size_t>(content.size(), place + random.between(2, 600));
    const bool zeros = random.coin();
    for (std::size_t i = place; i < end; ++i)
      content[i] = zeros ? '\0' : static_cast<char>(random.below(256));
    write_content(path(), content);
    SCOPED_TRACE(std::to_string(place) + " to " + std::to_string(end));
    expect_sound(path(), Rule::extended(), table);
  }
}

TEST_F(Reader, DamagedChunkCannotBeRead) {
  write_table(path(), Rule::classic(), support::right_values(Rule::classic(), {40, 40}),
              {Codec{0}, true});
  const auto [offset, size] = support::first_chunk(path());
  std::string content = content_of(path());
  content[offset + size / 3] ^= 1;
  write_content(path(), content);
  const DatasetReader reader(path());
  std::vector<std::uint32_t> values(25);
  const auto read = [&] { reader.read({3, 4, {5, 5}}, values.data()); };
  EXPECT_TRUE(support::throws_naming<IoError>("3 <= x < 8, 4 <= y < 9", read));
  EXPECT_TRUE(support::throws_naming<IoError>(path(), read));
}

}  // namespace
}  // namespace grundy
