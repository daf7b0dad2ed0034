// Positions as text, for messages and for comparisons that show what differs.
#pragma once

#include <string>
#include <vector>

#include "grundy/game/position.hpp"

namespace grundy::support {

/// As in rules: "1,2".
inline std::string to_text(const Position& p) {
  return std::to_string(p.x) + ',' + std::to_string(p.y);
}

/// As in rules: "0,0;1,2".
inline std::string to_text(const std::vector<Position>& positions) {
  std::string text;
  for (const Position& p : positions) text += (text.empty() ? "" : ";") + to_text(p);
  return text;
}

inline std::string to_text(const Extent& extent) {
  return std::to_string(extent.rows) + " x " + std::to_string(extent.cols);
}

}  // namespace grundy::support
