// A line set in memory of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "grundy/kernels/line_set.hpp"

namespace grundy::support {

/// An empty line for the values 0 .. values-1. Its memory ends with its last word, so that an
/// address sanitizer sees every step beyond it.
class OwnLine {
 public:
  OwnLine(std::uint64_t summary_words, std::uint64_t values)
      : words_(kLineStride * (line_words(summary_words, values) - 1) + 1),
        value_0_(kLineStride * (summary_words + 1)) {}

  friend bool operator==(const OwnLine&, const OwnLine&) = default;

  /// Its address.
  LineWord* line() { return words_.data() + value_0_; }

 private:
  std::vector<LineWord> words_;
  std::uint64_t value_0_;  // where value word 0 is
};

}  // namespace grundy::support
