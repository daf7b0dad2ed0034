// The reductions on one of Thrust's device systems for CPUs, chosen by the build.
#include "grundy/kernels/reductions.hpp"

#include <algorithm>
#include <cstdint>
#include <thrust/execution_policy.h>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/device_plan.hpp"
#include "grundy/engine/sinks.hpp"
#include "grundy/game/rule.hpp"

#include "support/collected_table.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/sink_sums.hpp"
#include "support/text.hpp"

namespace grundy {
namespace {

using support::CollectedTable;
using support::RandomCase;
using support::to_text;

// A table by the reference engine, as strips of a plan.
class StripTable {
 public:
  StripTable(const Rule& rule, const Extent& extent, const ComputedPart& part,
             const DevicePlan::Request& request)
      : plan_(part, rule, request),
        table_(support::compute_table("reference", rule, extent)),
        buffer_(plan_.strip_bytes / 4) {}

  [[nodiscard]] const DevicePlan& plan() const { return plan_; }

  // Valid until the next call.
  StripCells cells(std::int64_t epoch) {
    std::fill(buffer_.begin(), buffer_.end(), 0xCBCB'CBCB);
    const Range rows = plan_.rows(epoch);
    const std::int64_t t0 = plan_.waves(epoch).first * plan_.grid.width;
    for (std::int64_t x = rows.first; x < rows.last; ++x) {
      for (std::int64_t step = 0; step < std::int64_t{1} << plan_.log2_steps; ++step) {
        const std::int64_t y = t0 + step - plan_.grid.row_start(x);
        if (!plan_.grid.computes(x, y)) continue;
        const auto row = static_cast<std::uint64_t>(plan_.part.transposed ? y : x);
        const auto column = static_cast<std::uint64_t>(plan_.part.transposed ? x : y);
        buffer_[static_cast<std::uint64_t>(x - rows.first) * plan_.stride() + plan_.carry +
                static_cast<std::uint64_t>(step)] = table_->at(row, column);
      }
    }
    return {plan_.grid, plan_.strip(epoch, buffer_.data()), rows.size(), plan_.log2_steps,
            plan_.part.transposed};
  }

 private:
  DevicePlan plan_;
  std::unique_ptr<CollectedTable> table_;
  std::vector<std::uint32_t> buffer_;
};

TEST(Reductions, SummaryAndHistogramOfAllStripsAreThoseOfTheTable) {
  RandomCase random(61);
  for (int i = 0; i < support::cases(60); ++i) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(100);
    SCOPED_TRACE(rule.name() + " " + to_text(extent));
    const auto [summary, histogram] = support::sink_sums("reference", rule, extent);

    StripTable table(rule, extent, ComputedPart(rule, extent),
                     {random.coin(), random.below(200), random.coin() ? 8U : 32U});
    Summary sum;
    std::vector<std::uint64_t> counts(extent.rows + extent.cols);
    for (std::int64_t epoch = 0; epoch < table.plan().epochs; ++epoch) {
      const StripCells cells = table.cells(epoch);
      sum = sum + summarize_strip(thrust::device, cells);
      count_values(thrust::device, cells, counts.data());
    }
    ASSERT_EQ(sum, summary);
    counts.resize(histogram.size());
    ASSERT_EQ(counts, histogram);
  }
}

TEST(Reductions, HitsOfAllStripsAreThePositionsOfBothLevels) {
  RandomCase random(62);
  for (int i = 0; i < support::cases(40); ++i) {
    const Rule first = random.rule();
    const Rule second = random.coin() ? Rule::classic() : random.rule();
    const Extent extent = random.extent(100);
    SCOPED_TRACE(first.name() + " and " + second.name() + " " + to_text(extent));
    PositionSink ones(1);
    PositionSink zeros(0);
    ASSERT_TRUE(make_engine("reference", {})->compute(first, extent, ones, {}));
    ASSERT_TRUE(make_engine("reference", {})->compute(second, extent, zeros, {}));

    const ComputedPart part(first.symmetric() && second.symmetric(), extent);
    const DevicePlan::Request request{false, random.below(200)};
    StripTable first_table(first, extent, part, request);
    StripTable second_table(second, extent, part, request);
    std::vector<Position> found_ones;
    std::vector<Position> found_zeros;
    for (std::int64_t epoch = 0; epoch < first_table.plan().epochs; ++epoch) {
      const StripCells a = first_table.cells(epoch);
      const StripCells b = second_table.cells(epoch);
      std::vector<LevelHit> hits(a.size());
      hits.resize(compare_levels(thrust::device, a, 1, b, 0, hits.data()));
      for (const LevelHit& hit : hits) {
        const auto add = [&](const Position& p) {
          if (hit.in_first) found_ones.push_back(p);
          if (hit.in_second) found_zeros.push_back(p);
        };
        add(hit.position);
        if (hit.mirrored) add({hit.position.y, hit.position.x});
      }
    }
    std::sort(found_ones.begin(), found_ones.end());
    std::sort(found_zeros.begin(), found_zeros.end());
    ASSERT_EQ(to_text(found_ones), to_text(ones.positions()));
    ASSERT_EQ(to_text(found_zeros), to_text(zeros.positions()));
  }
}

}  // namespace
}  // namespace grundy
