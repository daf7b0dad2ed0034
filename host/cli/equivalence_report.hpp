// How both forms of grundy equivalence report what they find.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grundy/game/position.hpp"
#include "grundy/game/rule.hpp"
#include "grundy/levels/definition_check.hpp"

namespace grundy::cli {

/// One set of positions against the classic P-positions.
struct ComparedSet {
  std::string name;          // as in "G = 1"
  std::uint64_t positions;   // in the set
  std::uint64_t exceptions;  // in one of the two sets only
  const std::vector<Position>& listed;
  std::uint64_t threshold;
  std::optional<Position> last;  // an exception that reaches the threshold
  bool holds;
};

/// Keys: exceptions, exception_count, threshold, last_exception (if there is one), holds.
void add_json(nlohmann::ordered_json& json, const ComparedSet& set);
void print_text(const ComparedSet& set);

/// Keys: misere_by_definition and nim_sum.
void add_json(nlohmann::ordered_json& json, const DefinitionCheck& check);
void print_text(const DefinitionCheck& check, const Rule& rule);

}  // namespace grundy::cli
