// A sink that keeps the whole table, and what tests do with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/engine/engine.hpp"

#include "support/text.hpp"

namespace grundy::support {

/// Keeps every value, and counts how often each cell comes. It takes no lock: a lock would order
/// the engine's threads, and so hide their races from a thread sanitizer.
class CollectedTable final : public TileSink {
 public:
  explicit CollectedTable(const Extent& extent)
      : extent_(extent), values_(extent.cells()), times_(extent.cells()) {}

  void consume(const FinishedTile& tile) override {
    tiles_.fetch_add(1, std::memory_order_relaxed);
    for_each_view(tile, [this](const TileView& view) {
      for (std::uint32_t i = 0; i < view.rows; ++i)
        for (std::uint32_t j = 0; j < view.cols; ++j)
          keep({view.x0 + i, view.y0 + j}, view.at(i, j));
    });
  }

  [[nodiscard]] const Extent& extent() const { return extent_; }
  [[nodiscard]] std::uint64_t tiles() const { return tiles_.load(); }
  [[nodiscard]] std::uint32_t at(std::uint64_t x, std::uint64_t y) const {
    return values_[x * extent_.cols + y];
  }
  [[nodiscard]] bool has(std::uint64_t x, std::uint64_t y) const {
    return times_[x * extent_.cols + y].load() != 0;
  }

  /// Whether every cell came once and nothing came from outside the table.
  [[nodiscard]] testing::AssertionResult complete() const { return came(1); }
  /// Whether no cell came twice and nothing came from outside the table.
  [[nodiscard]] testing::AssertionResult consistent() const { return came(0); }

 private:
  void keep(Position p, std::uint32_t value) {
    if (!extent_.contains(p)) {
      outside_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const std::uint64_t cell = p.x * extent_.cols + p.y;
    if (times_[cell].fetch_add(1, std::memory_order_relaxed) == 0) values_[cell] = value;
  }

  [[nodiscard]] testing::AssertionResult came(unsigned at_least) const {
    if (outside_ != 0) return testing::AssertionFailure() << outside_ << " cells outside the table";
    for (std::uint64_t cell = 0; cell < times_.size(); ++cell)
      if (const unsigned times = times_[cell]; times < at_least || times > 1)
        return testing::AssertionFailure()
               << "cell " << to_text(Position{cell / extent_.cols, cell % extent_.cols}) << " came "
               << times << " times";
    return testing::AssertionSuccess();
  }

  Extent extent_;
  std::vector<std::uint32_t> values_;
  std::vector<std::atomic<unsigned>> times_;
  std::atomic<std::uint64_t> outside_{0};
  std::atomic<std::uint64_t> tiles_{0};
};

/// The whole table by the engine of that name; fails the test unless every cell comes once.
inline std::unique_ptr<CollectedTable> compute_table(std::string_view engine, const Rule& rule,
                                                     const Extent& extent,
                                                     const EngineOptions& options = {}) {
  auto table = std::make_unique<CollectedTable>(extent);
  EXPECT_TRUE(make_engine(engine, options)->compute(rule, extent, *table, {}));
  EXPECT_TRUE(table->complete());
  return table;
}

/// Whether `value(x,y)` agrees with every cell that `table` has; names the first that differs.
template <typename Value>
testing::AssertionResult agrees(const CollectedTable& table, Value value) {
  for (std::uint64_t x = 0; x < table.extent().rows; ++x)
    for (std::uint64_t y = 0; y < table.extent().cols; ++y)
      if (table.has(x, y) && table.at(x, y) != value(x, y))
        return testing::AssertionFailure() << "value of " << x << ',' << y << " is "
                                           << table.at(x, y) << " instead of " << value(x, y);
  return testing::AssertionSuccess();
}

inline testing::AssertionResult agrees(const CollectedTable& table,
                                       const CollectedTable& expected) {
  return agrees(table, [&](std::uint64_t x, std::uint64_t y) { return expected.at(x, y); });
}

}  // namespace grundy::support
