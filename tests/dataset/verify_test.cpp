#include "grundy/dataset/verify.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/theory_checks.hpp"
#include "grundy/dataset/writer.hpp"

#include "dataset/raw_table_file.hpp"
#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::engine_values;
using support::RandomCase;
using support::right_values;
using support::TemporaryFolder;
using support::to_text;
using support::Values;
using support::write_table;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr DatasetOptions kReplace{Codec{1}, true};

const Check* find_check(const Verification& result, const std::string& name) {
  const auto found = std::find_if(result.checks.begin(), result.checks.end(),
                                  [&](const Check& check) { return check.name == name; });
  return found == result.checks.end() ? nullptr : &*found;
}

CheckStatus status_of(const Verification& result, const std::string& name) {
  const Check* check = find_check(result, name);
  EXPECT_NE(check, nullptr) << name;
  return check == nullptr ? CheckStatus::kFailed : check->status;
}

std::string detail_of(const Verification& result, const std::string& name) {
  const Check* check = find_check(result, name);
  EXPECT_NE(check, nullptr) << name;
  return check == nullptr ? "" : check->detail;
}

std::vector<std::string> names_of(const Verification& result, CheckStatus status) {
  std::vector<std::string> names;
  for (const Check& check : result.checks)
    if (check.status == status) names.push_back(check.name);
  return names;
}

std::vector<std::string> failed(const Verification& result) {
  EXPECT_EQ(result.passed(), names_of(result, CheckStatus::kFailed).empty());
  return names_of(result, CheckStatus::kFailed);
}

/// The checks of the theory that a table fails: by comparison with the right one, and the lemmas by
/// looking along every move.
std::vector<std::string> theory_failures(const Rule& rule, const Values& table,
                                         const Values& right) {
  const auto differ = [&](std::uint32_t value, std::uint64_t side) {
    for (std::uint64_t x = 0; x < std::min(side, table.extent.rows); ++x)
      for (std::uint64_t y = 0; y < std::min(side, table.extent.cols); ++y)
        if ((table.at(x, y) == value) != (right.at(x, y) == value)) return true;
    return false;
  };
  bool lemma_8 = true;
  bool lemma_12 = true;
  for (std::uint64_t x = 0; x < table.extent.rows; ++x) {
    for (std::uint64_t y = 0; y < table.extent.cols; ++y) {
      bool reaches_zero = false;
      for (std::uint64_t i = 0; i < x; ++i) reaches_zero = reaches_zero || table.at(i, y) == 0;
      for (std::uint64_t j = 0; j < y; ++j) reaches_zero = reaches_zero || table.at(x, j) == 0;
      for (std::uint64_t t = 1; t <= std::min(x, y); ++t)
        reaches_zero = reaches_zero || table.at(x - t, y - t) == 0;
      if (table.at(x, y) != 0) lemma_12 = lemma_12 && reaches_zero;
      if (table.at(x, y) == 0 && !rule.is_terminal({x, y})) lemma_8 = lemma_8 && !reaches_zero;
    }
  }
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const bool classic = rule == Rule::classic();
  const bool extended = rule == Rule::extended();
  std::vector<std::string> failures;
  if ((classic || extended) && differ(0, kAll)) failures.emplace_back("closed form");
  if (extended && differ(1, kAll)) {
    failures.emplace_back("ones");
    failures.emplace_back("misere");
  }
  if (!lemma_8) failures.emplace_back("lemma 8");
  if (!lemma_12) failures.emplace_back("lemma 12");
  if ((classic && differ(0, 8)) || (extended && differ(1, 8))) failures.emplace_back("small sets");
  return failures;
}

std::vector<std::string> with_mex(std::vector<std::string> others) {
  others.insert(others.begin(), "mex");
  return others;
}

class Verify : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.file("table.h5"); }

  Verification verify(const VerifyOptions& options = {}) {
    const DatasetReader reader(path());
    std::uint64_t cells = 0;
    Verification result = verify_table(
        reader, [&cells](std::uint64_t more) { cells += more; }, {}, options);
    const Check* checksums = find_check(result, "checksums");
    if (checksums != nullptr && checksums->status == CheckStatus::kPassed) {
      EXPECT_EQ(cells, reader.info().extent.cells());
    }
    return result;
  }

  Verification verify(const Rule& rule, const Values& table) {
    write_table(path(), rule, table, kReplace);
    return verify();
  }

  TemporaryFolder folder_;
  support::Watchdog watchdog_;
};

