// How both forms of grundy equivalence report what they find.
#pragma once

#include <nlohmann/json.hpp>

#include "grundy/game/rule.hpp"
#include "grundy/levels/definition_check.hpp"
#include "grundy/theory/equivalence.hpp"

namespace grundy::cli {

/// Keys: exceptions, exception_count, threshold, last_exception (if there is one), holds.
void add_json(nlohmann::ordered_json& json, const Equivalence& set);
/// `name` of the set as in "G = 1".
void print_text(const char* name, const Equivalence& set);

/// Keys: misere_by_definition and nim_sum.
void add_json(nlohmann::ordered_json& json, const DefinitionCheck& check);
void print_text(const DefinitionCheck& check, const Rule& rule);

}  // namespace grundy::cli
