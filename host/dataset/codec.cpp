#include "grundy/dataset/codec.hpp"

#include <fmt/format.h>

#include "grundy/game/errors.hpp"
#include "grundy/game/names.hpp"
#include "grundy/game/parse.hpp"

namespace grundy {
namespace {

struct MethodName {
  Codec::Method method;
  std::string_view name;
  int default_level;
  int highest_level;
};

constexpr MethodName kMethods[] = {{Codec::Method::kDeflate, "deflate", Codec{}.level, 12},
                                   {Codec::Method::kZstd, "zstd", 3, 19}};

}  // namespace

Codec Codec::parse(std::string_view text) {
  if (text == "none") return {0};
  for (const auto& [method, name, default_level, highest_level] : kMethods) {
    if (text == name) return {default_level, method};
    if (!text.starts_with(name) || text.substr(name.size(), 1) != ":") continue;
    const std::uint64_t level =
        parse_count(fmt::format("level of the compression {}", name), text.substr(name.size() + 1));
    if (level >= 1 && level <= static_cast<std::uint64_t>(highest_level))
      return {static_cast<int>(level), method};
  }
  throw UsageError(
      unknown_name("compression", text, {"none", "deflate:1 to deflate:12", "zstd:1 to zstd:19"}));
}

std::string Codec::name() const {
  if (level == 0) return "none";
  for (const MethodName& known : kMethods)
    if (known.method == method) return fmt::format("{}:{}", known.name, level);
  return {};
}

FilterPipeline Codec::filters() const {
  if (level == 0) return {{FilterKind::kFletcher32}};
  const FilterKind compressor =
      method == Method::kDeflate ? FilterKind::kDeflate : FilterKind::kZstd;
  return {{FilterKind::kShuffle}, {compressor, level}, {FilterKind::kFletcher32}};
}

}  // namespace grundy
