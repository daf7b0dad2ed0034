#include "grundy/dataset/verify.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/dataset/writer.hpp"

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

  Verification verify() {
    const DatasetReader reader(path());
    std::uint64_t cells = 0;
    Verification result = verify_table(reader, [&cells](std::uint64_t more) { cells += more; }, {});
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
