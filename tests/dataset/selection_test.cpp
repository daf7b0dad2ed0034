#include "grundy/dataset/selection.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/cell_source.hpp"
#include "grundy/dataset/reader.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/reference_data.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::throws_naming;
using support::Values;

/// A value that tells its position, of tables up to 2^16 rows and columns.
std::uint32_t value_at(Position p) { return static_cast<std::uint32_t>(p.x << 16U | p.y); }

CellSource source_of(const Region& region, const Extent& block) {
  return {region, block, [region](const Region& part, std::uint32_t* values) {
            EXPECT_TRUE(region.contains(part));
            for (std::uint64_t x = part.x0; x < part.x1(); ++x)
              for (std::uint64_t y = part.y0; y < part.y1(); ++y) *values++ = value_at({x, y});
          }};
}

struct Read {
  std::vector<Position> positions;
  std::vector<std::uint32_t> values;
  std::vector<std::uint64_t> lines;  // their lengths
};

/// What read_pieces hands on; fails the test unless pieces continue lines as they say.
Read read_all(const CellSource& source, const Selection& selection, std::uint64_t values_at_once) {
  Read all;
  bool in_line = false;
  const auto visit = [&](const Piece& piece) {
    EXPECT_FALSE(piece.values.empty());
    EXPECT_EQ(piece.begins_line, !in_line);
    if (piece.begins_line) all.lines.push_back(0);
    in_line = !piece.ends_line;
    Position p = piece.first;
    for (const std::uint32_t value : piece.values) {
      all.positions.push_back(p);
      all.values.push_back(value);
      p.x += static_cast<std::uint64_t>(piece.dx);
      p.y += static_cast<std::uint64_t>(piece.dy);
      if (!all.lines.empty()) ++all.lines.back();
    }
  };
  EXPECT_TRUE(read_pieces(source, selection, visit, {2}, values_at_once));
  EXPECT_FALSE(in_line);
  return all;
}

/// Lines of positions, written down as the orders are defined.
using Lines = std::vector<std::vector<Position>>;

Lines lines_of(Selection::Order order, const Region& within, std::int64_t which) {
  const auto difference = [](Position p) {
    return static_cast<std::int64_t>(p.y) - static_cast<std::int64_t>(p.x);
  };
  const std::uint64_t side = std::min(within.x1(), within.y1());
  Lines lines(1);
  for (std::uint64_t x = within.x0; x < within.x1(); ++x) {
    for (std::uint64_t y = within.y0; y < within.y1(); ++y) {
      const bool wanted = order == Selection::Order::kRow ? x == static_cast<std::uint64_t>(which)
                          : order == Selection::Order::kColumn
                              ? y == static_cast<std::uint64_t>(which)
                          : order == Selection::Order::kDiagonal      ? difference({x, y}) == which
                          : order == Selection::Order::kTriangle      ? y <= x && x < side
                          : order == Selection::Order::kAntidiagonals ? x + y < side
                                                                      : true;
      if (wanted) lines.back().push_back({x, y});
    }
    if (order == Selection::Order::kRegion || order == Selection::Order::kTriangle)
      lines.emplace_back();
  }
  if (order == Selection::Order::kAntidiagonals) {
    std::vector<Position> all = lines.front();
    std::stable_sort(all.begin(), all.end(),
                     [](Position p, Position q) { return p.x + p.y < q.x + q.y; });
    lines.clear();
    for (const Position& p : all) {
      if (p.x == 0) lines.emplace_back();
      lines.back().push_back(p);
    }
  }
  std::erase_if(lines, [](const auto& line) { return line.empty(); });
  return lines;
}

Selection make(Selection::Order order, const Region& within, std::int64_t which) {
  switch (order) {
    case Selection::Order::kRegion:
      return Selection::region(within);
    case Selection::Order::kRow:
      return Selection::row(static_cast<std::uint64_t>(which), within);
    case Selection::Order::kColumn:
      return Selection::column(static_cast<std::uint64_t>(which), within);
    case Selection::Order::kDiagonal:
      return Selection::diagonal(which, within);
    case Selection::Order::kAntidiagonals:
      return Selection::antidiagonals(within);
    case Selection::Order::kTriangle:
      return Selection::triangle(within);
  }
  throw std::logic_error("no such order");
}

constexpr Selection::Order kOrders[] = {
    Selection::Order::kRegion,   Selection::Order::kRow,           Selection::Order::kColumn,
    Selection::Order::kDiagonal, Selection::Order::kAntidiagonals, Selection::Order::kTriangle};

/// An order that has positions within the region, if it is one that begins at (0,0) only there.
std::pair<Selection, Lines> any_selection(RandomCase& random, const Region& within) {
  const bool corner = within.x0 == 0 && within.y0 == 0;
  const Selection::Order order = kOrders[random.below(corner ? 6 : 4)];
  const Position p{within.x0 + random.below(within.extent.rows),
                   within.y0 + random.below(within.extent.cols)};
  const std::int64_t which = order == Selection::Order::kColumn ? static_cast<std::int64_t>(p.y)
                             : order == Selection::Order::kDiagonal
                                 ? static_cast<std::int64_t>(p.y) - static_cast<std::int64_t>(p.x)
                                 : static_cast<std::int64_t>(p.x);
  return {make(order, within, which), lines_of(order, within, which)};
}

