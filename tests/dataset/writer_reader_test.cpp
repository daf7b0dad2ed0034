#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/format.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/verify.hpp"
#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/version.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/reference_data.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::content_of;
using support::RandomCase;
using support::TemporaryFolder;
using support::throws_naming;
using support::to_text;
using support::Values;
using support::write_content;
using support::write_table;
using testing::ElementsAre;
using testing::IsEmpty;

// Values of no game, up to the largest that a table of that extent may have.
Values any_values(RandomCase& random, const Extent& extent) {
  Values table{extent, std::vector<std::uint32_t>(extent.cells())};
  for (std::uint32_t& value : table.values)
    value = static_cast<std::uint32_t>(random.below(extent.rows + extent.cols - 1));
  table.values.back() = static_cast<std::uint32_t>(extent.rows + extent.cols - 2);
  return table;
}

void expect_round_trip(const std::string& path, const Rule& rule, const Values& table,
                       const DatasetOptions& options, std::uint64_t tile_side) {
  SCOPED_TRACE(rule.name() + ", " + to_text(table.extent) + ", " + options.codec.name());
  write_table(path, rule, table, options, tile_side);
  const DatasetReader reader(path);
  EXPECT_EQ(reader.info().rule, rule);
  EXPECT_EQ(reader.info().extent, table.extent);
  EXPECT_EQ(reader.info().compression, options.codec.name());
  EXPECT_TRUE(reader.info().complete);
  EXPECT_TRUE(support::read_table(reader) == table);

  SummarySink summary;
  HistogramSink histogram;
  TileFanout fanout({&summary, &histogram});
  support::feed(fanout, table, 0, table.extent.rows);
  EXPECT_EQ(reader.info().digest, fmt::format("{:016x}", summary.result().digest));
  EXPECT_EQ(reader.info().max_value, summary.result().max_value);
  EXPECT_EQ(reader.info().zeros, summary.result().zeros);
  EXPECT_EQ(reader.info().ones, summary.result().ones);
  EXPECT_EQ(reader.read_histogram(), histogram.counts());
}

class TableFiles : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.file("table.h5"); }
  [[nodiscard]] std::string partial() const { return folder_.file("table.h5.partial"); }

  TemporaryFolder folder_;
  support::Watchdog watchdog_;
};

TEST_F(TableFiles, ComesBackCellForCell) {
  RandomCase random(721);
  for (int round = 0; round < support::cases(80); ++round)
    expect_round_trip(path(), random.rule(), any_values(random, random.extent(60)),
                      {Codec{static_cast<int>(random.below(10))}, true}, random.between(1, 70));
}

