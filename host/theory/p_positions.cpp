#include "grundy/theory/p_positions.hpp"

#include <algorithm>
#include <cstdint>

#include "grundy/theory/beatty.hpp"
#include "grundy/theory/hofstadter.hpp"

namespace grundy {
namespace {

// The P-positions of a symmetric game that has exactly one on each diagonal y - x = d, d >= 1.
struct ClosedForm {
  std::uint64_t on_main_diagonal;            // (0,0), (1,1), ...: this many
  Position (*on_diagonal)(std::uint64_t d);  // both coordinates never fall as d grows
};

constexpr ClosedForm kClassic{1, [](std::uint64_t d) {
                                return Position{lower_wythoff(d), upper_wythoff(d)};
                              }};

constexpr ClosedForm kExtended{2, [](std::uint64_t d) {
                                 const std::uint64_t n = d - 1;
                                 const std::uint64_t g = extended_shift(n);
                                 return Position{lower_wythoff(n) + g - 1, upper_wythoff(n) + g};
                               }};

bool is_p(Position p, const ClosedForm& form) {
  check_closed_form_range(p.x);
  check_closed_form_range(p.y);
  if (p.x == p.y) return p.x < form.on_main_diagonal;
  const auto [low, high] = std::minmax(p.x, p.y);
  return form.on_diagonal(high - low) == Position{low, high};
}

std::vector<Position> p_positions(Extent extent, const ClosedForm& form) {
  std::vector<Position> found;
  const auto add_if_inside = [&](Position p) {
    if (extent.contains(p)) found.push_back(p);
  };
  for (std::uint64_t i = 0; i < form.on_main_diagonal; ++i) add_if_inside({i, i});

  const auto [narrow, wide] = std::minmax(extent.rows, extent.cols);
  for (std::uint64_t d = 1;; ++d) {
    const auto [low, high] = form.on_diagonal(d);
    if (low >= narrow || high >= wide) break;
    add_if_inside({low, high});
    add_if_inside({high, low});
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

bool is_classic_p(Position p) { return is_p(p, kClassic); }

bool is_extended_p(Position p) { return is_p(p, kExtended); }

std::vector<Position> classic_p_positions(Extent extent) { return p_positions(extent, kClassic); }

std::vector<Position> extended_p_positions(Extent extent) { return p_positions(extent, kExtended); }

}  // namespace grundy
