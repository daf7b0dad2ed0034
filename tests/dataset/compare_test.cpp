#include "grundy/dataset/compare.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::throws_naming;
using support::Values;

/// Values from (x0,y0) on.
CellSource source_of(const Values& table, const Extent& block, Position first = {}) {
  const Region region{first.x, first.y, table.extent};
  return {region, block, [&table, region](const Region& part, std::uint32_t* values) {
            EXPECT_TRUE(region.contains(part));
            for (std::uint64_t x = part.x0; x < part.x1(); ++x)
              for (std::uint64_t y = part.y0; y < part.y1(); ++y)
                *values++ = table.at(x - region.x0, y - region.y0);
          }};
}

/// Every compared position, row by row.
template <typename Visit>
void for_each_cell(const CellSource& a, const CellSource& b, const CompareOptions& options,
                   Visit visit) {
  const auto value_at = [](const CellSource& source, Position p) {
    std::uint32_t value = 0;
    source.read({p.x, p.y, {1, 1}}, &value);
    return value;
  };
  for (std::uint64_t x = options.part.x0; x < options.part.x1(); ++x) {
    for (std::uint64_t y = options.part.y0; y < options.part.y1(); ++y) {
      const Position p{x, y};
      if (!options.except || !options.except->contains(p))
        visit(ComparedCell{p, value_at(a, p), value_at(b, p)});
    }
  }
}

std::uint32_t distance(const ComparedCell& cell) {
  return std::max(cell.a, cell.b) - std::min(cell.a, cell.b);
}

void expect_found(const FoundCells& found, const std::vector<ComparedCell>& all,
                  std::size_t listed) {
  EXPECT_EQ(found.count, all.size());
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), listed));
  EXPECT_TRUE(std::equal(found.first.begin(), found.first.end(), all.begin(), end));
}

/// Two tables of few values, so that many are equal, and what of them is compared.
class AnyTables : public testing::Test {
 protected:
  void draw() {
    const auto table = [&](Values& values) {
      values.extent = random_.extent(60);
      values.values.resize(values.extent.cells());
      const std::uint64_t most = random_.between(1, 4);
      for (std::uint32_t& value : values.values)
        value = static_cast<std::uint32_t>(random_.below(most)) * (random_.coin() ? 1 : 1000);
    };
    table(a_values_);
    table(b_values_);
    a_ = source_of(a_values_, random_.extent(20), {random_.below(20), random_.below(20)});
    b_ = source_of(b_values_, random_.extent(20), {random_.below(20), random_.below(20)});
    options_ = {};
    options_.part = intersection(a_.region, b_.region);
    options_.listed = random_.coin() ? random_.below(5) : random_.below(5000);
    options_.read.threads = 3;
    if (random_.coin())
      options_.except = Region{random_.below(70), random_.below(70), random_.extent(40)};
  }

  [[nodiscard]] bool nothing_left() const {
    return options_.part.empty() || (options_.except && options_.except->contains(options_.part));
  }

  RandomCase random_{831};
  Values a_values_;
  Values b_values_;
  CellSource a_;
  CellSource b_;
  CompareOptions options_;
};

TEST_F(AnyTables, AreComparedPositionByPosition) {
  for (int i = 0; i < support::cases(400); ++i) {
    draw();
    if (nothing_left()) {
      EXPECT_TRUE(
          throws_naming<UsageError>("no position", [&] { (void)compare_cells(a_, b_, options_); }));
      continue;
    }
    std::uint64_t positions = 0;
    std::vector<ComparedCell> different;
    std::optional<ComparedCell> farthest;
    for_each_cell(a_, b_, options_, [&](const ComparedCell& cell) {
      ++positions;
      if (cell.a == cell.b) return;
      different.push_back(cell);
      if (!farthest || distance(cell) > distance(*farthest)) farthest = cell;
    });
    const std::optional<Comparison> result = compare_cells(a_, b_, options_);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->positions, positions);
    EXPECT_EQ(result->farthest, farthest);
    expect_found(result->different, different, options_.listed);
  }
}

TEST_F(AnyTables, FulfilRelationsOrNot) {
  for (int i = 0; i < support::cases(400); ++i) {
    draw();
    if (nothing_left()) continue;
    Relation relation;
    relation.conclusion = {'A', static_cast<std::uint32_t>(random_.below(3))};
    relation.condition = {'B', static_cast<std::uint32_t>(random_.below(3))};
    if (random_.coin()) std::swap(relation.conclusion, relation.condition);
    relation.both_ways = random_.coin();
    std::uint64_t positions = 0;
    std::uint64_t conclusions = 0;
    std::uint64_t conditions = 0;
    std::vector<ComparedCell> missing;
    std::vector<ComparedCell> surplus;
    for_each_cell(a_, b_, options_, [&](const ComparedCell& cell) {
      const auto value = [&](char table) { return table == 'A' ? cell.a : cell.b; };
      const bool conclusion = value(relation.conclusion.table) == relation.conclusion.value;
      const bool condition = value(relation.condition.table) == relation.condition.value;
      ++positions;
      conclusions += conclusion ? 1 : 0;
      conditions += condition ? 1 : 0;
      if (condition && !conclusion) missing.push_back(cell);
      if (conclusion && !condition) surplus.push_back(cell);
    });
    const std::optional<RelationCheck> result = check_relation(a_, b_, relation, options_);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->positions, positions);
    EXPECT_EQ(result->conclusion, conclusions);
    EXPECT_EQ(result->condition, conditions);
    expect_found(result->missing, missing, options_.listed);
    expect_found(result->surplus, surplus, options_.listed);
    EXPECT_EQ(result->violations(relation),
              missing.size() + (relation.both_ways ? surplus.size() : 0));
  }
}

