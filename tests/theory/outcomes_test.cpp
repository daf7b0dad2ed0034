#include "grundy/theory/outcomes.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "support/definition.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::RandomCase;
using support::to_text;

std::vector<Position> scanned(const Rule& rule, const Extent& extent, Play play, unsigned heaps,
                              unsigned z) {
  OutcomeScan scan(rule, extent, play, heaps);
  std::vector<Position> found;
  for (std::uint64_t x = 0; x < extent.rows; ++x) {
    const auto& row = scan.next_row();
    for (std::uint64_t y = 0; y < extent.cols; ++y)
      if (row[z * extent.cols + y] != 0) found.push_back({x, y});
  }
  return found;
}

// The theorem of Sprague and Grundy, on games for which nothing was built in.
TEST(OutcomeScan, SumWithAHeapIsPExactlyWhereTheValueIsTheHeap) {
  RandomCase random(71);
  for (int round = 0; round < support::cases(200); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(50);
    const auto values = support::values_by_definition(rule.terminal_cells(), extent);
    const auto heaps = static_cast<unsigned>(random.between(1, 6));
    for (unsigned z = 0; z < heaps; ++z) {
      std::vector<Position> expected;
      for (std::uint64_t x = 0; x < extent.rows; ++x)
        for (std::uint64_t y = 0; y < extent.cols; ++y)
          if (values[x][y] == z) expected.push_back({x, y});
      ASSERT_EQ(to_text(scanned(rule, extent, Play::kNormal, heaps, z)), to_text(expected))
          << rule.name() << ", " << to_text(extent) << ", heap of " << z;
    }
  }
}

TEST(OutcomeScan, MiserePositionsMatchTheDefinition) {
  RandomCase random(72);
  for (int round = 0; round < support::cases(200); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(50);
    ASSERT_EQ(to_text(scanned(rule, extent, Play::kMisere, 1, 0)),
              to_text(support::misere_p_by_definition(rule.terminal_cells(), extent)))
        << rule.name() << ", " << to_text(extent);
  }
}

TEST(OutcomeScan, RefusesHeapsThatHaveNoMeaning) {
  EXPECT_THROW(OutcomeScan(Rule::classic(), {5, 5}, Play::kNormal, 0), std::invalid_argument);
  EXPECT_THROW(OutcomeScan(Rule::classic(), {5, 5}, Play::kMisere, 2), std::invalid_argument);
}

}  // namespace
}  // namespace grundy
