// Names that people mistype.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grundy {

/// The one of `names` that `text` was probably meant to be: with at most a quarter of the letters
/// omitted, added, replaced or swapped with their neighbours, or cut off at the end; upper and
/// lower case alike. Of a name such as "triangle:K" what precedes the colon is enough. None:
/// nothing is that close.
std::optional<std::string> closest_name(std::string_view text,
                                        const std::vector<std::string>& names);

/// The message for a value that is none of `names`:
/// "unknown engine 'cuad'; did you mean cuda? known are auto, cpu and cuda".
std::string unknown_name(std::string_view what, std::string_view text,
                         const std::vector<std::string>& names);

}  // namespace grundy
