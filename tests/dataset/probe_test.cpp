#include "grundy/dataset/probe.hpp"

#include <string>

#include <gtest/gtest.h>

#include "dataset/raw_table_file.hpp"
#include "dataset/table_files.hpp"

namespace grundy {
namespace {

// That it survives files which bring the HDF5 library down is seen in fuzz/fuzz_table_files.cpp:
// which those are depends on the library.

TEST(Probe, SaysNothingOfGoodFiles) {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("table.h5");
  support::write_raw_table(path, Rule::classic(), support::right_values(Rule::classic(), {40, 30}),
                           {});
  EXPECT_NO_THROW(probe_table_file(path));
  EXPECT_NO_THROW(touch_metadata(path));
  const DatasetReader reader(path);  // one that is open does not mind
  EXPECT_NO_THROW(probe_table_file(path));
  EXPECT_EQ(reader.stored_chunks(), 6U);
}

TEST(Probe, LeavesToTheReaderWhatItRefuses) {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("table.h5");
  EXPECT_NO_THROW(probe_table_file(path));
  EXPECT_THROW(touch_metadata(path), IoError);
  support::write_content(path, "no table");
  EXPECT_NO_THROW(probe_table_file(path));
  EXPECT_THROW(touch_metadata(path), IoError);
}

TEST(Probe, ChunksAreCountedAsTheyLie) {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("table.h5");
  for (const Extent chunk : {Extent{1, 1}, {7, 9}, {40, 30}, {40, 1}}) {
    support::RawStorage storage;
    storage.chunk = chunk;
    support::write_raw_table(path, Rule::classic(),
                             support::right_values(Rule::classic(), {40, 30}), storage);
    const DatasetReader reader(path);
    const std::uint64_t expected =
        ((40 + chunk.rows - 1) / chunk.rows) * ((30 + chunk.cols - 1) / chunk.cols);
    EXPECT_EQ(reader.info().grid().chunks(), expected);
    EXPECT_EQ(reader.stored_chunks(), expected);
  }
}

}  // namespace
}  // namespace grundy
