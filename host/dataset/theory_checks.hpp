// What the theory says of a table, checked cell by cell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/theory/outcomes.hpp"

namespace grundy {

/// Holds the cells of one value, row by row, against a list of positions in the same order.
class PositionsCheck {
 public:
  PositionsCheck(std::uint32_t value, std::vector<Position> expected)
      : value_(value), expected_(std::move(expected)) {}

  void check_row(std::uint64_t x, std::span<const std::uint32_t> values);

  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }
  [[nodiscard]] std::size_t positions() const { return expected_.size(); }

 private:
  std::uint32_t value_;
  std::vector<Position> expected_;
  std::size_t next_ = 0;
  std::optional<std::string> failure_;
};

/// Reads a table row by row, and then reports for each check of the theory how it went:
///   closed form  the zeros are the P-positions, in both directions, where a closed form is known
///   ones         the same for the cells of value 1
///   misere       the misere P-positions, by definition from the rule, are those of the closed
///                form, and under the extended rule the cells of value 1
///   lemma 8      no move leads from a zero to a zero
///   lemma 12     from every other cell a move leads to a zero
///   small sets   below 8, the zeros of classic and the ones of extended are those of the paper
class TheoryChecks {
 public:
  TheoryChecks(const Rule& rule, const Extent& extent);

  /// Memory in bytes.
  static std::uint64_t bytes_needed(const Extent& extent);

  /// The names of the checks, in order.
  static const std::vector<const char*>& names();

  /// Rows in order, each once.
  void check_row(std::uint64_t x, std::span<const std::uint32_t> values);

  struct Result {
    const char* name;
    std::optional<std::string> failure;
    std::optional<std::string> skipped;  // why
    std::string passed;                  // what was checked
  };
  [[nodiscard]] std::vector<Result> results() const;

 private:
  void check_lemmas(std::uint64_t x, std::span<const std::uint32_t> values);
  void check_misere(std::uint64_t x, std::span<const std::uint32_t> values);

  Rule rule_;
  Extent extent_;
  std::optional<PositionsCheck> zeros_;
  std::optional<PositionsCheck> ones_;
  std::optional<PositionsCheck> misere_;
  std::optional<OutcomeScan> outcomes_;
  std::vector<std::uint32_t> misere_row_;
  std::optional<std::string> misere_failure_;
  // Whether the part of a line that has been read holds a zero.
  std::vector<std::uint8_t> column_has_zero_;
  std::vector<std::uint8_t> diagonal_has_zero_;
  std::uint64_t zeros_seen_ = 0;
  std::optional<std::string> lemma_8_failure_;
  std::optional<std::string> lemma_12_failure_;
  std::vector<Position> small_;  // found below 8
};

}  // namespace grundy
