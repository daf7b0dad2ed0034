#include "grundy/levels/definition_check.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "grundy/levels/level_stream.hpp"
#include "grundy/theory/outcomes.hpp"

namespace grundy {
namespace {

constexpr std::uint8_t kHigher = 0xff;

/// Calls visit(p, v) for each position that is not terminal, mirrors included. After a stop some
/// are missing.
template <typename Visit>
void for_each_cell(const Rule& rule, Play play, unsigned levels, std::uint64_t limit,
                   const std::stop_token& stop, Visit visit) {
  LevelStream stream(rule, play, levels, limit);
  while (!stream.done() && !stop.stop_requested()) {
    const LevelSteps& steps = stream.next();
    for (unsigned v = 0; v < levels; ++v)
      steps.for_each_position(v, [&](const Position& p) { visit(p, v); });
  }
}

/// Values below `levels` of all x, y < side by level sets, row-major; the others are kHigher.
/// Terminal cells have value 0 under normal play and are kHigher under misere play.
std::vector<std::uint8_t> small_values(const Rule& rule, Play play, unsigned levels,
                                       std::uint64_t side, const std::stop_token& stop) {
  std::vector<std::uint8_t> values(side * side, kHigher);
  if (play == Play::kNormal)
    for (std::uint64_t x = 0; x < side; ++x)
      for (std::uint64_t y = 0; y < side; ++y)
        if (rule.is_terminal({x, y})) values[x * side + y] = 0;
  for_each_cell(rule, play, levels, side, stop, [&](Position p, unsigned v) {
    values[p.x * side + p.y] = static_cast<std::uint8_t>(v);
  });
  return values;
}

std::optional<std::string> first_failure(const Rule& rule, Play play, unsigned heaps,
                                         std::uint64_t side, const std::stop_token& stop) {
  const std::vector<std::uint8_t> values = small_values(rule, play, heaps, side, stop);
  OutcomeScan scan(rule, {side, side}, play, heaps);
  for (std::uint64_t x = 0; x < side && !stop.stop_requested(); ++x) {
    const std::vector<std::uint8_t>& is_p = scan.next_row();
    for (unsigned z = 0; z < heaps; ++z) {
      for (std::uint64_t y = 0; y < side; ++y) {
        if ((is_p[z * side + y] != 0) == (values[x * side + y] == z)) continue;
        return fmt::format("({},{}) with a heap of {} is {} by definition, but {} by its level", x,
                           y, z, is_p[z * side + y] != 0 ? "P" : "N",
                           values[x * side + y] == z ? "P" : "N");
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<DefinitionCheck> check_by_definition(const Rule& rule, std::uint64_t limit,
                                                   const std::stop_token& stop) {
  DefinitionCheck check;
  check.side = std::min(limit, DefinitionCheck::kSide);
  check.sum_failure = first_failure(rule, Play::kNormal, DefinitionCheck::kHeaps, check.side, stop);
  check.misere_failure = first_failure(rule, Play::kMisere, 1, check.side, stop);
  if (stop.stop_requested()) return std::nullopt;
  return check;
}

std::optional<std::vector<Position>> misere_p_positions(const Rule& rule, const Extent& extent,
                                                        const std::stop_token& stop) {
  std::vector<Position> found;
  for_each_cell(rule, Play::kMisere, 1, std::max(extent.rows, extent.cols), stop,
                [&](Position p, unsigned /*v*/) {
                  if (extent.contains(p)) found.push_back(p);
                });
  if (stop.stop_requested()) return std::nullopt;
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace grundy
