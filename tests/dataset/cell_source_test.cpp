#include "grundy/dataset/cell_source.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/dataset/hdf5.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::Values;

TEST(CellSources, ReadEveryPositionOfAPartOnceInBlocksOfTheirOwn) {
  RandomCase random(821);
  for (int i = 0; i < support::cases(300); ++i) {
    const Region region{random.below(1000), random.below(1000), random.extent(50)};
    const Extent block = random.extent(20);
    const Region part = intersection(
        region, {region.x0 + random.below(50), region.y0 + random.below(50), random.extent(50)});
    const CellSource source{region, block, [&](const Region& cells, std::uint32_t* values) {
                              std::fill_n(values, cells.extent.cells(), 7);
                            }};
    const bool odd = random.coin();  // leaves out every other column of blocks
    const auto wanted = [&](const Region& cells) {
      return !odd || (cells.y0 - region.y0) / block.cols % 2 == 0;
    };
    std::mutex mutex;
    std::set<Position> seen;
    const auto visit = [&](const Region& cells, const std::uint32_t* values) {
      const std::scoped_lock lock(mutex);
      for (std::uint64_t x = cells.x0; x < cells.x1(); ++x) {
        for (std::uint64_t y = cells.y0; y < cells.y1(); ++y) {
          EXPECT_TRUE(seen.insert({x, y}).second);
          EXPECT_EQ(*values++, 7U);
          EXPECT_EQ((x - region.x0) / block.rows, (cells.x0 - region.x0) / block.rows);
          EXPECT_EQ((y - region.y0) / block.cols, (cells.y0 - region.y0) / block.cols);
        }
      }
    };
    ASSERT_TRUE(for_each_block(source, part, odd ? wanted : BlockFilter{}, visit, {3}));
    for (std::uint64_t x = part.x0; x < part.x1(); ++x)
      for (std::uint64_t y = part.y0; y < part.y1(); ++y)
        EXPECT_EQ(seen.contains({x, y}), wanted({x, y, {1, 1}}));
    for (const Position& p : seen) EXPECT_TRUE(part.contains(p));
  }
}

TEST(CellSources, PassOnWhatReadingAndVisitingThrow) {
  const Region region{0, 0, {100, 100}};
  const CellSource broken{region, {10, 10}, [](const Region& part, std::uint32_t* /*values*/) {
                            if (part.x0 == 50 && part.y0 == 50) throw IoError("a broken block");
                          }};
  const auto ignore = [](const Region& /*block*/, const std::uint32_t* /*values*/) {};
  EXPECT_TRUE(support::throws_naming<IoError>(
      "a broken block", [&] { (void)for_each_block(broken, region, {}, ignore, {3}); }));
  const CellSource whole{
      region, {10, 10}, [](const Region& /*part*/, std::uint32_t* /*values*/) {}};
  std::atomic<int> visits{0};
  const auto refuse = [&](const Region& /*block*/, const std::uint32_t* /*values*/) {
    if (++visits == 7) throw IoError("no more");
  };
  EXPECT_TRUE(support::throws_naming<IoError>(
      "no more", [&] { (void)for_each_block(whole, region, {}, refuse, {3}); }));
  EXPECT_LE(visits, 7 + 3);
}

TEST(CellSources, ComputeARegionOfATable) {
  RandomCase random(822);
  for (int i = 0; i < support::cases(40); ++i) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(80);
    const Values right = support::right_values(rule, extent);
    const std::uint64_t x0 = random.below(extent.rows);
    const std::uint64_t y0 = random.below(extent.cols);
    const Region region{
        x0, y0, {random.between(1, extent.rows - x0), random.between(1, extent.cols - y0)}};
    ComputedCells cells(region);
    EngineOptions options;
    options.tile_side = random.between(1, 30);
    ASSERT_TRUE(make_engine("cpu", options)->compute(rule, extent, cells, {}));
    const CellSource source = cells.source();
    EXPECT_EQ(source.region, region);
    std::vector<std::uint32_t> values(region.extent.cells());
    source.read(region, values.data());
    std::size_t k = 0;
    for (std::uint64_t x = region.x0; x < region.x1(); ++x)
      for (std::uint64_t y = region.y0; y < region.y1(); ++y)
        ASSERT_EQ(values[k++], right.at(x, y));
    std::uint32_t last = 0;
    source.read({region.x1() - 1, region.y1() - 1, {1, 1}}, &last);
    EXPECT_EQ(last, values.back());
  }
}

TEST(CellSources, RefuseTablesThatNoMemoryHolds) {
  EXPECT_TRUE(support::throws_naming<DeviceError>("memory", [] {
    ComputedCells cells({0, 0, {1U << 31U, 1U << 31U}});
  }));
}

TEST(CellSources, RefuseMissingValuesOfCompleteFiles) {
  const support::TemporaryFolder folder;
  for (const Extent extent : {Extent{60, 40}, {2, 65'535}}) {  // of 2 and of 4 bytes
    const std::string path = folder.file("table.h5");
    Values table = support::engine_values(Rule::classic(), extent);
    const std::uint32_t fill = extent.cols > 65'000 ? 0xffff'ffffU : 0xffffU;
    write_table(path, Rule::classic(), table, {Codec{1}, true});
    support::change_file(path, [&](hid_t id, hid_t /*file*/) {
      table.at(1, 30) = fill;
      hdf5::check(
          H5Dwrite(id, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.values.data()),
          "write");
    });
    const DatasetReader reader(path);
    const CellSource source = stored_cells(reader);
    std::vector<std::uint32_t> values(4);
    source.read({0, 28, {2, 2}}, values.data());
    EXPECT_TRUE(support::throws_naming<IoError>("no value for position (1,30)", [&] {
      source.read({0, 29, {2, 2}}, values.data());
    }));
  }
}

TEST(CellSources, RefuseFilesThatAreNotComplete) {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("table.h5");
  write_table(path, Rule::classic(), support::right_values(Rule::classic(), {8, 6}));
  support::change_attribute(path, "complete", std::uint64_t{0});
  const DatasetReader reader(path);
  EXPECT_TRUE(support::throws_naming<IoError>("table.h5 is not a complete table",
                                              [&] { (void)stored_cells(reader); }));
}

}  // namespace
}  // namespace grundy