TEST_F(TableFiles, ComesBackInAnyShape) {
  RandomCase random(722);
  // One cell, one row, one column, and sides just below, at and above those of a chunk.
  for (const Extent extent : {Extent{1, 1},
                              {1, 2},
                              {2, 1},
                              {1, 1000},
                              {1000, 1},
                              {511, 3},
                              {512, 3},
                              {513, 3},
                              {3, 1023},
                              {3, 1024},
                              {3, 1025},
                              {513, 1025},
                              {1030, 700},
                              {1, 70'000},
                              {70'000, 1},
                              {1, 262'145},
                              {2, 140'000},
                              {140'000, 2}}) {
    expect_round_trip(path(), Rule::classic(), any_values(random, extent), {Codec{1}, true}, 4096);
  }
}

TEST_F(TableFiles, ComesBackWithAnyCompression) {
  RandomCase random(723);
  const Values table = any_values(random, {530, 1050});
  for (int level = 0; level <= 12; ++level)
    expect_round_trip(path(), Rule::extended(), table, {Codec{level}, true}, 333);
  for (int level = 1; level <= 19; ++level)
    expect_round_trip(path(), Rule::extended(), table, {Codec{level, Codec::Method::kZstd}, true},
                      333);
}

TEST_F(TableFiles, HoldsWhatAnEngineComputes) {
  RandomCase random(724);
  for (int round = 0; round < support::cases(24); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(round % 4 == 0 ? 700 : 90);
    const EngineOptions options{.threads = static_cast<unsigned>(random.between(1, 4)),
                                .tile_side = random.between(1, 70)};
    SummarySink summary;
    HistogramSink histogram;
    DatasetWriter writer(path(), rule, extent, "cpu", {Codec{1}, true});
    TileFanout fanout({&summary, &histogram, &writer});
    ASSERT_TRUE(make_engine("cpu", options)->compute(rule, extent, fanout, {}));
    writer.publish(summary.result(), histogram.counts());
    EXPECT_EQ(writer.file_bytes(), std::filesystem::file_size(path()));

    const auto expected = support::compute_table("cpu", rule, extent);
    support::CollectedTable stored(extent);
    const DatasetReader reader(path());
    read_tiles(reader, stored);
    EXPECT_TRUE(stored.complete());
    EXPECT_TRUE(support::agrees(stored, *expected)) << rule.name() << ", " << to_text(extent);
    EXPECT_EQ(reader.info().engine, "cpu");
    if (extent.cells() < 9000) {
      EXPECT_TRUE(support::read_table(reader) == support::right_values(rule, extent));
    }
  }
}

TEST_F(TableFiles, HoldsThePublishedSequences) {
  write_table(path(), Rule::classic(), support::engine_values(Rule::classic(), {100, 100}));
  const Values stored = support::read_table(path());
  for (const auto& [cell, value, sequence] : support::known_classic_cells())
    ASSERT_EQ(stored.values[cell.x * stored.extent.cols + cell.y], value)
        << sequence << ": " << to_text(cell);
}

TEST_F(TableFiles, HoldsKnownTables) {
  for (const support::KnownTable& known : support::kKnownTables) {
    const Rule rule = Rule::parse(known.rule);
    write_table(path(), rule, support::engine_values(rule, known.extent), {{}, true});
    SummarySink stored;
    read_tiles(DatasetReader(path()), stored);
    EXPECT_EQ(stored.result(), (Summary{known.extent.cells(), known.zeros, known.ones,
                                        known.max_value, known.digest}))
        << known.rule << " " << to_text(known.extent);
  }
}

TEST_F(TableFiles, IsReadInPieces) {
  RandomCase random(725);
  const Values table = any_values(random, {600, 1100});
  write_table(path(), Rule::classic(), table);
  const DatasetReader reader(path());
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t x0 = random.below(600);
    const std::uint64_t y0 = random.below(1100);
    const Extent extent{random.between(1, 600 - x0), random.between(1, 1100 - y0)};
    std::vector<std::uint32_t> values(extent.cells());
    reader.read({x0, y0, extent}, values.data());
    for (std::uint64_t i = 0; i < extent.rows; ++i)
      for (std::uint64_t j = 0; j < extent.cols; ++j)
        ASSERT_EQ(values[i * extent.cols + j], table.at(x0 + i, y0 + j));
  }
}

TEST_F(TableFiles, IsHandedToASinkBlockByBlock) {
  RandomCase random(727);
  // Several chunks, and a chunk of so many rows that it is read in several blocks.
  for (const Extent extent : {Extent{1100, 1100}, {600, 2100}, {5'000, 3}}) {
    const Values table = any_values(random, extent);
    write_table(path(), Rule::classic(), table, {Codec{1}, true});
    const DatasetReader reader(path());
    EXPECT_LE(reader.info().block.rows, 1024U);
    EXPECT_LE(reader.info().block.cols, 1024U);
    support::CollectedTable stored(extent);
    read_tiles(reader, stored);
    EXPECT_TRUE(stored.complete());
    EXPECT_TRUE(
        support::agrees(stored, [&](std::uint64_t x, std::uint64_t y) { return table.at(x, y); }));
    EXPECT_GT(stored.tiles(), 1U) << to_text(extent);
  }
}

TEST_F(TableFiles, StoresTwoBytesWhileTheLargestPossibleValueStaysBelowTheFillValue) {
  RandomCase random(726);
  for (const auto& [extent, bytes] : {std::pair{Extent{2, 65'534}, 2U},
                                      {{2, 65'535}, 4U},
                                      {{65'534, 2}, 2U},
                                      {{65'535, 2}, 4U},
                                      {{1, 65'535}, 2U},
                                      {{1, 65'536}, 4U}}) {
    const Values table = any_values(random, extent);
    EXPECT_EQ(table.values.back(), bytes == 2 ? 65'534U : 65'535U);
    expect_round_trip(path(), Rule::classic(), table, {Codec{}, true}, 4096);
    const DatasetReader reader(path());
    EXPECT_EQ(reader.info().value_bytes, bytes);
    EXPECT_LE(reader.info().chunk.cells() * bytes, 1U << 20U);
    EXPECT_GE(4 * reader.info().chunk.cells() * bytes,
              std::min<std::uint64_t>(extent.cells() * bytes, 1U << 20U));
  }
}

TEST_F(TableFiles, SaysWhatItHolds) {
  const std::time_t before = std::time(nullptr);
  const Rule rule = Rule::parse("cells:0,3;2,1");
  write_table(path(), rule, support::right_values(rule, {30, 40}), {Codec{7}, false});
  const std::time_t after = std::time(nullptr);
  const DatasetInfo info = DatasetReader(path()).info();
  EXPECT_EQ(info.format_version, 2U);
  EXPECT_EQ(info.rule, rule);
  EXPECT_EQ(info.play, "normal");
  EXPECT_EQ(info.software, fmt::format("grundy {}", kVersion));
  EXPECT_EQ(info.engine, "test");
  EXPECT_EQ(info.compression, "deflate:7");
  EXPECT_EQ(info.chunk, (Extent{30, 40}));
  EXPECT_EQ(info.block, (Extent{30, 40}));
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(path()));
  EXPECT_GT(info.stored_bytes, 0U);
  EXPECT_LT(info.stored_bytes, info.file_bytes);
  std::tm utc{};
  const char* end = ::strptime(info.created.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  ASSERT_NE(end, nullptr) << info.created;
  EXPECT_EQ(*end, '\0');
  const std::time_t created = ::timegm(&utc);
  EXPECT_LE(before, created);
  EXPECT_LE(created, after);
}

std::string attribute(const std::string& path, const char* name) {
  std::string value;
  support::change_file(
      path, [&](hid_t table, hid_t) { value = hdf5::read_string_attribute(table, name); });
  return value;
}

TEST_F(TableFiles, ListsTheTerminalCells) {
  for (const auto& [rule, cells] :
       std::vector<std::pair<std::string, std::string>>{{"classic", "0,0"},
                                                        {"extended", "0,0;0,1;0,2;1,0;1,1;2,0"},
                                                        {"cells:7,1;0,3", "0,0;0,3;7,1"},
                                                        {"triangle:1000", "those of the rule"}}) {
    write_table(path(), Rule::parse(rule), {{2, 2}, {0, 0, 0, 0}}, {Codec{}, true});
    EXPECT_EQ(attribute(path(), "terminal_cells"), cells);
    EXPECT_EQ(attribute(path(), "rule"), Rule::parse(rule).name());
  }
  EXPECT_EQ(attribute(path(), "format"), "grundy table");
  EXPECT_EQ(attribute(path(), "axis_order"), format::kAxisOrder);
}

// ---- names, obstacles, interruptions
// --------------------------------------------------------------

const Values kSmall{{2, 3}, {0, 1, 2, 1, 2, 0}};

DatasetWriter make_writer(const std::string& path, bool overwrite = false,
                          const Extent& extent = kSmall.extent) {
  return {path, Rule::classic(), extent, "test", DatasetOptions{Codec{}, overwrite}};
}

TEST_F(TableFiles, ExistingFileIsRefusedAndKept) {
  write_content(path(), "somebody's work");
  EXPECT_TRUE(throws_naming<IoError>(path() + " exists", [&] { make_writer(path()); }));
  EXPECT_EQ(content_of(path()), "somebody's work");
  EXPECT_THAT(folder_.names(), ElementsAre("table.h5"));
}

TEST_F(TableFiles, OverwritingReplacesAtTheEndOnly) {
  write_content(path(), "somebody's work");
  {
    DatasetWriter writer = make_writer(path(), true);
    support::feed(writer, kSmall, 0, 2);
    EXPECT_EQ(content_of(path()), "somebody's work");
  }
  EXPECT_EQ(content_of(path()), "somebody's work");
  write_table(path(), Rule::classic(), kSmall, {Codec{}, true});
  EXPECT_TRUE(support::read_table(path()) == kSmall);
  EXPECT_THAT(folder_.names(), ElementsAre("table.h5"));
}

TEST_F(TableFiles, PartialFileOfAnotherRunIsRefusedAndKept) {
  write_content(partial(), "half a table");
  EXPECT_TRUE(throws_naming<IoError>(partial() + " exists", [&] { make_writer(path()); }));
  EXPECT_EQ(content_of(partial()), "half a table");
  write_table(path(), Rule::classic(), kSmall, {Codec{}, true});
  EXPECT_THAT(folder_.names(), ElementsAre("table.h5"));
}

TEST_F(TableFiles, TwoWritersDoNotShareAName) {
  DatasetWriter writer = make_writer(path());
  EXPECT_TRUE(
      throws_naming<IoError>("another run is writing " + partial(), [&] { make_writer(path()); }));
  SummarySink summary;
  TileFanout fanout({&summary, &writer});
  support::feed(fanout, kSmall, 0, 2);
  writer.publish(summary.result(), {2, 2, 2});
  EXPECT_TRUE(support::read_table(path()) == kSmall);
}

TEST_F(TableFiles, HasNoNameUntilItIsPublished) {
  {
    DatasetWriter writer = make_writer(path());
    EXPECT_EQ(writer.partial_path(), partial());
    EXPECT_FALSE(std::filesystem::exists(path()));
    support::feed(writer, kSmall, 0, 2);
  }
  // What was written stays, and does not pass for a table.
  EXPECT_THAT(folder_.names(), ElementsAre("table.h5.partial", "table.h5.partial.checkpoint"));
  const DatasetReader reader(partial());
  EXPECT_FALSE(reader.info().complete);
  EXPECT_FALSE(verify_table(reader, [](std::uint64_t) {}, {}).passed());
}

TEST_F(TableFiles, LeavesNothingWhenNothingWasWritten) {
  { DatasetWriter writer = make_writer(path()); }
  EXPECT_THAT(folder_.names(), IsEmpty());
  {
    DatasetWriter writer = make_writer(path());
    support::feed(writer, kSmall, 0, 1);  // no chunk is complete
  }
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(TableFiles, IsNotPublishedWithMissingCells) {
  const Extent extent{600, 1100};  // four chunks
  const Values table{extent, std::vector<std::uint32_t>(extent.cells(), 1)};
  for (const std::uint64_t rows : {0U, 1U, 511U, 512U, 599U}) {
    DatasetWriter writer = make_writer(path(), true, extent);
    SummarySink summary;
    support::feed(writer, table, 0, rows);
    support::feed(summary, table, 0, 600);
    EXPECT_THROW(writer.publish(summary.result(), {0, extent.cells()}), std::logic_error) << rows;
    EXPECT_FALSE(std::filesystem::exists(path()));
  }
  DatasetWriter writer = make_writer(path(), true, extent);
  SummarySink summary;
  support::feed(writer, table, 0, 600);
  support::feed(summary, table, 0, 599);
  EXPECT_THROW(writer.publish(summary.result(), {0, extent.cells()}), std::logic_error);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(TableFiles, FileThatAppearedMeanwhileIsNotReplaced) {
  DatasetWriter writer = make_writer(path());
  SummarySink summary;
  TileFanout fanout({&summary, &writer});
  support::feed(fanout, kSmall, 0, 2);
  write_content(path(), "somebody's work");
  EXPECT_TRUE(throws_naming<IoError>(path(), [&] { writer.publish(summary.result(), {2, 2, 2}); }));
  EXPECT_EQ(content_of(path()), "somebody's work");
}

TEST_F(TableFiles, PartialFileThatWasReplacedIsNotPublished) {
  for (const bool replaced : {true, false}) {
    DatasetWriter writer = make_writer(path(), true);
    SummarySink summary;
    TileFanout fanout({&summary, &writer});
    support::feed(fanout, kSmall, 0, 2);
    std::filesystem::remove(partial());
    if (replaced) write_content(partial(), "of another run");
    EXPECT_TRUE(throws_naming<IoError>(partial(), [&] {
      writer.publish(summary.result(), {2, 2, 2});
    }));
    EXPECT_FALSE(std::filesystem::exists(path()));
  }
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(TableFiles, ImpossiblePathsAreRefusedAndLeaveNothing) {
  std::filesystem::create_directory(folder_.file("folder"));
  write_content(folder_.file("plain"), "text");
  std::filesystem::create_symlink("loop", folder_.file("loop"));
  const auto before = folder_.names();
  for (const auto& [name, reason] : std::vector<std::pair<std::string, std::string>>{
           {"missing/table.h5", "No such file or directory"},
           {"folder", "is a folder"},
           {"plain/table.h5", "Not a directory"},
           {std::string(300, 'a'), "File name too long"},
           {std::string(250, 'a'), "File name too long"},
           {"loop", "Too many levels of symbolic links"}}) {
    EXPECT_TRUE(throws_naming<IoError>(reason, [&, path = folder_.file(name)] {
      make_writer(path);
    })) << name;
    EXPECT_EQ(folder_.names(), before) << name;
  }
}

TEST_F(TableFiles, FolderThatCannotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root writes to any folder";
  std::filesystem::create_directory(folder_.file("locked"));
  std::filesystem::permissions(folder_.file("locked"), std::filesystem::perms::owner_exec |
                                                           std::filesystem::perms::owner_read);
  EXPECT_TRUE(throws_naming<IoError>("Permission denied",
                                     [&] { make_writer(folder_.file("locked/table.h5")); }));
}

TEST_F(TableFiles, KeepsOpenFilesApart) {
  // HDF5 has global state; one thread's writers and readers must not meet in it.
  DatasetWriter first = make_writer(path());
  write_table(folder_.file("second.h5"), Rule::classic(), kSmall);
  const DatasetReader reader(folder_.file("second.h5"));
  EXPECT_TRUE(support::read_table(reader) == kSmall);
  SummarySink summary;
  TileFanout fanout({&summary, &first});
  support::feed(fanout, kSmall, 0, 2);
  first.publish(summary.result(), {2, 2, 2});
  EXPECT_TRUE(support::read_table(path()) == kSmall);
}

}  // namespace
}  // namespace grundy
