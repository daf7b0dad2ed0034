// P-positions under normal play (Grundy value 0, terminal positions included) in closed form.
#pragma once

#include <vector>

#include "grundy/game/position.hpp"

namespace grundy {

/// Whether p is a P-position of classic Wythoff: (floor(n*phi), floor(n*phi^2)) or its mirror.
/// Constant time. Throws std::out_of_range unless both coordinates are below 2^62.
/// Source: W. A. Wythoff, A modification of the game of nim, 1907.
[[nodiscard]] bool is_classic_p(Position p);

/// Whether p is a P-position of the game with terminal set x+y <= 2: (0,0), (1,1), a pair described
/// at extended_shift, or its mirror. The published summary of this result leaves out (1,1), which
/// is terminal and so has Grundy value 0; the pairs n = 0, 1 are the other terminal positions.
/// O(log) time. Throws std::out_of_range unless both coordinates are below 2^62.
[[nodiscard]] bool is_extended_p(Position p);

/// All classic P-positions inside extent, mirrors included, sorted by (x,y), each once.
/// Evaluates O(min(rows, cols)) closed forms.
[[nodiscard]] std::vector<Position> classic_p_positions(Extent extent);

/// The same for the terminal set x+y <= 2.
[[nodiscard]] std::vector<Position> extended_p_positions(Extent extent);

}  // namespace grundy
