#include "grundy/report/table_format.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/report/byte_stream.hpp"

#include "support/random_case.hpp"

namespace grundy {
namespace {

using support::RandomCase;

/// What a format makes of a region or sequence of x * 100 + y, read in pieces of so many values.
std::string written(const Selection& selection, TableFormat& format,
                    std::uint64_t values_at_once = 1000) {
  const CellSource source{{0, 0, {100, 100}}, {10, 10}, [](const Region& part, std::uint32_t* to) {
                            for (std::uint64_t x = part.x0; x < part.x1(); ++x)
                              for (std::uint64_t y = part.y0; y < part.y1(); ++y)
                                *to++ = static_cast<std::uint32_t>(100 * x + y);
                          }};
  std::string text;
  ByteStream stream([&](std::string_view bytes) { text += bytes; });
  format.begin(stream);
  EXPECT_TRUE(read_pieces(
      source, selection, [&](const Piece& piece) { format.add(piece, stream); }, {1},
      values_at_once));
  stream.flush();
  EXPECT_EQ(stream.written(), text.size());
  return text;
}

const Region kCorner{2, 5, {2, 3}};

TEST(CsvMatrix, HasTheColumnsAboveAndTheRowsAtTheFront) {
  const Selection region = Selection::region(kCorner);
  EXPECT_EQ(written(region, *csv_matrix(region, true)), "x,5,6,7\n2,205,206,207\n3,305,306,307\n");
  EXPECT_EQ(written(region, *csv_matrix(region, false)), "205,206,207\n305,306,307\n");
  const Selection cell = Selection::region({0, 0, {1, 1}});
  EXPECT_EQ(written(cell, *csv_matrix(cell, true)), "x,0\n0,0\n");
}

TEST(CsvList, HasALineForEachPosition) {
  EXPECT_EQ(written(Selection::region(kCorner), *csv_list(true, {})),
            "x,y,value\n2,5,205\n2,6,206\n2,7,207\n3,5,305\n3,6,306\n3,7,307\n");
  EXPECT_EQ(written(Selection::antidiagonals({0, 0, {2, 9}}), *csv_list(false, {})),
            "0,0,0\n0,1,1\n1,0,100\n");
}

TEST(CsvList, OfLevelsHasOnlyTheirPositions) {
  EXPECT_EQ(written(Selection::region(kCorner), *csv_list(true, std::pair{206U, 305U})),
            "x,y,value\n2,6,206\n2,7,207\n3,5,305\n");
  EXPECT_EQ(written(Selection::region(kCorner), *csv_list(true, std::pair{0U, 204U})),
            "x,y,value\n");
}

TEST(BFile, NumbersItsTerms) {
  const Selection row = Selection::row(2, kCorner);
  EXPECT_EQ(written(row, *b_file(row, "classic", false)), "5 205\n6 206\n7 207\n");
  const Selection triangle = Selection::triangle({0, 0, {3, 2}});
  const std::string text = written(triangle, *b_file(triangle, "extended", true));
  EXPECT_THAT(text, testing::MatchesRegex("# a\\(n\\) = G\\(x,y\\) for [^\n]* of extended; grundy "
                                          "[0-9.]*\n0 0\n1 100\n2 101\n"));
}

TEST(Npy, IsAHeaderOfAlignedLengthAndPlainNumbers) {
  for (const unsigned bytes : {2U, 4U}) {
    const Selection region = Selection::region(kCorner);
    const std::string text = written(region, *npy(region, bytes));
    std::uint16_t length = 0;
    std::memcpy(&length, text.data() + 8, 2);
    EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ((10U + length) % 64, 0U);
    const std::string header = text.substr(10, length);
    EXPECT_EQ(header.substr(0, header.find_last_not_of(" \n") + 1),
              bytes == 2 ? "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }"
                         : "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }");
    EXPECT_EQ(header.back(), '\n');
    ASSERT_EQ(text.size(), 10U + length + 6U * bytes);
    const std::uint32_t expected[] = {205, 206, 207, 305, 306, 307};
    for (std::size_t k = 0; k < 6; ++k) {
      std::uint32_t value = 0;
      std::memcpy(&value, text.data() + 10 + length + k * bytes, bytes);
      EXPECT_EQ(value, expected[k]);
    }
  }
  const Selection row = Selection::row(2, kCorner);
  EXPECT_THAT(written(row, *npy(row, 2)), testing::HasSubstr("'shape': (3,), }"));
}

TEST(TableFormats, DoNotDependOnTheSizeOfPieces) {
  RandomCase random(841);
  using Make = std::function<std::unique_ptr<TableFormat>(const Selection&)>;
  const Make list = [](const Selection&) { return csv_list(true, std::pair{500U, 5000U}); };
  const Make matrix = [](const Selection& selection) { return csv_matrix(selection, true); };
  const Make bare = [](const Selection& selection) { return csv_matrix(selection, false); };
  const Make terms = [](const Selection& selection) { return b_file(selection, "x", true); };
  const Make array = [](const Selection& selection) { return npy(selection, 2); };
  for (int i = 0; i < 50; ++i) {
    const Region within{0, 0, random.extent(60)};
    const Selection region = Selection::region(within);
    const Selection sequence =
        random.coin() ? Selection::antidiagonals(within) : Selection::column(0, within);
    for (const auto& [selection, make] : {std::pair{region, list},
                                          {region, matrix},
                                          {region, bare},
                                          {region, array},
                                          {sequence, list},
                                          {sequence, terms},
                                          {sequence, array}})
      EXPECT_EQ(written(selection, *make(selection), random.between(1, 80)),
                written(selection, *make(selection), 1'000'000));
  }
}

TEST(ByteStream, WritesLargePiecesAndAllOfThem) {
  std::string expected;
  std::string all;
  int pieces = 0;
  ByteStream stream([&](std::string_view bytes) {
    all += bytes;
    ++pieces;
  });
  for (std::uint64_t k = 0; k < 300'000; ++k) {
    stream.put_number(k * k * k);
    stream.put(' ');
    expected += std::to_string(k * k * k) + ' ';
  }
  stream.flush();
  EXPECT_EQ(all, expected);
  EXPECT_LT(pieces, 40);
  EXPECT_GT(pieces, 4);
}

}  // namespace
}  // namespace grundy