TEST_F(AnyTables, AreLeftWhenStopped) {
  do draw();
  while (nothing_left());
  std::stop_source stop;
  stop.request_stop();
  options_.read.stop = stop.get_token();
  EXPECT_FALSE(compare_cells(a_, b_, options_));
  EXPECT_FALSE(check_relation(a_, b_, Relation::parse("A=1 iff B=0"), options_));
}

TEST(ComparedFiles, AreTheSameInEveryKindOfStorage) {
  RandomCase random(832);
  const support::TemporaryFolder folder;
  const Rule rule = Rule::extended();
  const Values table = support::engine_values(rule, {700, 800});
  DatasetOptions half{Codec{1}, true};
  half.half = true;
  DatasetOptions window{Codec{2}, true};
  window.window = Region{100, 333, {555, 444}};
  write_table(folder.file("full.h5"), rule, table);
  write_table(folder.file("half.h5"), rule, table, half);
  write_table(folder.file("window.h5"), rule, table, window);
  for (const auto& [left, right] :
       {std::pair{"full.h5", "half.h5"}, {"half.h5", "window.h5"}, {"window.h5", "full.h5"}}) {
    const DatasetReader a(folder.file(left));
    const DatasetReader b(folder.file(right));
    CompareOptions options;
    options.part = intersection(a.info().region, b.info().region);
    const std::optional<Comparison> result =
        compare_cells(stored_cells(a), stored_cells(b), options);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->positions, options.part.extent.cells());
    EXPECT_EQ(result->different.count, 0U) << left << ' ' << right;
    EXPECT_FALSE(result->farthest);
  }
}

TEST(ComparedFiles, ShowTheTheoremAndItsExceptions) {
  const Extent extent{300, 300};
  const Values extended = support::engine_values(Rule::extended(), extent);
  const Values classic = support::engine_values(Rule::classic(), extent);
  CompareOptions options;
  options.part = {0, 0, extent};
  const CellSource a = source_of(extended, {100, 100});
  const CellSource b = source_of(classic, {70, 130});
  const Relation relation = Relation::parse("A=1 iff B=0");
  const std::optional<RelationCheck> everywhere = check_relation(a, b, relation, options);
  ASSERT_TRUE(everywhere);
  const auto positions_of = [](const FoundCells& found) {
    std::vector<Position> positions;
    for (const ComparedCell& cell : found.first) positions.push_back(cell.position);
    return positions;
  };
  EXPECT_THAT(positions_of(everywhere->missing),
              testing::ElementsAre(Position{0, 0}, Position{3, 5}, Position{4, 7}, Position{5, 3},
                                   Position{7, 4}));
  EXPECT_THAT(positions_of(everywhere->surplus),
              testing::ElementsAre(Position{0, 3}, Position{3, 0}, Position{4, 4}, Position{5, 7},
                                   Position{7, 5}));
  options.except = Region{0, 0, {8, 8}};
  const std::optional<RelationCheck> outside = check_relation(a, b, relation, options);
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->violations(relation), 0U);
  EXPECT_EQ(outside->positions, 300U * 300U - 64U);
  EXPECT_EQ(outside->condition, everywhere->condition - 7U);
}

TEST(Relations, AreReadAsTheyArePrinted) {
  for (const char* text : {"A=1 where B=0", "A=1 iff B=0", "B=0 where A=1", "B=4294967294 iff A=7"})
    EXPECT_EQ(Relation::parse(text).text(), text);
  EXPECT_EQ(Relation::parse("  A = 1   iff B= 0 ").text(), "A=1 iff B=0");
}

TEST(Relations, RefuseWhatIsNone) {
  for (const char* text :
       {"", " ", "A", "A=", "A=1", "A=1 where", "A=1 where B", "A=1 where B=", "A=1 B=0",
        "A=1 when B=0", "A=1 where B=0 x", "a=1 where B=0", "C=1 where B=0", "A==1 where B=0",
        "A=1where B=0", "A=1 where B=0=", "A 1 where B=0", "=1 where B=0", "A=1 iffB=0"})
    EXPECT_TRUE(throws_naming<UsageError>("--relation", [&] { Relation::parse(text); })) << text;
  EXPECT_TRUE(throws_naming<UsageError>("table A only", [] { Relation::parse("A=1 iff A=0"); }));
  EXPECT_TRUE(throws_naming<UsageError>("'A=-1 iff B=0'", [] { Relation::parse("A=-1 iff B=0"); }));
  EXPECT_TRUE(
      throws_naming<UsageError>("4294967295", [] { Relation::parse("A=4294967295 iff B=0"); }));
  EXPECT_TRUE(
      throws_naming<UsageError>("--relation", [] { Relation::parse(std::string(5000, 'A')); }));
}

}  // namespace
}  // namespace grundy
