// How chunks are compressed.
#pragma once

#include <string>
#include <string_view>

namespace grundy {

/// Byte shuffle and deflate at `level` 1 (fast) to 9 (small), or none for level 0. Checksums
/// (fletcher32) are stored with either.
struct Codec {
  int level = 4;

  /// "none", "deflate" or "deflate:L". Throws UsageError for anything else.
  static Codec parse(std::string_view text);

  [[nodiscard]] std::string name() const;
};

}  // namespace grundy
