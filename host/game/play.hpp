// How a game is won, and for whom a position is won.
#pragma once

namespace grundy {

/// Normal: who moves into a terminal position wins. Misere: who moves into one loses, so that a
/// terminal position counts as won for the player to move, although there is no move from it.
enum class Play { kNormal, kMisere };

/// P: the player who has just moved (previous) wins. N: the player to move (next) wins.
enum class Outcome { kP, kN };

}  // namespace grundy
