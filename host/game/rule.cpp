#include "grundy/game/rule.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/names.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

std::vector<Position> parse_cells(std::string_view list) {
  std::vector<Position> cells;
  while (true) {
    const std::size_t end = list.find(';');
    const std::string_view cell = list.substr(0, end);
    const std::size_t comma = cell.find(',');
    if (comma == std::string_view::npos)
      throw UsageError(fmt::format(
          "rule cells: '{}' is not a cell; write x,y with a semicolon between cells: cells:0,0;1,2",
          excerpt(cell)));
    if (cells.size() == Rule::kMaxCells)
      throw UsageError(fmt::format("rule cells: more than {} cells", Rule::kMaxCells));
    cells.push_back({parse_count("x of a cell in the rule", cell.substr(0, comma)),
                     parse_count("y of a cell in the rule", cell.substr(comma + 1))});
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  std::vector<Position> sorted = cells;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw UsageError(fmt::format("rule cells: {},{} is named twice", twice->x, twice->y));
  return cells;
}

}  // namespace

Rule Rule::parse(std::string_view text) {
  constexpr std::string_view kTriangle = "triangle:";
  constexpr std::string_view kCells = "cells:";
  if (text == "classic") return classic();
  if (text == "extended") return extended();
  if (text.starts_with(kTriangle))
    return triangle(parse_count("K of the rule triangle:K", text.substr(kTriangle.size())));
  if (text.starts_with(kCells)) return cells(parse_cells(text.substr(kCells.size())));
  throw UsageError(
      unknown_name("rule", text, {"classic", "extended", "triangle:K", "cells:x,y;x,y;..."}));
}

Rule Rule::triangle(std::uint64_t k) {
  if (k > kMaxTriangle)
    throw UsageError(fmt::format("rule triangle:{}: K is at most {}", k, kMaxTriangle));
  return {k + 1, {}};
}

Rule Rule::cells(std::vector<Position> cells) {
  for (const Position& cell : cells)
    if (cell.x >= kMaxCoordinate || cell.y >= kMaxCoordinate)
      throw UsageError(fmt::format("rule cells: {},{}: coordinates are below {}", cell.x, cell.y,
                                   kMaxCoordinate));
  cells.push_back({0, 0});
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  // Counted with (0,0), so that the name, which lists it, can be parsed again.
  if (cells.size() > kMaxCells)
    throw UsageError(fmt::format("a rule has at most {} terminal cells with (0,0), not {}",
                                 kMaxCells, cells.size()));
  return {0, std::move(cells)};
}

Rule::Rule(std::uint64_t corner, std::vector<Position> cells)
    : corner_(corner), cells_(std::move(cells)) {
  // Whole anti-diagonals at the corner belong to the triangle: one form for one set.
  const auto on_next_antidiagonal = [this](const Position& p) { return p.x + p.y == corner_; };
  while (!cells_.empty() &&
         std::cmp_equal(std::count_if(cells_.begin(), cells_.end(), on_next_antidiagonal),
                        corner_ + 1)) {
    std::erase_if(cells_, on_next_antidiagonal);
    ++corner_;
  }
  for (const Position& cell : cells_) {
    bounds_.rows = std::max(bounds_.rows, cell.x + 1);
    bounds_.cols = std::max(bounds_.cols, cell.y + 1);
    symmetric_ =
        symmetric_ && std::binary_search(cells_.begin(), cells_.end(), Position{cell.y, cell.x});
  }
}

std::string Rule::name() const {
  if (cells_.empty()) {
    if (corner_ == 1) return "classic";
    if (corner_ == 3) return "extended";
    return fmt::format("triangle:{}", corner_ - 1);
  }
  std::string text = "cells:";
  for (const Position& cell : terminal_cells()) {
    if (text.back() != ':') text += ';';
    text += fmt::format("{},{}", cell.x, cell.y);
  }
  return text;
}

std::vector<Position> Rule::terminal_cells() const {
  std::vector<Position> all = cells_;
  all.reserve(terminal_count());
  for (std::uint64_t x = 0; x < corner_; ++x)
    for (std::uint64_t y = 0; x + y < corner_; ++y) all.push_back({x, y});
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace grundy
