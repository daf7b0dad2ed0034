// Runs that end before their table is complete, and others that go on with it.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/format.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/table_file.hpp"
#include "grundy/dataset/writer.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/engine/region_sink.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/engine/summary.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::throws_naming;
using support::Values;
using testing::ElementsAre;

struct GivenUp {};

// Hands tiles on, and calls `then` after so many.
class After final : public TileSink {
 public:
  After(TileSink& sink, std::uint64_t tiles, std::function<void()> then)
      : sink_(sink), left_(static_cast<std::int64_t>(tiles)), then_(std::move(then)) {}

  void consume(const FinishedTile& tile) override {
    sink_.consume(tile);
    if (left_.fetch_sub(1) == 1) then_();
  }

 private:
  TileSink& sink_;
  std::atomic<std::int64_t> left_;
  std::function<void()> then_;
};

class Resume : public testing::Test {
 protected:
  static constexpr Extent kExtent{1100, 1300};  // 3 x 3 chunks

  [[nodiscard]] std::string path() const { return folder_.file("table.h5"); }
  [[nodiscard]] std::string partial() const { return path() + ".partial"; }

  static DatasetOptions often_saved(DatasetOptions options = {}) {
    options.checkpoint_interval = std::chrono::milliseconds(0);
    options.threads = 2;
    return options;
  }

  static std::unique_ptr<Engine> engine(RandomCase& random) {
    return make_engine("cpu", {.threads = static_cast<unsigned>(random.between(1, 3)),
                               .tile_side = random.coin() ? 0 : random.between(20, 200)});
  }

  // A run that gives up after so many tiles, or ends complete, but not published.
  void begin(RandomCase& random, const Rule& rule, const DatasetOptions& options,
             std::uint64_t tiles, const Extent& extent = kExtent) const {
    DatasetWriter writer(path(), rule, extent, "first", options);
    After sink(writer, tiles, [] { throw GivenUp(); });
    try {
      ASSERT_TRUE(engine(random)->compute(rule, extent, sink, {}));
    } catch (const GivenUp&) {
    }
  }

  // Goes on to the end; `at` is the file it will be.
  static DatasetWriter::State finish(RandomCase& random, const std::string& at) {
    const auto writer = DatasetWriter::resume(at, "second", often_saved());
    EXPECT_NE(writer, nullptr);
    if (writer == nullptr) return {};
    const DatasetWriter::State state = writer->state();
    SummarySink summary;
    HistogramSink histogram;
    TileFanout stored({&summary, &histogram, writer.get()});
    RegionSink region(state.region, stored);
    EXPECT_TRUE(
        engine(random)->compute_rest(state.rule, state.extent, *writer->known(), region, {}));
    writer->publish(summary.result(), histogram.counts());
    return state;
  }

  static void expect_right(const std::string& at, const Values& expected) {
    const DatasetReader reader(at);
    const Region& region = reader.info().region;
    std::vector<std::uint32_t> values(region.extent.cells());
    reader.read(region, values.data());
    SummarySink summary;
    const TileView view{0,
                        0,
                        static_cast<std::uint32_t>(expected.extent.rows),
                        static_cast<std::uint32_t>(expected.extent.cols),
                        expected.values.data(),
                        static_cast<std::ptrdiff_t>(expected.extent.cols),
                        1};
    RegionSink(region, summary).consume({view, {}});
    for (std::uint64_t i = 0; i < region.extent.rows; ++i)
      for (std::uint64_t j = 0; j < region.extent.cols; ++j)
        ASSERT_EQ(values[i * region.extent.cols + j], expected.at(region.x0 + i, region.y0 + j))
            << region.x0 + i << ',' << region.y0 + j;
    EXPECT_EQ(reader.info().digest, fmt::format("{:016x}", summary.result().digest));
    EXPECT_TRUE(reader.info().complete);
  }

  // Of a rule that makes a symmetric table, or one that does not.
  static Rule rule_for(RandomCase& random, bool symmetric) {
    return symmetric ? Rule::extended()
                     : Rule::parse(fmt::format("cells:{},1", random.below(9) + 2));
  }

  static DatasetOptions any_storage(RandomCase& random, const Rule& rule) {
    DatasetOptions options;
    const Codec codecs[] = {{0}, {1}, {4}, {1, Codec::Method::kZstd}};
    options.codec = codecs[random.below(4)];
    switch (random.below(3)) {
      case 0:
        options.half = rule.symmetric();
        break;
      case 1:
        options.window = Region{random.below(300), random.below(300), {700, 900}};
        break;
      default:
        break;
    }
    return often_saved(options);
  }