TEST_F(Verify, RightTablesPassEveryCheck) {
  RandomCase random(731);
  for (int round = 0; round < support::cases(80); ++round) {
    const Rule rule = round % 4 == 0   ? Rule::classic()
                      : round % 4 == 1 ? Rule::extended()
                                       : random.rule();
    const Extent extent = random.extent(60);
    SCOPED_TRACE(rule.name() + ", " + to_text(extent));
    const Verification result = verify(rule, right_values(rule, extent));
    EXPECT_TRUE(result.passed());
    EXPECT_FALSE(result.interrupted);
    EXPECT_THAT(failed(result), IsEmpty());
    std::vector<std::string> skipped;
    if (!rule.symmetric()) skipped.emplace_back("symmetry");
    const bool known = rule == Rule::classic() || rule == Rule::extended();
    if (!known) skipped.emplace_back("closed form");
    if (rule != Rule::extended()) skipped.emplace_back("ones");
    if (!known) skipped.emplace_back("misere");
    if (!known) skipped.emplace_back("small sets");
    EXPECT_EQ(names_of(result, CheckStatus::kSkipped), skipped);
    std::vector<std::string> names;
    for (const Check& check : result.checks) names.push_back(check.name);
    EXPECT_THAT(names, ElementsAre("complete", "checksums", "mex", "symmetry", "closed form",
                                   "ones", "misere", "lemma 8", "lemma 12", "small sets", "digest",
                                   "histogram", "counts"));
  }
}

TEST_F(Verify, RightTablesOfSeveralChunksPass) {
  for (const Extent extent :
       {Extent{1100, 1100}, {1100, 300}, {300, 2100}, {1, 2000}, {2000, 1}, {513, 1025}}) {
    for (const char* name : {"extended", "cells:0,1;5,2"}) {
      const Rule rule = Rule::parse(name);
      EXPECT_TRUE(verify(rule, engine_values(rule, extent)).passed())
          << name << ", " << to_text(extent);
    }
  }
}

