// Strict reading of numbers that people type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grundy {

/// The decimal number `text`, digits only. Throws UsageError that names `what` and the text when
/// it is empty, signed, not a number, or does not fit 64 bits.
std::uint64_t parse_count(std::string_view what, std::string_view text);

/// The same, of a number that is at most `most`; a larger one is refused with that maximum.
std::uint64_t parse_count(std::string_view what, std::string_view text, std::uint64_t most);

/// Text of any length as part of a message: its beginning, with "..." where it was cut.
std::string excerpt(std::string_view text, std::size_t length = 60);

}  // namespace grundy
