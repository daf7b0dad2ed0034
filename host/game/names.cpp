#include "grundy/game/names.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Letters to omit, add, replace or swap with their neighbours on the way from one text to another
/// (the optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  // Rows of a table of all prefixes: the last but one, the last, and the one to fill.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// How far a text is from a name, or none when it is too far.
std::optional<std::size_t> closeness(const std::string& text, const std::string& name) {
  constexpr std::size_t kLongEnough = 2;
  const std::size_t apart = distance(text, name);
  if (apart <= std::max(text.size(), name.size()) / 4) return apart;
  if (text.size() >= kLongEnough && name.starts_with(text)) return 1;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> closest_name(std::string_view text,
                                        const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;
  if (text.size() > kLongest) return std::nullopt;
  const std::string typed = lower(text);
  std::optional<std::string> best;
  std::size_t least = kLongest;
  const auto consider = [&](std::optional<std::size_t> apart, const std::string& name) {
    if (!apart || *apart >= least) return;
    least = *apart;
    best = name;
  };
  for (const std::string& name : names) {
    const std::string known = lower(name);
    consider(closeness(typed, known), name);
    if (const std::size_t colon = known.find(':'); colon != std::string::npos)
      consider(closeness(typed.substr(0, typed.find(':')), known.substr(0, colon)), name);
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view text,
                         const std::vector<std::string>& names) {
  std::string message = fmt::format("unknown {} '{}'; ", what, excerpt(text));
  if (const auto meant = closest_name(text, names))
    message += fmt::format("did you mean {}? ", *meant);
  message += "known are ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) message += i + 1 < names.size() ? ", " : " and ";
    message += names[i];
  }
  return message;
}

}  // namespace grundy
