// Two tables against each other, position by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grundy/dataset/cell_source.hpp"
#include "grundy/engine/engine.hpp"
#include "grundy/game/position.hpp"

namespace grundy {

struct ComparedCell {
  Position position;
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend bool operator==(const ComparedCell&, const ComparedCell&) = default;
};

/// Positions that a comparison counts, and the first of them in order of (x,y).
struct FoundCells {
  std::uint64_t count = 0;
  std::vector<ComparedCell> first;
};

/// What is to hold between two tables A and B: "A=1 where B=0", that A is 1 wherever B is 0, or
/// "A=1 iff B=0", that it is so there and nowhere else. Either table comes first.
struct Relation {
  struct Side {
    char table = 'A';  // or B
    std::uint32_t value = 0;

    [[nodiscard]] bool holds(std::uint32_t a, std::uint32_t b) const {
      return (table == 'A' ? a : b) == value;
    }
    [[nodiscard]] std::string text() const;
  };
  Side conclusion;
  Side condition{'B'};
  bool both_ways = false;  // iff

  /// Throws UsageError that says what is wrong.
  static Relation parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

struct CompareOptions {
  Region part;                   // what is compared; both tables have it
  std::optional<Region> except;  // and what of it is not
  std::size_t listed = 10;       // at most so many positions of each kind are listed
  CellsDone progress = {};       // may be empty
  ReadOptions read = {};
};

/// How the values differ.
struct Comparison {
  std::uint64_t positions = 0;
  FoundCells different;
  /// Where |A - B| is largest, the first such position; none if nothing differs.
  std::optional<ComparedCell> farthest;
};

/// Whether a relation holds.
struct RelationCheck {
  std::uint64_t positions = 0;
  std::uint64_t conclusion = 0;  // at so many the conclusion holds,
  std::uint64_t condition = 0;   // at so many the condition
  FoundCells missing;            // the condition without the conclusion
  FoundCells surplus;            // the conclusion without the condition

  [[nodiscard]] std::uint64_t violations(const Relation& relation) const {
    return missing.count + (relation.both_ways ? surplus.count : 0);
  }
};

/// None when a stop was requested before the end. Throws IoError when values cannot be read,
/// UsageError when no position is left to compare.
std::optional<Comparison> compare_cells(const CellSource& a, const CellSource& b,
                                        const CompareOptions& options);
std::optional<RelationCheck> check_relation(const CellSource& a, const CellSource& b,
                                            const Relation& relation,
                                            const CompareOptions& options);

}  // namespace grundy
