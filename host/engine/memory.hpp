// How much memory there is, and taking large pieces of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace grundy {

/// count * size, or the largest number where that does not fit: sizes that no machine has are then
/// refused like any other that does not fit.
constexpr std::uint64_t saturating_bytes(std::uint64_t count, std::uint64_t size) {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(count, size, &bytes) ? ~std::uint64_t{0} : bytes;
}

/// The sum of sizes, or the largest number where that does not fit.
constexpr std::uint64_t saturating_sum(std::initializer_list<std::uint64_t> sizes) {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) sum = size > ~sum ? ~std::uint64_t{0} : sum + size;
  return sum;
}

/// Bytes this process can still take without swapping: the machine's free and reclaimable memory,
/// within the limits of its control group and address space.
std::uint64_t available_memory();

/// Throws DeviceError that names `what`, the bytes needed and those available, if they do not fit.
void require_memory(std::string_view what, std::uint64_t bytes);

struct UnmapWords {
  std::size_t bytes = 0;
  void operator()(std::uint64_t* words) const;
};

/// Zeroed 64-bit words straight from the operating system, on huge pages where it grants them;
/// pages that are never touched take no memory. Aligned to a page.
using MappedWords = std::unique_ptr<std::uint64_t[], UnmapWords>;

/// Throws DeviceError when the system refuses.
MappedWords map_zeroed_words(std::uint64_t words);

}  // namespace grundy
