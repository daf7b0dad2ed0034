// How chunks are compressed.
#pragma once

#include <string>
#include <string_view>

#include "grundy/dataset/filters.hpp"

namespace grundy {

/// Byte shuffle and a compressor, or none for level 0. Checksums (fletcher32) are stored with all.
struct Codec {
  enum class Method {
    kDeflate,  // levels 1 (fast) to 12 (small); every HDF5 reads it
    kZstd      // levels 1 to 19; faster, but other programs need HDF5's Zstandard plugin to read it
  };

  int level = 4;
  Method method = Method::kDeflate;

  /// "none", "deflate", "deflate:L", "zstd" or "zstd:L". Throws UsageError for anything else.
  static Codec parse(std::string_view text);

  [[nodiscard]] std::string name() const;

  /// What it does to a chunk, in the order of writing.
  [[nodiscard]] FilterPipeline filters() const;

  friend bool operator==(const Codec&, const Codec&) = default;
};

}  // namespace grundy
