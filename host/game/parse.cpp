#include "grundy/game/parse.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {

std::uint64_t parse_count(std::string_view what, std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit))
    throw UsageError(
        fmt::format("{}: '{}' is not a whole number of 0 or more", what, excerpt(text)));
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
    throw UsageError(fmt::format("{}: {} is too large", what, excerpt(text)));
  return value;
}

std::string excerpt(std::string_view text, std::size_t length) {
  if (text.size() <= length) return std::string(text);
  // Not within a character of UTF-8: bytes 10xxxxxx continue one.
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  return std::string(text.substr(0, length)) + "...";
}

}  // namespace grundy