void cut(Lines& lines, std::uint64_t cells) {
  for (auto& line : lines) {
    line.resize(std::min<std::uint64_t>(line.size(), cells));
    cells -= line.size();
  }
  std::erase_if(lines, [](const auto& line) { return line.empty(); });
}

void expect_read(const CellSource& source, const Selection& selection, const Lines& lines,
                 std::uint64_t values_at_once) {
  std::vector<Position> positions;
  std::vector<std::uint64_t> lengths;
  for (const auto& line : lines) {
    lengths.push_back(line.size());
    positions.insert(positions.end(), line.begin(), line.end());
  }
  const Read all = read_all(source, selection, values_at_once);
  EXPECT_EQ(selection.cells(), positions.size());
  ASSERT_EQ(all.positions, positions);
  EXPECT_EQ(all.lines, lengths);
  for (std::size_t k = 0; k < positions.size(); ++k)
    ASSERT_EQ(all.values[k], value_at(positions[k]));
}

TEST(Selections, ReadEveryOrderOfAnyRegionWithAnyAmountOfMemory) {
  RandomCase random(811);
  for (int i = 0; i < support::cases(3000); ++i) {
    const std::uint64_t far = random.coin() ? 0 : random.below(60'000);
    const Region region{random.coin() ? 0 : far, far, random.extent(60)};
    const CellSource source = source_of(region, random.extent(25));
    Region within = region;
    if (random.coin()) {
      within.x0 += far == 0 ? 0 : random.below(region.extent.rows);
      within.y0 += far == 0 ? 0 : random.below(region.extent.cols);
      within.extent = {random.between(1, region.x1() - within.x0),
                       random.between(1, region.y1() - within.y0)};
    }
    auto [selection, lines] = any_selection(random, within);
    if (random.coin() && selection.is_sequence()) {
      const std::uint64_t cells = random.between(1, selection.cells());
      selection.limit(cells);
      cut(lines, cells);
    }
    expect_read(source, selection, lines, random.between(1, random.coin() ? 5000 : 30));
    if (HasFatalFailure()) return;
  }
}

TEST(Selections, KeepToTheirBox) {
  RandomCase random(812);
  for (int i = 0; i < 300; ++i) {
    auto [selection, lines] = any_selection(random, {0, 0, random.extent(30)});
    if (selection.is_sequence()) {
      const std::uint64_t cells = random.between(1, selection.cells());
      selection.limit(cells);
      cut(lines, cells);
    }
    Extent needed;
    for (const auto& line : lines) {
      for (const Position& p : line) {
        EXPECT_TRUE(selection.box().contains(p));
        needed = {std::max(needed.rows, p.x + 1), std::max(needed.cols, p.y + 1)};
      }
    }
    const bool ragged = selection.order() == Selection::Order::kAntidiagonals ||
                        selection.order() == Selection::Order::kTriangle;
    EXPECT_LE(selection.box().x1(), needed.rows + (ragged ? 1 : 0));
    EXPECT_LE(selection.box().y1(), needed.cols + (ragged ? 1 : 0));
  }
}

TEST(Selections, AreTheSequencesOfTheOeis) {
  const Extent extent{120, 120};
  const Values classic = support::right_values(Rule::classic(), extent);
  const CellSource source{{0, 0, extent}, {50, 50}, [&](const Region& part, std::uint32_t* values) {
                            for (std::uint64_t x = part.x0; x < part.x1(); ++x)
                              for (std::uint64_t y = part.y0; y < part.y1(); ++y)
                                *values++ = classic.at(x, y);
                          }};
  const Region all{0, 0, extent};
  const std::vector<std::pair<Selection, std::vector<std::uint32_t>>> sequences{
      {Selection::antidiagonals(all), support::kA004481},
      {Selection::triangle(all), support::kA317205},
      {Selection::row(1, all), support::kA004482},
      {Selection::row(2, all), support::kA004483},
      {Selection::column(3, all), support::kA004484},
      {Selection::row(6, all), support::kA004487},
      {Selection::diagonal(0, all), support::kA047708}};
  for (const auto& [whole, terms] : sequences) {
    Selection selection = whole;
    selection.limit(terms.size());
    EXPECT_EQ(read_all(source, selection, 100).values, terms) << selection.term();
    EXPECT_EQ(selection.first_number(), 0U);
  }
}

TEST(Selections, NumberTheirTermsByTheCoordinateThatGrows) {
  const Region window{200, 500, {100, 400}};
  EXPECT_EQ(Selection::row(250, window).first_number(), 500U);
  EXPECT_EQ(Selection::row(250, window).term(), "G(250,n)");
  EXPECT_EQ(Selection::column(600, window).first_number(), 200U);
  EXPECT_EQ(Selection::column(600, window).term(), "G(n,600)");
  EXPECT_EQ(Selection::diagonal(350, window).first_number(), 200U);
  EXPECT_EQ(Selection::diagonal(350, window).term(), "G(n,n+350)");
  EXPECT_EQ(Selection::diagonal(203, window).first_number(), 297U);
  const Region turned = window.transposed();
  EXPECT_EQ(Selection::diagonal(-203, turned).first_number(), 297U);
  EXPECT_EQ(Selection::diagonal(-203, turned).term(), "G(n+203,n)");
  EXPECT_EQ(Selection::diagonal(0, {0, 0, {5, 5}}).term(), "G(n,n)");
}

TEST(Selections, RefuseWhatIsNotThere) {
  const Region window{200, 500, {100, 400}};
  EXPECT_TRUE(throws_naming<UsageError>("row 199", [&] { Selection::row(199, window); }));
  EXPECT_TRUE(throws_naming<UsageError>("200 <= x < 300", [&] { Selection::row(300, window); }));
  EXPECT_TRUE(throws_naming<UsageError>("column 900", [&] { Selection::column(900, window); }));
  EXPECT_TRUE(throws_naming<UsageError>("column 499", [&] { Selection::column(499, window); }));
  for (const std::int64_t difference :
       {std::int64_t{0}, std::int64_t{200}, std::int64_t{700}, std::int64_t{-1},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    EXPECT_TRUE(throws_naming<UsageError>(std::to_string(difference),
                                          [&] { Selection::diagonal(difference, window); }));
  EXPECT_TRUE(throws_naming<UsageError>("(0,0)", [&] { Selection::antidiagonals(window); }));
  EXPECT_TRUE(throws_naming<UsageError>("(0,0)", [&] { Selection::triangle(window); }));
  Selection selection = Selection::antidiagonals({0, 0, {4, 9}});
  EXPECT_EQ(selection.cells(), 10U);
  EXPECT_TRUE(throws_naming<UsageError>("only 10 can be read: the anti-diagonals x+y < 4",
                                        [&] { selection.limit(11); }));
  EXPECT_TRUE(throws_naming<UsageError>("at least 1", [&] { selection.limit(0); }));
}

TEST(Selections, CountTheLargestTables) {
  const Region largest{0, 0, {1U << 31U, 1U << 31U}};
  Selection selection = Selection::antidiagonals(largest);
  EXPECT_EQ(selection.cells(), (std::uint64_t{1} << 30U) * ((std::uint64_t{1} << 31U) + 1));
  selection.limit(selection.cells() - 1);
  EXPECT_EQ(selection.box(), largest);
  selection.limit(7);
  EXPECT_EQ(selection.box(), (Region{0, 0, {4, 4}}));
}

TEST(Selections, ReadFilesOfAnyStorage) {
  RandomCase random(813);
  const support::TemporaryFolder folder;
  for (int i = 0; i < support::cases(24); ++i) {
    const bool half = i % 3 == 0;
    const Rule rule = half ? Rule::extended() : random.rule();
    Extent extent{random.between(1, 90), random.between(1, 700)};
    if (half && extent.rows > extent.cols) std::swap(extent.rows, extent.cols);
    const Values table = support::engine_values(rule, extent);
    DatasetOptions options{Codec{1}, true};
    options.half = half;
    if (i % 3 == 1) {
      const std::uint64_t x0 = random.below(extent.rows);
      const std::uint64_t y0 = random.below(extent.cols);
      options.window = Region{
          x0, y0, {random.between(1, extent.rows - x0), random.between(1, extent.cols - y0)}};
    }
    const std::string path = folder.file("table.h5");
    write_table(path, rule, table, options);
    const DatasetReader reader(path);
    const CellSource source = stored_cells(reader);
    const auto [selection, lines] = any_selection(random, source.region);
    const Read all = read_all(source, selection, random.between(1, 20'000));
    std::size_t k = 0;
    for (const auto& line : lines) {
      for (const Position& p : line) {
        ASSERT_LT(k, all.values.size());
        ASSERT_EQ(all.positions[k], p);
        ASSERT_EQ(all.values[k], table.at(p.x, p.y));
        ++k;
      }
    }
    EXPECT_EQ(k, all.values.size());
  }
}

TEST(Selections, StopWhenAsked) {
  const Region region{0, 0, {100, 100}};
  for (const Selection& selection :
       {Selection::region(region), Selection::column(5, region), Selection::diagonal(3, region),
        Selection::antidiagonals(region), Selection::triangle(region)}) {
    std::stop_source stop;
    stop.request_stop();
    const auto visit = [](const Piece& /*piece*/) { ADD_FAILURE() << "handed on after the stop"; };
    EXPECT_FALSE(
        read_pieces(source_of(region, {10, 10}), selection, visit, {2, stop.get_token()}, 50));
  }
}

}  // namespace
}  // namespace grundy
