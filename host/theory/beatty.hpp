// The Beatty sequences of phi = (1 + sqrt 5)/2 and phi^2, on which the closed forms of Wythoff's
// game rest. From index 1 on, the two together hit every positive integer exactly once.
#pragma once

#include <cstdint>
#include <optional>

namespace grundy {

/// Arguments of the closed forms (indices, terms, coordinates) must be below this: 2^62.
inline constexpr std::uint64_t kClosedFormLimit = std::uint64_t{1} << 62;

/// Throws std::out_of_range, naming value and limit, unless value < kClosedFormLimit.
void check_closed_form_range(std::uint64_t value);

/// floor(n*phi), exact; 0 for n = 0. OEIS A000201.
/// Throws std::out_of_range unless n < kClosedFormLimit.
[[nodiscard]] std::uint64_t lower_wythoff(std::uint64_t n);

/// floor(n*phi^2) = lower_wythoff(n) + n, exact; 0 for n = 0. OEIS A001950.
/// Throws std::out_of_range unless n < kClosedFormLimit.
[[nodiscard]] std::uint64_t upper_wythoff(std::uint64_t n);

/// The n >= 1 with lower_wythoff(n) == a, if any. Index 0 does not count, so a = 0 has none:
/// exactly one of the two lookups succeeds for each positive integer.
/// Throws std::out_of_range unless a < kClosedFormLimit.
[[nodiscard]] std::optional<std::uint64_t> lower_wythoff_index(std::uint64_t a);

/// The n >= 1 with upper_wythoff(n) == b, if any; none for b = 0, as above.
/// Throws std::out_of_range unless b < kClosedFormLimit.
[[nodiscard]] std::optional<std::uint64_t> upper_wythoff_index(std::uint64_t b);

}  // namespace grundy