TEST_F(Verify, RightTablesOfFourByteValuesPass) {
  // Rows and columns of the table: G(0,y) = y, and in the classic game G(1,y) = A004482(y).
  Values table{{1, 65'600}, {}};
  for (std::uint32_t y = 0; y < 65'600; ++y) table.values.push_back(y);
  EXPECT_TRUE(verify(Rule::classic(), table).passed());
  table.values[65'590] = 65'535;
  EXPECT_THAT(failed(verify(Rule::classic(), table)), ElementsAre("mex"));
}

TEST_F(Verify, NamesTheFirstWrongCell) {
  RandomCase random(732);
  for (const char* name : {"classic", "extended", "triangle:4"}) {
    const Rule rule = Rule::parse(name);
    for (const Extent extent : {Extent{40, 40}, {25, 60}, {60, 25}}) {
      const Values right = right_values(rule, extent);
      for (int round = 0; round < support::cases(24); ++round) {
        Values table = right;
        Position cell{random.below(extent.rows), random.below(extent.cols)};
        // Every other time a zero appears, for the closed form. The other values are those that
        // some cell of the table might have: a histogram of larger ones is refused for its size.
        const auto wrong =
            round % 2 == 0
                ? 0U
                : static_cast<std::uint32_t>(random.below(extent.rows + extent.cols - 1));
        if (right.at(cell.x, cell.y) == wrong) continue;
        table.at(cell.x, cell.y) = wrong;
        SCOPED_TRACE(fmt::format("{}, {}: {} at {}", name, to_text(extent), wrong, to_text(cell)));
        const Verification result = verify(rule, table);
        const std::string at = fmt::format("cell ({},{}): ", cell.x, cell.y);
        std::vector<std::string> expected{"mex"};
        EXPECT_THAT(detail_of(result, "mex"), StartsWith(at));
        if (cell.x != cell.y && extent.contains({cell.y, cell.x})) {
          expected.emplace_back("symmetry");
          EXPECT_THAT(detail_of(result, "symmetry"),
                      StartsWith(fmt::format("cell ({},{}): ", std::min(cell.x, cell.y),
                                             std::max(cell.x, cell.y))));
        }
        const std::vector<std::string> theory = theory_failures(rule, table, right);
        expected.insert(expected.end(), theory.begin(), theory.end());
        for (const char* check : {"closed form", "ones", "misere"}) {
          if (std::count(theory.begin(), theory.end(), check) == 0) continue;
          EXPECT_THAT(detail_of(result, check), StartsWith(at));
        }
        // The file is consistent with itself: the rest has nothing to complain about.
        EXPECT_EQ(failed(result), expected);
      }
    }
  }
}

TEST_F(Verify, NamesTheFirstOfSeveralWrongCellsAcrossChunks) {
  const Values right = engine_values(Rule::classic(), {1100, 1100});
  const auto check = [&](const std::vector<Position>& wrong_cells, const std::string& first,
                         const std::string& first_mirrored) {
    Values table = right;
    for (const Position& cell : wrong_cells) ++table.at(cell.x, cell.y);
    const Verification result = verify(Rule::classic(), table);
    SCOPED_TRACE(to_text(wrong_cells));
    EXPECT_THAT(detail_of(result, "mex"), StartsWith("cell " + first));
    EXPECT_EQ(status_of(result, "mex"), CheckStatus::kFailed);
    EXPECT_THAT(detail_of(result, "symmetry"), StartsWith("cell " + first_mirrored));
    EXPECT_EQ(status_of(result, "symmetry"), CheckStatus::kFailed);
  };
  check({{600, 1050}, {700, 520}}, "(600,1050)", "(520,700)");
  check({{700, 900}, {600, 1050}, {1090, 1091}}, "(600,1050)", "(600,1050)");
  check({{1099, 3}, {1098, 1000}}, "(1098,1000)", "(3,1099)");
  check({{511, 512}, {512, 510}}, "(511,512)", "(510,512)");
}

TEST_F(Verify, ZerosAreCheckedInBothDirections) {
  Values missing = right_values(Rule::extended(), {30, 30});
  ASSERT_EQ(missing.at(3, 6), 0U);  // of the closed form, n = 3
  missing.at(3, 6) = 29;
  EXPECT_THAT(detail_of(verify(Rule::extended(), missing), "closed form"),
              testing::AllOf(StartsWith("cell (3,6): a P-position"), HasSubstr("29 is stored")));
  Values additional = right_values(Rule::extended(), {30, 30});
  additional.at(29, 29) = 0;
  EXPECT_THAT(detail_of(verify(Rule::extended(), additional), "closed form"),
              StartsWith("cell (29,29): 0 is stored"));
}

TEST_F(Verify, TheoryChecksSayWhatTheyChecked) {
  const Verification result = verify(Rule::extended(), right_values(Rule::extended(), {100, 100}));
  EXPECT_EQ(detail_of(result, "small sets"),
            "value 1 below 8 at (0,3) (1,2) (2,1) (3,0) (4,4) (5,7) (7,5)");
  // As many as counted by code that shares nothing with this project; see KNOWN_TABLES in cli.
  EXPECT_THAT(detail_of(result, "closed form"), HasSubstr("78"));
  EXPECT_THAT(detail_of(result, "ones"), HasSubstr("77"));
  EXPECT_THAT(detail_of(result, "misere"), HasSubstr("77"));
  EXPECT_THAT(detail_of(result, "lemma 8"), HasSubstr("78"));
  EXPECT_THAT(detail_of(result, "lemma 12"), HasSubstr("9922"));
}

TEST_F(Verify, SmallSetsAreClippedToTheTable) {
  for (const Extent extent : {Extent{1, 1}, {3, 5}, {8, 4}, {6, 6}})
    for (const Rule& rule : {Rule::classic(), Rule::extended()})
      EXPECT_TRUE(verify(rule, right_values(rule, extent)).passed()) << to_text(extent);
}

TEST_F(Verify, TableUnderTheNameOfAnotherRuleFails) {
  const Values classic = right_values(Rule::classic(), {50, 50});
  const Values extended = right_values(Rule::extended(), {50, 50});
  const Verification as_extended = verify(Rule::extended(), classic);
  EXPECT_EQ(failed(as_extended), with_mex(theory_failures(Rule::extended(), classic, extended)));
  EXPECT_THAT(detail_of(as_extended, "mex"), StartsWith("cell (0,1): terminal"));
  EXPECT_THAT(detail_of(as_extended, "closed form"), StartsWith("cell (0,1): a P-position"));
  const Verification as_classic = verify(Rule::classic(), extended);
  EXPECT_EQ(failed(as_classic), with_mex(theory_failures(Rule::classic(), extended, classic)));
  for (const auto& [rule, other] : {std::pair{Rule::triangle(3), Rule::extended()},
                                    {Rule::parse("cells:0,1"), Rule::parse("cells:1,0")}}) {
    const Values table = right_values(other, {50, 50});
    EXPECT_EQ(failed(verify(rule, table)),
              with_mex(theory_failures(rule, table, right_values(rule, {50, 50}))));
  }
}

TEST_F(Verify, WrongStatementsOfAFileFailTheirCheckOnly) {
  const Values table = right_values(Rule::classic(), {40, 40});
  const auto check = [&](const char* name, auto value) {
    write_table(path(), Rule::classic(), table, kReplace);
    support::change_attribute(path(), name, value);
    return verify();
  };
  EXPECT_THAT(failed(check("digest", std::string("0123456789abcdef"))), ElementsAre("digest"));
  EXPECT_THAT(failed(check("digest", std::string())), ElementsAre("digest"));
  for (const char* name : {"max_value", "zeros", "ones"})
    for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{33}, ~std::uint64_t{0}})
      EXPECT_THAT(failed(check(name, wrong)), ElementsAre("counts")) << name << " = " << wrong;
}

TEST_F(Verify, WrongHistogramFailsItsCheckOnly) {
  const Values table = right_values(Rule::classic(), {40, 40});
  const auto check = [&](auto change) {
    write_table(path(), Rule::classic(), table, kReplace);
    std::vector<std::uint64_t> counts = DatasetReader(path()).read_histogram();
    support::change_file(path(), [&](hid_t, hid_t file) {
      hdf5::check(H5Ldelete(file, "/histogram", H5P_DEFAULT), "histogram");
      if (!change(counts)) return;
      const hsize_t size[1] = {counts.size()};
      const hdf5::Handle space(H5Screate_simple(1, size, nullptr), H5Sclose);
      const hdf5::Handle histogram(H5Dcreate2(file, "/histogram", H5T_STD_U64LE, space.id(),
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                   H5Dclose);
      hdf5::check(
          H5Dwrite(histogram.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts.data()),
          "histogram");
    });
    return verify();
  };
  using Counts = std::vector<std::uint64_t>;
  EXPECT_THAT(failed(check([](Counts&) { return true; })), IsEmpty());
  const Verification changed = check([](Counts& counts) { return ++counts[7] != 0; });
  EXPECT_THAT(failed(changed), ElementsAre("histogram"));
  EXPECT_THAT(detail_of(changed, "histogram"), StartsWith("value 7: "));
  for (const std::ptrdiff_t more : {-1, 1, 5'000}) {
    const Verification resized = check([more](Counts& counts) {
      counts.resize(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(counts.size()) + more));
      return true;
    });
    EXPECT_THAT(failed(resized), ElementsAre("histogram")) << more;
  }
  EXPECT_THAT(failed(check([](Counts&) { return false; })), ElementsAre("histogram"));
}

TEST_F(Verify, UnfinishedFileFails) {
  const Values table = right_values(Rule::classic(), {40, 40});
  {
    DatasetWriter writer(path(), Rule::classic(), table.extent, "test", {});
    support::feed(writer, table, 0, 40);
  }
  std::filesystem::rename(path() + ".partial", path());
  EXPECT_THAT(failed(verify()), ElementsAre("complete"));
}

TEST_F(Verify, MissingChunkIsNoTable) {
  // An unfinished file that says it is finished: the missing cells hold the fill value.
  const Values table = engine_values(Rule::classic(), {600, 1100});
  {
    DatasetWriter writer(path(), Rule::classic(), table.extent, "test", {});
    support::feed(writer, table, 0, 512);
  }
  std::filesystem::rename(path() + ".partial", path());
  support::change_attribute(path(), "complete", std::uint64_t{1});
  for (const char* name : {"max_value", "zeros", "ones"})
    support::change_attribute(path(), name, std::uint64_t{7});
  support::change_attribute(path(), "digest", std::string("0123456789abcdef"));
  const Verification result = verify();
  EXPECT_THAT(failed(result), ElementsAre("mex", "symmetry", "closed form", "lemma 12", "digest",
                                          "histogram", "counts"));
  EXPECT_THAT(detail_of(result, "mex"), StartsWith("cell (512,0): 65535 is stored"));
}

TEST_F(Verify, DamagedChunkFailsItsChecksumAndNamesItsCells) {
  for (const Codec codec : {Codec{0}, Codec{4}}) {
    const Values table = engine_values(Rule::classic(), {600, 1100});
    write_table(path(), Rule::classic(), table, {codec, true});
    const auto [offset, size] = support::first_chunk(path());
    std::string content = support::content_of(path());
    for (const std::uint64_t place : {std::uint64_t{0}, size / 2, size - 1}) {
      content[offset + place] ^= 4;
      support::write_content(path(), content);
      const Verification result = verify();
      EXPECT_THAT(failed(result), ElementsAre("checksums"));
      EXPECT_THAT(detail_of(result, "checksums"), HasSubstr("0 <= x < 512, 0 <= y < 512"));
      EXPECT_THAT(names_of(result, CheckStatus::kSkipped),
                  ElementsAre("mex", "symmetry", "closed form", "ones", "misere", "lemma 8",
                              "lemma 12", "small sets", "digest", "histogram", "counts"));
      content[offset + place] ^= 4;
    }
    support::write_content(path(), content);
    EXPECT_TRUE(verify().passed());
  }
}

TEST_F(Verify, InterruptedVerificationHasNotPassed) {
  write_table(path(), Rule::classic(), engine_values(Rule::classic(), {1100, 200}), kReplace);
  const DatasetReader reader(path());
  std::stop_source before;
  before.request_stop();
  const Verification none = verify_table(
      reader, [](std::uint64_t) { ADD_FAILURE() << "goes on after the stop"; }, before.get_token());
  EXPECT_TRUE(none.interrupted);
  EXPECT_FALSE(none.passed());

  std::stop_source meanwhile;
  std::uint64_t cells = 0;
  const Verification part = verify_table(
      reader,
      [&](std::uint64_t more) {
        cells += more;
        meanwhile.request_stop();
      },
      meanwhile.get_token());
  EXPECT_TRUE(part.interrupted);
  EXPECT_FALSE(part.passed());
  EXPECT_LT(cells, reader.info().extent.cells());
  EXPECT_THAT(names_of(part, CheckStatus::kFailed), IsEmpty());
}

/// A region of a table, the whole one every other time, and how it is stored.
support::RawStorage random_storage(RandomCase& random, const Rule& rule, const Extent& extent) {
  support::RawStorage storage;
  storage.chunk = random.extent(70);
  storage.deflate = static_cast<int>(random.below(2));
  storage.checksums = random.coin();
  storage.region.extent = extent;
  storage.half = rule.symmetric() && extent.rows <= extent.cols && random.coin();
  if (!storage.half && random.below(4) != 0) {
    // To the last row and column: those that are stored are what makes the table end there.
    storage.region.x0 = random.below(extent.rows);
    storage.region.y0 = random.below(extent.cols);
    if (random.below(4) == 0) storage.region.x0 = 0;
    if (random.below(4) == 0) storage.region.y0 = 0;
    storage.region.extent = {extent.rows - storage.region.x0, extent.cols - storage.region.y0};
  }
  return storage;
}

std::string describe(const Rule& rule, const Extent& extent, const support::RawStorage& storage) {
  return fmt::format("{}, {}{} from ({},{}), chunks of {}", rule.name(), to_text(extent),
                     storage.half ? ", half" : "", storage.region.x0, storage.region.y0,
                     to_text(storage.chunk));
}

// Several tiles of the smallest kind in either direction, or a strip.
Extent extent_of_tiles(RandomCase& random) {
  return random.below(3) == 0   ? Extent{random.between(1, 40), random.between(1, 220)}
         : random.below(3) == 0 ? Extent{random.between(1, 220), random.between(1, 40)}
                                : Extent{random.between(1, 150), random.between(1, 150)};
}

Rule rule_of_either_kind(RandomCase& random) {
  switch (random.below(4)) {
    case 0:
      return Rule::classic();
    case 1:
      return Rule::extended();
    default:
      return random.rule();
  }
}

TEST_F(Verify, RightWindowsAndHalvesPassWithAnyThreads) {
  RandomCase random(733);
  int windows = 0;
  int halves = 0;
  for (int round = 0; round < support::cases(96); ++round) {
    const Rule rule = rule_of_either_kind(random);
    const Extent extent = extent_of_tiles(random);
    const support::RawStorage storage = random_storage(random, rule, extent);
    SCOPED_TRACE(describe(rule, extent, storage));
    support::write_raw_table(path(), rule, right_values(rule, extent), storage);
    const VerifyOptions options{static_cast<unsigned>(random.between(1, 6)),
                                64 * random.between(1, 3)};
    const Verification result = verify(options);
    EXPECT_THAT(failed(result), IsEmpty());
    EXPECT_TRUE(result.passed());
    for (const char* name : {"mex", "lemma 8", "lemma 12", "digest", "histogram", "counts"})
      EXPECT_EQ(status_of(result, name), CheckStatus::kPassed) << name;
    const bool window = storage.region.extent != extent;
    windows += window ? 1 : 0;
    halves += storage.half ? 1 : 0;
    EXPECT_THAT(detail_of(result, "mex"),
                StartsWith(fmt::format("{} cells", storage.region.extent.cells())));
    EXPECT_THAT(detail_of(result, "mex"), HasSubstr(storage.half ? "mirror images"
                                                    : window     ? "of a window"
                                                                 : "cells"));
  }
  EXPECT_GT(windows, support::cases(96) / 4);
  EXPECT_GT(halves, 0);
}

// The checks of the theory that a window fails, from what is right: the lemmas are left out.
std::vector<std::string> closed_form_failures(const Rule& rule, const Region& region,
                                              const Values& table, const Values& right) {
  const auto differ = [&](std::uint32_t value, std::uint64_t end) {
    for (std::uint64_t x = region.x0; x < std::min(end, region.x1()); ++x)
      for (std::uint64_t y = region.y0; y < std::min(end, region.y1()); ++y)
        if ((table.at(x, y) == value) != (right.at(x, y) == value)) return true;
    return false;
  };
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  const bool classic = rule == Rule::classic();
  const bool extended = rule == Rule::extended();
  std::vector<std::string> failures;
  if ((classic || extended) && differ(0, kAll)) failures.emplace_back("closed form");
  if (extended && differ(1, kAll)) {
    failures.emplace_back("ones");
    failures.emplace_back("misere");
  }
  if ((classic && differ(0, 8)) || (extended && differ(1, 8))) failures.emplace_back("small sets");
  return failures;
}

TEST_F(Verify, NamesTheFirstOfAnyWrongCellsOfWindowsAndHalves) {
  RandomCase random(734);
  int asymmetric = 0;
  int below_only = 0;
  for (int round = 0; round < support::cases(240); ++round) {
    const Rule rule = rule_of_either_kind(random);
    const Extent extent = extent_of_tiles(random);
    const support::RawStorage storage = random_storage(random, rule, extent);
    const Region& region = storage.region;
    const Values right = right_values(rule, extent);
    Values table = right;
    for (std::uint64_t i = random.between(1, 4); i > 0; --i) {
      Position p{random.between(region.x0, region.x1() - 1),
                 random.between(region.y0, region.y1() - 1)};
      if (random.below(5) == 0) p = {region.x0, region.y0};
      const auto wrong = static_cast<std::uint32_t>(
          random.below(3) == 0 ? random.below(3) : random.below(extent.rows + extent.cols - 1));
      table.at(p.x, p.y) = wrong;
      // Every third time the mirror image is wrong in the same way.
      if ((storage.half || random.below(3) == 0) && region.contains(Position{p.y, p.x}))
        table.at(p.y, p.x) = wrong;
    }
    std::optional<Position> first;
    std::optional<Position> first_pair;
    bool above = false;
    for (std::uint64_t x = region.x0; x < region.x1(); ++x) {
      for (std::uint64_t y = region.y0; y < region.y1(); ++y) {
        if (table.at(x, y) != right.at(x, y)) {
          if (!first) first = {x, y};
          above = above || x <= y;
        }
        if (rule.symmetric() && x < y && !first_pair && region.contains(Position{y, x}) &&
            table.at(x, y) != table.at(y, x))
          first_pair = {x, y};
      }
    }
    if (!first) continue;
    below_only += above ? 0 : 1;
    SCOPED_TRACE(describe(rule, extent, storage) + ", first wrong cell " + to_text(*first));
    support::write_raw_table(path(), rule, table, storage);
    const VerifyOptions options{static_cast<unsigned>(random.between(1, 6)),
                                64 * random.between(1, 3)};
    const Verification result = verify(options);
    EXPECT_FALSE(result.passed());
    EXPECT_EQ(status_of(result, "mex"), CheckStatus::kFailed);
    EXPECT_THAT(detail_of(result, "mex"),
                StartsWith(fmt::format("cell ({},{}): ", first->x, first->y)));
    if (first_pair) {
      ++asymmetric;
      EXPECT_EQ(status_of(result, "symmetry"), CheckStatus::kFailed);
      EXPECT_THAT(detail_of(result, "symmetry"),
                  StartsWith(fmt::format("cell ({},{}): ", first_pair->x, first_pair->y)));
    } else {
      EXPECT_NE(status_of(result, "symmetry"), CheckStatus::kFailed);
    }
    std::vector<std::string> theory;
    for (const char* name : {"closed form", "ones", "misere", "small sets"})
      if (status_of(result, name) == CheckStatus::kFailed) theory.emplace_back(name);
    EXPECT_EQ(theory, closed_form_failures(rule, region, table, right));
    if (region.extent == extent) {  // the lemmas too
      std::vector<std::string> expected{"mex"};
      if (first_pair) expected.emplace_back("symmetry");
      const std::vector<std::string> others = theory_failures(rule, table, right);
      expected.insert(expected.end(), others.begin(), others.end());
      EXPECT_EQ(failed(result), expected);
    }
    // The file's own statements are those of its cells.
    for (const char* name : {"digest", "histogram", "counts"})
      EXPECT_EQ(status_of(result, name), CheckStatus::kPassed) << name;
  }
  EXPECT_GT(asymmetric, support::cases(240) / 20);
  EXPECT_GT(below_only, 0);
}

TEST_F(Verify, ReportIsTheSameForAnyThreadsAndTiles) {
  RandomCase random(735);
  for (const char* name : {"classic", "extended", "cells:0,1;5,2"}) {
    const Rule rule = Rule::parse(name);
    Values table = engine_values(rule, {300, 420});
    for (int i = 0; i < 40; ++i)
      table.at(random.below(300), random.below(420)) =
          static_cast<std::uint32_t>(random.below(500));
    support::write_raw_table(path(), rule, table, {});
    std::vector<std::string> reports;
    for (const auto& [threads, side] : std::vector<std::pair<unsigned, std::uint64_t>>{
             {1, 448}, {1, 64}, {2, 64}, {3, 128}, {8, 64}, {5, 192}, {0, 0}}) {
      std::string report;
      for (const Check& check : verify({threads, side}).checks)
        report +=
            fmt::format("{} {} {}\n", check.name, static_cast<int>(check.status), check.detail);
      reports.push_back(report);
    }
    EXPECT_THAT(reports, testing::Each(reports[0]));
    EXPECT_THAT(reports[0], HasSubstr("mex 1 cell"));
  }
}

TEST_F(Verify, FilesWithOtherChunksAndFiltersPass) {
  const Values table = engine_values(Rule::extended(), {300, 420});
  for (const Extent chunk : {Extent{1, 420}, {300, 1}, {7, 13}, {300, 420}, {64, 100}}) {
    for (const bool checksums : {true, false}) {
      support::RawStorage storage;
      storage.chunk = chunk;
      storage.deflate = checksums ? 1 : 0;
      storage.checksums = checksums;
      support::write_raw_table(path(), Rule::extended(), table, storage);
      EXPECT_TRUE(verify().passed()) << to_text(chunk);
    }
  }
}

TEST_F(Verify, FilesOfTheOtherByteOrderPass) {
  for (const char* name : {"extended", "cells:0,1"}) {
    const Rule rule = Rule::parse(name);
    for (const int deflate : {0, 1}) {
      support::RawStorage storage;
      storage.big_endian = true;
      storage.deflate = deflate;
      support::write_raw_table(path(), rule, right_values(rule, {70, 40}), storage);
      EXPECT_TRUE(verify().passed()) << name << ", deflate " << deflate;
    }
  }
}

TEST_F(Verify, StatementsOfWindowsAndHalvesAreChecked) {
  const Values table = right_values(Rule::extended(), {70, 90});
  support::RawStorage window;
  window.region = {20, 3, {50, 87}};
  support::RawStorage half;
  half.half = true;
  for (const support::RawStorage& storage : {window, half}) {
    const auto check = [&](const char* name, auto value) {
      support::write_raw_table(path(), Rule::extended(), table, storage);
      support::change_attribute(path(), name, value);
      return failed(verify({2, 64}));
    };
    EXPECT_THAT(check("digest", std::string("0123456789abcdef")), ElementsAre("digest"));
    EXPECT_THAT(check("max_value", std::uint64_t{3}), ElementsAre("counts"));
    EXPECT_THAT(check("zeros", std::uint64_t{3}), ElementsAre("counts"));
    EXPECT_THAT(check("ones", std::uint64_t{3}), ElementsAre("counts"));
  }
  // A window elsewhere in the table, and a table where the window is.
  support::write_raw_table(path(), Rule::extended(), table, window);
  support::change_attribute(path(), "first_x", std::uint64_t{21});
  EXPECT_THAT(detail_of(verify(), "mex"), StartsWith("cell (21,3): "));
  support::change_attribute(path(), "first_x", std::uint64_t{0});
  EXPECT_THAT(detail_of(verify(), "mex"), StartsWith("cell (0,3): "));
}

TEST_F(Verify, WindowsSayWhatCannotBeChecked) {
  const Values table = right_values(Rule::extended(), {70, 90});
  support::RawStorage storage;
  storage.region = {8, 70, {40, 20}};
  support::write_raw_table(path(), Rule::extended(), {{48, 90}, table.values}, storage);
  const Verification result = verify();
  EXPECT_TRUE(result.passed());
  EXPECT_THAT(names_of(result, CheckStatus::kSkipped), ElementsAre("symmetry", "small sets"));
  EXPECT_THAT(detail_of(result, "symmetry"), HasSubstr("mirror image"));
  EXPECT_THAT(detail_of(result, "small sets"), HasSubstr("no position below 8"));
}

TEST_F(Verify, ValuesBeyondAnyTableDoNotFillMemory) {
  // Of four bytes, where a value is as large as it can be: an element for each would take 34 GB.
  Values table{{1, 65'600}, {}};
  for (std::uint32_t y = 0; y < 65'600; ++y) table.values.push_back(y);
  write_table(path(), Rule::classic(), table, kReplace);
  support::change_file(path(), [](hid_t set, hid_t) {
    const hsize_t start[2] = {0, 65'000};
    const hsize_t count[2] = {1, 1};
    const hdf5::Handle space(H5Dget_space(set), H5Sclose);
    const hdf5::Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start, nullptr, count, nullptr);
    const std::uint32_t value = 0xffff'fffe;
    hdf5::check(H5Dwrite(set, H5T_NATIVE_UINT32, memory.id(), space.id(), H5P_DEFAULT, &value),
                "value");
  });
  const Verification result = verify();
  EXPECT_THAT(failed(result), ElementsAre("mex", "digest", "histogram", "counts"));
  EXPECT_THAT(detail_of(result, "mex"), StartsWith("cell (0,65000): 4294967294 is stored"));
  EXPECT_THAT(detail_of(result, "histogram"), HasSubstr("no table of this size"));
}

TEST_F(Verify, FirstDamagedChunkIsNamedWhateverIsFoundFirst) {
  const Values table = engine_values(Rule::classic(), {300, 300});
  support::RawStorage storage;
  storage.chunk = {64, 64};
  support::write_raw_table(path(), Rule::classic(), table, storage);
  support::change_file(path(), [](hid_t set, hid_t) {
    // Chunks that do not unpack, by their place in the file.
    for (const std::uint64_t corner : {64U, 192U, 256U}) {
      const hsize_t place[2] = {corner, 128};
      const std::uint32_t noise[4] = {1, 2, 3, 4};
      hdf5::check(H5Dwrite_chunk(set, H5P_DEFAULT, 0, place, sizeof noise, noise), "chunk");
    }
  });
  for (const unsigned threads : {1U, 4U}) {
    const Verification result = verify({threads, 64});
    EXPECT_THAT(failed(result), ElementsAre("checksums"));
    EXPECT_THAT(detail_of(result, "checksums"), HasSubstr("64 <= x < 128, 128 <= y < 192"));
  }
}

TEST_F(Verify, TileSidesAreMultiplesOf64) {
  write_table(path(), Rule::classic(), right_values(Rule::classic(), {10, 10}), kReplace);
  const DatasetReader reader(path());
  EXPECT_THROW((void)verify_table(reader, [](std::uint64_t) {}, {}, {1, 65}),
               std::invalid_argument);
}

TEST_F(Verify, FindsTheMiserePositionsOfAnyRule) {
  RandomCase random(736);
  for (int round = 0; round < support::cases(60); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.coin() ? random.extent(40) : Extent{3, random.between(1, 200)};
    EXPECT_EQ(to_text(misere_p_positions(rule, extent)),
              to_text(support::misere_p_by_definition(rule.terminal_cells(), extent)))
        << rule.name() << ", " << to_text(extent);
  }
}

TEST_F(Verify, FailsOnlyByFailedChecks) {
  Verification result;
  result.checks = {{"one", CheckStatus::kPassed, ""}, {"two", CheckStatus::kSkipped, ""}};
  EXPECT_TRUE(result.passed());
  result.interrupted = true;
  EXPECT_FALSE(result.passed());
  result.interrupted = false;
  result.checks.push_back({"three", CheckStatus::kFailed, ""});
  EXPECT_FALSE(result.passed());
}

}  // namespace
}  // namespace grundy
