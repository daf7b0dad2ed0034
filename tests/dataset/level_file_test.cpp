#include "grundy/dataset/level_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using hdf5::Handle;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint64_t> read_column(hid_t file, const char* name) {
  const Handle column(hdf5::check(H5Dopen2(file, name, H5P_DEFAULT), name), H5Dclose);
  const Handle space(H5Dget_space(column.id()), H5Sclose);
  std::vector<std::uint64_t> values(
      static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
  hdf5::check(H5Dread(column.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              name);
  return values;
}

constexpr LevelFileOptions kOptions{1000, 2, 5, false};

class LevelFiles : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.file("levels.h5"); }

  support::TemporaryFolder folder_;
};

TEST_F(LevelFiles, HoldWhatWasAppended) {
  const Rule rule = Rule::parse("cells:1,2");
  std::vector<std::uint64_t> x;
  std::vector<std::uint64_t> y;
  std::vector<std::uint64_t> value;
  LevelFile file(path(), rule, kOptions);
  for (std::uint64_t i = 0; i < 300'000;) {
    std::vector<LevelCell> cells;
    for (std::uint64_t end = i + i % 70'000 + 1; i < end; ++i) {
      cells.push_back({{i << 33U, ~i}, static_cast<std::uint8_t>(i % 64)});
      x.push_back(i << 33U);
      y.push_back(~i);
      value.push_back(i % 64);
    }
    file.append(cells);
  }
  EXPECT_THAT(folder_.names(), ElementsAre("levels.h5.partial"));
  file.publish();
  EXPECT_THAT(folder_.names(), ElementsAre("levels.h5"));

  const Handle read(H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  EXPECT_EQ(read_column(read.id(), "/x"), x);
  EXPECT_EQ(read_column(read.id(), "/y"), y);
  EXPECT_EQ(read_column(read.id(), "/value"), value);
  EXPECT_EQ(hdf5::read_string_attribute(read.id(), "format"), "grundy levels");
  EXPECT_EQ(hdf5::read_string_attribute(read.id(), "rule"), rule.name());
  EXPECT_EQ(hdf5::read_string_attribute(read.id(), "terminal_cells"), "0,0;1,2");
  EXPECT_EQ(hdf5::read_integer_attribute(read.id(), "limit"), 1000U);
  EXPECT_EQ(hdf5::read_integer_attribute(read.id(), "first_value"), 2U);
  EXPECT_EQ(hdf5::read_integer_attribute(read.id(), "last_value"), 5U);
  EXPECT_EQ(hdf5::read_integer_attribute(read.id(), "positions"), x.size());
  EXPECT_EQ(hdf5::read_integer_attribute(read.id(), "complete"), 1U);
}

TEST_F(LevelFiles, LeaveNothingWhenNotPublished) {
  {
    LevelFile file(path(), Rule::classic(), kOptions);
    file.append({{{1, 2}, 3}});
  }
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(LevelFiles, KeepAnExistingFileUnlessToldOtherwise) {
  support::write_content(path(), "something");
  EXPECT_TRUE(support::throws_naming<IoError>(
      "exists", [this] { LevelFile(path(), Rule::classic(), kOptions); }));
  EXPECT_EQ(support::content_of(path()), "something");
  LevelFileOptions options = kOptions;
  options.overwrite = true;
  LevelFile(path(), Rule::classic(), options).publish();
  EXPECT_NE(support::content_of(path()), "something");
}

TEST_F(LevelFiles, FailWhereNoFileCanBe) {
  for (const std::string& name : {folder_.file("missing/levels.h5"), folder_.file("")})
    EXPECT_THROW(LevelFile(name, Rule::classic(), kOptions), IoError) << name;
}

}  // namespace
}  // namespace grundy
