// Hofstadter's G-sequence h, and the shift built on it that turns classic P-positions into
// extended ones. Each comes in closed form and, as the reason to trust that, by its definition.
#pragma once

#include <cstdint>
#include <vector>

namespace grundy {

/// h(n) = floor((n+1)/phi), exact; also the number of lower Wythoff terms in 1..n. OEIS A005206.
/// Throws std::out_of_range unless n < 2^62 (kClosedFormLimit).
[[nodiscard]] std::uint64_t hofstadter_g(std::uint64_t n);

/// h(0), ..., h(count-1) by Hofstadter's recursion h(0) = 0, h(n) = n - h(h(n-1)).
[[nodiscard]] std::vector<std::uint64_t> hofstadter_g_terms(std::uint64_t count);

/// g(n), 0 or 1: the extended P-positions off the main diagonal are
/// (lower_wythoff(n) - 1 + g(n), upper_wythoff(n) + g(n)), n >= 0, and their mirrors, so g(n) says
/// whether the n-th one is shifted by one diagonal step. In terms of h: g(0) = 1, g(1) = 0, and
/// g(n) = 1 - g(h(n-1)) if h(n-2) < h(n-1), else 1. O(log n) steps.
/// Throws std::out_of_range unless n < 2^62 (kClosedFormLimit).
[[nodiscard]] std::uint64_t extended_shift(std::uint64_t n);

/// g(0), ..., g(count-1) by the Beatty form of the definition: g(n) = 1 - g(m) if
/// lower_wythoff(n) = upper_wythoff(m) + 1 for some m >= 0, else 1.
[[nodiscard]] std::vector<std::uint64_t> extended_shift_terms(std::uint64_t count);

}  // namespace grundy
