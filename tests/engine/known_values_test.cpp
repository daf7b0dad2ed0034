#include "grundy/engine/known_values.hpp"

#include <atomic>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grundy/engine/engine.hpp"
#include "grundy/game/errors.hpp"
#include "grundy/game/rule.hpp"

#include "support/collected_table.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/text.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;

// Knows some squares of a table, and in an upper half nothing of the cells below it.
class SomeSquares final : public KnownValues {
 public:
  SomeSquares(const support::CollectedTable& table, std::uint64_t side, std::uint64_t seed,
              unsigned of_eight, bool upper_half)
      : table_(table), side_(side), seed_(seed), of_eight_(of_eight), upper_half_(upper_half) {}

  bool read(const Region& region, std::uint32_t* values, std::uint64_t stride) const override {
    for (std::uint64_t x = region.x0; x < region.x1(); ++x) {
      for (std::uint64_t y = region.y0; y < region.y1(); ++y) {
        if (!knows(x / side_, y / side_)) return false;
        values[(x - region.x0) * stride + y - region.y0] =
            upper_half_ && y < x ? 0xdead'beef : table_.at(x, y) + (wrong_ == Position{x, y});
      }
    }
    ++used_;
    return true;
  }

  void make_wrong(Position cell) { wrong_ = cell; }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  [[nodiscard]] bool knows(std::uint64_t i, std::uint64_t j) const {
    std::uint64_t z = seed_ + (i << 32U) + j;
    z = (z ^ z >> 30U) * 0xbf58'476d'1ce4'e5b9U;
    z = (z ^ z >> 27U) * 0x94d0'49bb'1331'11ebU;
    return (z >> 40U) % 8 < of_eight_;
  }

  const support::CollectedTable& table_;
  std::uint64_t side_;
  std::uint64_t seed_;
  unsigned of_eight_;
  bool upper_half_;
  Position wrong_{~std::uint64_t{0}, 0};
  mutable std::atomic<std::uint64_t> used_{0};
};

TEST(KnownValues, OfAnyPartGiveTheSameTable) {
  RandomCase random(821);
  std::uint64_t used = 0;
  for (int round = 0; round < support::cases(120); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(120);
    const auto expected = support::compute_table("reference", rule, extent);
    const SomeSquares known(*expected, random.between(1, 60), random.below(1U << 30U),
                            static_cast<unsigned>(random.between(1, 8)),
                            rule.symmetric() && extent.rows <= extent.cols);
    SCOPED_TRACE(rule.name() + ", " + support::to_text(extent));
    const EngineOptions options{.threads = static_cast<unsigned>(random.between(1, 4)),
                                .tile_side = random.between(1, 50)};
    support::CollectedTable table(extent);
    ASSERT_TRUE(make_engine("cpu", options)->compute_rest(rule, extent, known, table, {}));
    EXPECT_TRUE(table.complete());
    EXPECT_TRUE(support::agrees(
        table, [&](std::uint64_t x, std::uint64_t y) { return expected->at(x, y); }));
    used += known.used();
  }
  EXPECT_GT(used, 100U);
}

TEST(KnownValues, ThatCannotBeRightAreRefused) {
  RandomCase random(822);
  for (int round = 0; round < support::cases(60); ++round) {
    const Rule rule = random.rule();
    const Extent extent = random.extent(60);
    const auto expected = support::compute_table("reference", rule, extent);
    SomeSquares known(*expected, 1, 0, 8, false);
    // One more than right: terminal, or larger than x+y, or found again on a line.
    const Position cell{random.below(extent.rows), random.below(extent.cols)};
    known.make_wrong(cell);
    support::CollectedTable table(extent);
    const EngineOptions options{.threads = 2, .tile_side = random.between(1, 30)};
    bool refused = false;
    try {
      (void)make_engine("cpu", options)->compute_rest(rule, extent, known, table, {});
    } catch (const IoError& error) {
      refused = std::string(error.what()).find("cannot be right") != std::string::npos;
    }
    // In an upper half the cells below are not asked for; and at the end of its lines a wrong value
    // may meet no other.
    if (!refused) {
      const bool below =
          rule.symmetric() && (extent.rows <= extent.cols ? cell.y < cell.x : cell.y > cell.x);
      EXPECT_TRUE(below || !rule.is_terminal(cell)) << support::to_text(cell);
      EXPECT_TRUE(below || expected->at(cell.x, cell.y) < cell.x + cell.y);
    }
  }
}

}  // namespace
}  // namespace grundy
