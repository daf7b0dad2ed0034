// A set of numbers that grows at one end and is forgotten at the other.
#pragma once

#include <cstdint>

#include "grundy/engine/memory.hpp"

namespace grundy {

/// A set of numbers below `size`, a bit each. Bits that were never set take no memory, and neither
/// do those released: of a set that is used within a window that moves up, only the window does.
class SlidingBits {
 public:
  /// Throws DeviceError when the system refuses the address space.
  explicit SlidingBits(std::uint64_t size) : words_(map_zeroed_words(size / kBits + 3)) {}

  [[nodiscard]] bool test(std::uint64_t i) const {
    return (words_[i / kBits] >> i % kBits & 1) != 0;
  }
  void set(std::uint64_t i) { words_[i / kBits] |= std::uint64_t{1} << i % kBits; }

  /// Bits i to i+63, lowest first; zeros from `size` on. For i <= size.
  [[nodiscard]] std::uint64_t window(std::uint64_t i) const {
    // Whole words, as set() writes them: a load across two of them would have to wait for both.
    const std::uint64_t low = words_[i / kBits] >> i % kBits;
    return low | words_[i / kBits + 1] << 1U << (kBits - 1 - i % kBits);
  }

  /// The numbers below i will not be asked for any more.
  void release_below(std::uint64_t i) {
    if (i / kBits >= released_words_ + 2 * kReleasedAtOnce) release_words_below(i / kBits);
  }

 private:
  static constexpr std::uint64_t kBits = 64;
  static constexpr std::uint64_t kReleasedAtOnce = std::uint64_t{1} << 19U;  // words: 4 MiB

  void release_words_below(std::uint64_t word);

  MappedWords words_;
  std::uint64_t released_words_ = 0;
};

}  // namespace grundy
