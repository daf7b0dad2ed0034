#include "grundy/dataset/codec.hpp"

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {

Codec Codec::parse(std::string_view text) {
  constexpr std::string_view kDeflate = "deflate:";
  if (text == "none") return {0};
  if (text == "deflate") return {};
  if (text.starts_with(kDeflate)) {
    const std::uint64_t level =
        parse_count("level of the compression deflate", text.substr(kDeflate.size()));
    if (level >= 1 && level <= 9) return {static_cast<int>(level)};
  }
  throw UsageError(
      fmt::format("unknown compression '{}'; known are none, deflate and deflate:1 to deflate:9",
                  excerpt(text)));
}

std::string Codec::name() const { return level == 0 ? "none" : fmt::format("deflate:{}", level); }

}  // namespace grundy
