#include "grundy/game/parse.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {

namespace {

/// None for one that does not fit 64 bits.
std::optional<std::uint64_t> read_digits(std::string_view what, std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit))
    throw UsageError(
        fmt::format("{}: '{}' is not a whole number of 0 or more", what, excerpt(text)));
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

/// Large powers of two are easier to read than their digits.
std::string maximum_text(std::uint64_t most) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 32U;
  if (most < kLarge || (most & (most + 1)) != 0) return fmt::format("{}", most);
  return fmt::format("2^{} - 1 = {}", std::bit_width(most), most);
}

}  // namespace

std::uint64_t parse_count(std::string_view what, std::string_view text) {
  const std::optional<std::uint64_t> value = read_digits(what, text);
  if (!value) throw UsageError(fmt::format("{}: {} is too large", what, excerpt(text)));
  return *value;
}

std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t most) {
  const std::optional<std::uint64_t> value = read_digits(what, text);
  if (!value || *value > most)
    throw UsageError(
        fmt::format("{}: {} is too large; at most {}", what, excerpt(text), maximum_text(most)));
  return *value;
}

std::string excerpt(std::string_view text, std::size_t length) {
  if (text.size() <= length) return std::string(text);
  // Not within a character of UTF-8: bytes 10xxxxxx continue one.
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  return std::string(text.substr(0, length)) + "...";
}

}  // namespace grundy
