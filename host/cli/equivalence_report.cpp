#include "equivalence_report.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace grundy::cli {

void add_json(nlohmann::ordered_json& json, const Equivalence& set) {
  nlohmann::ordered_json exceptions = nlohmann::ordered_json::array();
  for (const Position& p : set.exceptions) exceptions.push_back({p.x, p.y});
  json["exceptions"] = std::move(exceptions);
  json["exception_count"] = set.exception_count;
  json["threshold"] = set.threshold;
  if (set.last) json["last_exception"] = {set.last->x, set.last->y};
  json["holds"] = set.holds;
}

void print_text(const char* name, const Equivalence& set) {
  constexpr std::size_t kShown = 40;
  fmt::print("{} or classic P, not both: {}", name, set.exception_count);
  for (std::size_t i = 0; i < std::min(kShown, set.exceptions.size()); ++i)
    fmt::print("{}({},{})", i == 0 ? ": " : " ", set.exceptions[i].x, set.exceptions[i].y);
  if (set.exception_count > set.exceptions.size()) {
    fmt::print(" ... (the first {} with --json)", set.exceptions.size());
  } else if (set.exception_count > kShown) {
    fmt::print(" ... (all of them with --json)");
  }
  fmt::print("\n");
  if (set.holds) {
    fmt::print("{} exactly at the classic P-positions wherever x >= {} or y >= {}\n", name,
               set.threshold, set.threshold);
  } else {
    fmt::print(
        "no equivalence seen of {} and classic P: the last exception is ({},{}), in the last ",
        name, set.last->x, set.last->y);
    fmt::print("half of the range; none where x >= {} or y >= {}\n", set.threshold, set.threshold);
  }
}

void add_json(nlohmann::ordered_json& json, const DefinitionCheck& check) {
  const auto entry = [&check](const std::optional<std::string>& failure) {
    nlohmann::ordered_json object{{"side", check.side}, {"holds", !failure}};
    if (failure) object["first_failure"] = *failure;
    return object;
  };
  json["misere_by_definition"] = entry(check.misere_failure);
  json["nim_sum"] = entry(check.sum_failure);
  json["nim_sum"]["heaps"] = DefinitionCheck::kHeaps;
}

void print_text(const DefinitionCheck& check, const Rule& rule) {
  fmt::print("by definition, level sets of {}, x, y < {}: ", rule.name(), check.side);
  fmt::print("misere P-positions {}; ", check.misere_failure.value_or("agree"));
  fmt::print("with a Nim heap of z < {}, {}\n", DefinitionCheck::kHeaps,
             check.sum_failure.value_or("P exactly where G(x,y) = z"));
}

}  // namespace grundy::cli