  support::TemporaryFolder folder_;
  support::Watchdog watchdog_;
};

TEST_F(Resume, GoesOnWithARunThatGaveUpAnywhere) {
  RandomCase random(801);
  for (int round = 0; round < support::cases(24); ++round) {
    const Rule rule = rule_for(random, random.below(3) != 0);
    const Values expected = support::engine_values(rule, kExtent);
    DatasetOptions options = any_storage(random, rule);
    options.overwrite = true;
    SCOPED_TRACE(rule.name() + ", " + options.codec.name() + (options.half ? ", half" : "") +
                 (options.window ? ", window" : ""));
    begin(random, rule, options, random.between(1, 400));
    EXPECT_FALSE(std::filesystem::exists(path()));
    if (!std::filesystem::exists(partial())) continue;  // no chunk was complete
    const DatasetWriter::State state = finish(random, path());
    EXPECT_EQ(state.rule, rule);
    EXPECT_EQ(state.codec, options.codec);
    EXPECT_EQ(state.half, options.half);
    EXPECT_GT(state.stored_chunks, 0U);
    EXPECT_EQ(state.distrusted_chunks, 0U);
    expect_right(path(), expected);
    EXPECT_THAT(folder_.names(), ElementsAre("table.h5"));
    EXPECT_EQ(DatasetReader(path()).info().engine, "first, second");
    std::filesystem::remove(path());
  }
}

TEST_F(Resume, GoesOnWithTheFilesOfARunThatWasKilled) {
  // A copy of the files, made while the run goes on, is what a kill at that moment leaves.
  RandomCase random(802);
  const Rule rule = Rule::extended();
  const Values expected = support::engine_values(rule, kExtent);
  int resumed = 0;
  for (int round = 0; round < support::cases(24); ++round) {
    const std::string copy = folder_.file("copy.h5");
    DatasetOptions options = any_storage(random, rule);
    options.overwrite = true;
    {
      DatasetWriter writer(path(), rule, kExtent, "first", options);
      After sink(writer, random.between(1, 200), [&] {
        std::error_code none;  // of what is not there yet
        const std::string checkpoint = ".partial.checkpoint";
        std::filesystem::copy_file(path() + checkpoint, copy + checkpoint, none);
        std::filesystem::copy_file(partial(), copy + ".partial");
      });
      (void)engine(random)->compute(rule, kExtent, sink, {});
    }
    if (!std::filesystem::exists(copy + ".partial")) continue;
    ++resumed;
    finish(random, copy);
    expect_right(copy, expected);
    std::filesystem::remove(copy);
  }
  EXPECT_GT(resumed, 0);
}

