// Published values that the engines are checked against.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "grundy/game/position.hpp"

namespace grundy::support {

// Sequences of the OEIS (oeis.org) about g, the Grundy values of classic Wythoff's game. All have
// offset 0.

/// OEIS A004481: g(x,y) by anti-diagonals x+y = 0, 1, ... (palindromes, the table being symmetric).
inline const std::vector<std::uint32_t> kA004481{
    0,  1, 1,  2,  2, 2,  3,  0,  0,  3,  4,  4, 1,  4, 4, 5, 5, 5, 5,  5,  5,  6,  3,
    3,  6, 3,  3,  6, 7,  7,  4,  2,  2,  4,  7, 7,  8, 8, 8, 0, 7, 0,  8,  8,  8,  9,
    6,  6, 1,  6,  6, 1,  6,  6,  9,  10, 10, 7, 9,  9, 8, 9, 9, 7, 10, 10, 11, 11, 11,
    10, 0, 10, 10, 0, 10, 11, 11, 11, 12, 9,  9, 12, 1, 1, 3, 1, 1, 12, 9,  9,  12};

/// OEIS A317205: g(x,y) for y <= x, by rows.
inline const std::vector<std::uint32_t> kA317205{
    0,  1, 2,  2,  0,  1,  3,  4,  5,  6, 4,  5,  3,  2,  7,  5,  3,  4, 0, 6,
    8,  6, 7,  8,  1,  9,  10, 3,  7,  8, 6,  9,  0,  1,  4,  5,  8,  6, 7, 10,
    1,  2, 5,  3,  4,  9,  10, 11, 12, 8, 7,  13, 14, 15, 16, 10, 11, 9, 8, 13,
    12, 0, 15, 16, 17, 14, 11, 9,  10, 7, 12, 14, 2,  13, 17, 6,  18, 15};

/// OEIS A004482: row 1.
inline const std::vector<std::uint32_t> kA004482{
    1,  2,  0,  4,  5,  3,  7,  8,  6,  10, 11, 9,  13, 14, 12, 16, 17, 15, 19, 20, 18,
    22, 23, 21, 25, 26, 24, 28, 29, 27, 31, 32, 30, 34, 35, 33, 37, 38, 36, 40, 41, 39,
    43, 44, 42, 46, 47, 45, 49, 50, 48, 52, 53, 51, 55, 56, 54, 58, 59, 57, 61, 62};

/// OEIS A004483: row 2.
inline const std::vector<std::uint32_t> kA004483{
    2,  0,  1,  5,  3,  4,  8,  6,  7,  11, 9,  10, 14, 12, 13, 17, 15, 16, 20, 18, 19, 23, 21,
    22, 26, 24, 25, 29, 27, 28, 32, 30, 31, 35, 33, 34, 38, 36, 37, 41, 39, 40, 44, 42, 43, 47,
    45, 46, 50, 48, 49, 53, 51, 52, 56, 54, 55, 59, 57, 58, 62, 60, 61, 65, 63, 64, 68, 66, 67};

/// OEIS A004484: row 3.
inline const std::vector<std::uint32_t> kA004484{
    3,  4,  5,  6,  2,  0,  1,  9,  10, 12, 8,  7,  15, 11, 16, 18, 14, 13, 21, 17, 22,
    24, 20, 19, 27, 23, 28, 30, 26, 25, 33, 29, 34, 36, 32, 31, 39, 35, 40, 42, 38, 37,
    45, 41, 46, 48, 44, 43, 51, 47, 52, 54, 50, 49, 57, 53, 58, 60, 56, 55, 63, 59};

/// OEIS A004485: row 4.
inline const std::vector<std::uint32_t> kA004485{
    4,  5,  3,  2,  7,  6,  9,  0,  1,  8,  13, 12, 11, 16, 15, 10, 19, 18, 17, 14, 21,
    20, 25, 24, 23, 28, 27, 22, 31, 30, 29, 26, 33, 32, 37, 36, 35, 40, 39, 34, 43, 42,
    41, 38, 45, 44, 49, 48, 47, 52, 51, 46, 55, 54, 53, 50, 57, 56, 61, 60, 59, 64};

/// OEIS A004486: row 5.
inline const std::vector<std::uint32_t> kA004486{
    5,  3,  4,  0,  6,  8,  10, 1,  2,  7,  12, 14, 9,  15, 17, 13, 18, 11, 16, 21, 23,
    19, 24, 26, 22, 27, 20, 25, 30, 32, 28, 33, 35, 31, 36, 29, 34, 39, 41, 37, 42, 44,
    40, 45, 47, 38, 48, 50, 46, 51, 43, 49, 54, 56, 52, 57, 59, 55, 60, 53, 58, 63};

/// OEIS A004487: row 6.
inline const std::vector<std::uint32_t> kA004487{
    6,  7,  8,  1,  9,  10, 3,  4,  5,  13, 0,  2,  16, 17, 18, 12, 20, 14, 15, 11, 24,
    25, 26, 27, 21, 29, 30, 19, 32, 31, 22, 23, 36, 37, 38, 28, 33, 41, 42, 43, 44, 45,
    34, 35, 48, 49, 50, 39, 40, 53, 54, 55, 56, 57, 46, 47, 60, 61, 62, 51, 52, 65};

/// OEIS A047708: the main diagonal g(n,n).
inline const std::vector<std::uint32_t> kA047708{
    0,  2,  1,  6,  7,  8,  3,  5,  4,  16, 14, 15, 10,  9,  11,  20, 13, 21,
    12, 25, 17, 18, 19, 30, 31, 38, 35, 36, 22, 23, 43,  45, 48,  49, 24, 26,
    27, 28, 29, 33, 60, 32, 61, 57, 66, 37, 63, 34, 64,  67, 40,  39, 41, 42,
    82, 44, 74, 79, 47, 46, 87, 86, 50, 95, 96, 52, 101, 51, 102, 53, 54};

/// OEIS A048850: the inverse permutation of A047708: g(a(n),a(n)) = n.
inline const std::vector<std::uint32_t> kA048850{
    0,  2,  1,  6,  8,  7,  3,  4,  5,  13, 12, 14, 18, 16, 10, 11, 9,  20, 21, 22, 15, 17, 28, 29,
    34, 19, 35, 36, 37, 38, 23, 24, 41, 39, 47, 26, 27, 45, 25, 51, 50, 52, 53, 30, 55, 31, 59, 58,
    32, 33, 62, 67, 65, 69, 70, 72, 73, 43, 71, 76, 40, 42, 77, 46, 48, 83, 44, 49, 84, 90, 86, 88};

/// OEIS A002251: the column y with g(n,y) = 0, for each row n.
inline const std::vector<std::uint32_t> kA002251{
    0,  2,  1,  5,  7,  3,  10, 4,  13, 15, 6,  18, 20, 8,  23, 9,  26, 28,  11,  31, 12,  34, 36,
    14, 39, 41, 16, 44, 17, 47, 49, 19, 52, 54, 21, 57, 22, 60, 62, 24, 65,  25,  68, 70,  27, 73,
    75, 29, 78, 30, 81, 83, 32, 86, 33, 89, 91, 35, 94, 96, 37, 99, 38, 102, 104, 40, 107, 109};

struct KnownCell {
  Position cell;
  std::uint32_t value;
  const char* sequence;  // its number in the OEIS
};

/// Every cell of the classic table that a sequence above gives; all lie below 100.
inline std::vector<KnownCell> known_classic_cells() {
  std::vector<KnownCell> known;
  const std::vector<std::pair<const char*, const std::vector<std::uint32_t>*>> rows{
      {"A004482", &kA004482}, {"A004483", &kA004483}, {"A004484", &kA004484},
      {"A004485", &kA004485}, {"A004486", &kA004486}, {"A004487", &kA004487}};
  for (std::uint64_t x = 1; x <= rows.size(); ++x) {
    const auto& [sequence, values] = rows[x - 1];
    for (std::uint64_t y = 0; y < values->size(); ++y) {
      known.push_back({{x, y}, (*values)[y], sequence});
      known.push_back({{y, x}, (*values)[y], sequence});
    }
  }
  Position antidiagonal;
  for (const std::uint32_t value : kA004481) {
    known.push_back({antidiagonal, value, "A004481"});
    antidiagonal = antidiagonal.y == 0 ? Position{0, antidiagonal.x + 1}
                                       : Position{antidiagonal.x + 1, antidiagonal.y - 1};
  }
  Position triangle;
  for (const std::uint32_t value : kA317205) {
    known.push_back({triangle, value, "A317205"});
    triangle = triangle.y == triangle.x ? Position{triangle.x + 1, 0}
                                        : Position{triangle.x, triangle.y + 1};
  }
  for (std::uint32_t n = 0; n < kA047708.size(); ++n)
    known.push_back({{n, n}, kA047708[n], "A047708"});
  for (std::uint32_t n = 0; n < kA048850.size(); ++n)
    known.push_back({{kA048850[n], kA048850[n]}, n, "A048850"});
  return known;
}

/// A full table as computed by independent row-by-row code without symmetry.
struct KnownTable {
  std::string_view rule;
  Extent extent;
  std::uint64_t digest;  // kernels/digest.hpp
  std::uint64_t zeros;
  std::uint64_t ones;
  std::uint64_t sum;  // of all values
  std::uint32_t max_value;
};

inline const std::vector<KnownTable> kKnownTables{
    {"classic", {100, 100}, 0x1b0755a0c86efd38, 77, 77, 621004, 149},
    {"classic", {1000, 1000}, 0xcbae4acccae44863, 763, 765, 623349351, 1521},
    {"extended", {100, 100}, 0x124121d9e9bafcf6, 78, 77, 617398, 151},
    {"extended", {1000, 1000}, 0x8a0007ec7104cd4e, 766, 763, 623955795, 1509},
    {"triangle:3", {1000, 1000}, 0xc2f20cc6daba09c3, 770, 763, 623295493, 1515},
};

}  // namespace grundy::support