TEST_F(Resume, WritesDamagedChunksAgain) {
  RandomCase random(803);
  const Rule rule = Rule::extended();
  const Values expected = support::engine_values(rule, kExtent);
  std::uint64_t distrusted = 0;
  for (int round = 0; round < support::cases(24); ++round) {
    DatasetOptions options = any_storage(random, rule);
    options.overwrite = true;
    begin(random, rule, options, 100'000);
    std::string content = support::content_of(partial());
    // Whatever is damaged outside the chunks comes back from the checkpoint.
    for (std::uint64_t n = random.between(1, 3); n > 0; --n)
      content[random.below(content.size())] ^= static_cast<char>(1U << random.below(8));
    if (random.below(4) == 0) content.resize(content.size() * random.below(8) / 8);
    support::write_content(partial(), content);
    const DatasetWriter::State state = finish(random, path());
    EXPECT_EQ(state.stored_chunks + state.distrusted_chunks, state.chunks);
    distrusted += state.distrusted_chunks;
    expect_right(path(), expected);
    std::filesystem::remove(path());
  }
  EXPECT_GT(distrusted, 0U);
}

TEST_F(Resume, MayBeInterruptedAgainAndAgain) {
  RandomCase random(804);
  const Rule rule = Rule::classic();
  begin(random, rule, often_saved(), 60);
  std::uint64_t before = 0;
  for (int round = 0; round < 6; ++round) {
    const auto writer = DatasetWriter::resume(path(), "second", often_saved());
    ASSERT_NE(writer, nullptr);
    EXPECT_GE(writer->state().stored_chunks, before);
    before = writer->state().stored_chunks;
    After sink(*writer, random.between(1, 60), [] { throw GivenUp(); });
    EXPECT_THROW((void)engine(random)->compute_rest(rule, kExtent, *writer->known(), sink, {}),
                 GivenUp);
    if (random.coin()) writer->suspend();
  }
  finish(random, path());
  expect_right(path(), support::engine_values(rule, kExtent));
  EXPECT_EQ(DatasetReader(path()).info().engine, "first, second");
}

TEST_F(Resume, AnEngineThatComputesAllGoesOnToo) {
  RandomCase random(805);
  const Extent extent{600, 520};
  begin(random, Rule::extended(), often_saved(), 90, extent);
  const auto writer = DatasetWriter::resume(path(), "reference", often_saved());
  ASSERT_NE(writer, nullptr);
  EXPECT_GT(writer->state().stored_chunks, 0U);
  Engine::Result result;
  ASSERT_TRUE(make_engine("reference", {})
                  ->summarize(Rule::extended(), extent, {writer.get(), true, {}, writer->known()},
                              result, {}));
  writer->publish(result.summary, result.histogram);
  expect_right(path(), support::engine_values(Rule::extended(), extent));
}

TEST_F(Resume, StoredValuesThatCannotBeRightAreRefused) {
  RandomCase random(806);
  const Rule rule = Rule::extended();
  for (const auto& [x, y, value] :
       {std::tuple{3U, 1U, 9U}, {0U, 1U, 1U}, {2U, 500U, 65'535U}, {100U, 200U, 77U}}) {
    Values wrong = support::engine_values(rule, kExtent);
    wrong.at(x, y) = value;
    wrong.at(y, x) = value;
    {
      DatasetOptions options = often_saved();
      options.overwrite = true;
      DatasetWriter writer(path(), rule, kExtent, "first", options);
      support::feed(writer, wrong, 0, 700);
    }
    const auto writer = DatasetWriter::resume(path(), "second", often_saved());
    ASSERT_NE(writer, nullptr);
    EXPECT_EQ(writer->state().distrusted_chunks, 0U);
    EXPECT_TRUE(throws_naming<IoError>("cannot be right", [&] {
      (void)engine(random)->compute_rest(rule, kExtent, *writer->known(), *writer, {});
    }));
    writer->suspend();
  }
}

TEST_F(Resume, NothingToGoOnWithIsNull) {
  EXPECT_EQ(DatasetWriter::resume(path(), "second", {}), nullptr);
  // A run that ended before its first checkpoint; what it left is no use.
  support::write_content(partial(), "\x89HDF");
  EXPECT_EQ(DatasetWriter::resume(path(), "second", {}), nullptr);
  EXPECT_THAT(folder_.names(), testing::IsEmpty());
}

TEST_F(Resume, ARunThatIsAtWorkIsLeftAlone) {
  DatasetWriter writer(path(), Rule::classic(), kExtent, "first", often_saved());
  EXPECT_TRUE(throws_naming<IoError>("another run is writing",
                                     [&] { (void)DatasetWriter::resume(path(), "second", {}); }));
  EXPECT_THAT(folder_.names(), ElementsAre("table.h5.partial", "table.h5.partial.checkpoint"));
}

TEST_F(Resume, AnExistingFileIsRefused) {
  RandomCase random(807);
  begin(random, Rule::classic(), often_saved(), 100'000);
  support::write_content(path(), "somebody's work");
  EXPECT_TRUE(throws_naming<IoError>(path() + " exists",
                                     [&] { (void)DatasetWriter::resume(path(), "second", {}); }));
  EXPECT_EQ(support::content_of(path()), "somebody's work");
}

TEST_F(Resume, ADamagedCheckpointIsRefusedAndAllIsKept) {
  RandomCase random(808);
  begin(random, Rule::classic(), often_saved(), 100'000);
  const std::string content = support::content_of(partial());
  support::write_content(partial() + ".checkpoint", "damaged");
  EXPECT_TRUE(throws_naming<IoError>("table.h5.partial.checkpoint",
                                     [&] { (void)DatasetWriter::resume(path(), "second", {}); }));
  EXPECT_EQ(support::content_of(partial()), content);
}

TEST_F(Resume, AFileThatCouldNotBePublishedIsNotLost) {
  RandomCase random(809);
  const Values expected = support::engine_values(Rule::classic(), kExtent);
  {
    DatasetWriter writer(path(), Rule::classic(), kExtent, "first", often_saved());
    SummarySink summary;
    HistogramSink histogram;
    TileFanout sinks({&summary, &histogram, &writer});
    support::feed(sinks, expected, 0, kExtent.rows);
    support::write_content(path(), "in the way");
    EXPECT_THROW(writer.publish(summary.result(), histogram.counts()), IoError);
  }
  std::filesystem::remove(path());
  EXPECT_EQ(finish(random, path()).stored_chunks, 9U);
  expect_right(path(), expected);
}

TEST_F(Resume, SuspendingTellsWhatIsKept) {
  RandomCase random(810);
  DatasetWriter writer(path(), Rule::classic(), kExtent, "first", often_saved());
  support::feed(writer, support::engine_values(Rule::classic(), kExtent), 0, 600);
  writer.suspend();
  EXPECT_EQ(writer.state().stored_chunks, 3U);
  EXPECT_EQ(writer.state().chunks, 9U);
}

TEST_F(Resume, WhatDoesNotComeBackFromTheDiskIsNotPublished) {
  const Rule rule = Rule::classic();
  const Extent extent{512, 512};
  const Values values = support::engine_values(rule, extent);
  const ChunkGrid grid{{0, 0, extent}, extent, 2};
  std::vector<std::uint16_t> elements(values.values.begin(), values.values.end());
  FilteredChunk stored;
  ChunkFilters(Codec{}.filters(), grid.chunk_bytes(), 2)
      .encode(std::as_bytes(std::span(elements)), stored);
  SummarySink summary;
  support::feed(summary, values, 0, extent.rows);

  TableFile file(path(), Existing::kRefuse, {rule, grid, Codec{}}, "test");
  file.write_chunk(0, 0, stored);
  file.save_checkpoint();
  std::fstream bytes(partial(), std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(static_cast<std::streamoff>(file.places()[0]->offset + 1000));
  bytes.put('\0').put('\1').put('\2');
  bytes.close();
  EXPECT_TRUE(throws_naming<IoError>("chunk (0,0) cannot be read back",
                                     [&] { file.publish(summary.result(), {1}); }));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(Resume, OptionsThatMakeNoFileAreRefused) {
  const auto refused = [&](const std::string& reason, const Rule& rule, const Extent& extent,
                           const DatasetOptions& options) {
    EXPECT_TRUE(throws_naming<UsageError>(
        reason, [&] { const DatasetWriter writer(path(), rule, extent, "test", options); }));
    EXPECT_THAT(folder_.names(), testing::IsEmpty());
  };
  DatasetOptions half;
  half.half = true;
  refused("symmetric", Rule::parse("cells:0,1"), {10, 10}, half);
  refused("rows", Rule::classic(), {11, 10}, half);
  half.window = Region{0, 0, {2, 2}};
  refused("window", Rule::classic(), {10, 10}, half);
  for (const Region window :
       {Region{0, 0, {0, 5}}, {0, 0, {11, 5}}, {5, 5, {6, 2}}, {10, 0, {1, 1}}, {0, 3, {1, 8}}}) {
    DatasetOptions options;
    options.window = window;
    refused("window", Rule::classic(), {10, 10}, options);
  }
  DatasetOptions small;
  small.buffer_bytes = 7 << 20U;
  refused("memory for output", Rule::classic(), {1000, 1000}, small);
}

TEST_F(Resume, LittleMemoryIsEnough) {
  RandomCase random(812);
  const Extent extent{2100, 2100};
  const Values expected = support::engine_values(Rule::extended(), extent);
  DatasetOptions options;
  options.buffer_bytes = 8 << 20U;  // 16 chunks, of which few are for those in the making
  DatasetWriter writer(path(), Rule::extended(), extent, "test", options);
  SummarySink summary;
  HistogramSink histogram;
  TileFanout sinks({&summary, &histogram, &writer});
  // By narrow columns, from top to bottom, and in the wrong order: all chunks are open at a time.
  for (std::uint64_t y = extent.cols; y > 0; y -= 70) {
    const TileView view{0,
                        y - 70,
                        static_cast<std::uint32_t>(extent.rows),
                        70,
                        expected.values.data() + y - 70,
                        static_cast<std::ptrdiff_t>(extent.cols),
                        1};
    sinks.consume({view, {}});
  }
  writer.publish(summary.result(), histogram.counts());
  expect_right(path(), expected);
}

}  // namespace
}  // namespace grundy
