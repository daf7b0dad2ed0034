#include "grundy/theory/beatty.hpp"

#include <stdexcept>
#include <string>

namespace grundy {
namespace {

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with a typedef only
__extension__ typedef unsigned __int128 Wide;

// floor(2^64/phi).
constexpr std::uint64_t kInversePhi64 = 0x9E3779B97F4A7C15;

// a <= n*phi, for a >= n: phi is the positive root of t^2 - t - 1.
bool at_most_n_phi(std::uint64_t a, std::uint64_t n) { return Wide{a} * (a - n) <= Wide{n} * n; }

}  // namespace

void check_closed_form_range(std::uint64_t value) {
  if (value >= kClosedFormLimit) {
    throw std::out_of_range("value " + std::to_string(value) +
                            " is out of range: the closed forms need values below 2^62 = " +
                            std::to_string(kClosedFormLimit));
  }
}

std::uint64_t lower_wythoff(std::uint64_t n) {
  check_closed_form_range(n);
  // n*phi = n + n/phi. The constant is low by less than 2^-64, so the estimate by at most 1.
  const std::uint64_t estimate = n + static_cast<std::uint64_t>((Wide{n} * kInversePhi64) >> 64);
  return at_most_n_phi(estimate + 1, n) ? estimate + 1 : estimate;
}

std::uint64_t upper_wythoff(std::uint64_t n) { return lower_wythoff(n) + n; }

std::optional<std::uint64_t> lower_wythoff_index(std::uint64_t a) {
  // floor(a/phi) + 1: the least with n*phi > a.
  const std::uint64_t n = lower_wythoff(a) - a + 1;
  return lower_wythoff(n) == a ? std::optional(n) : std::nullopt;
}

std::optional<std::uint64_t> upper_wythoff_index(std::uint64_t b) {
  if (b == 0) return std::nullopt;
  // floor(b/phi^2) + 1: the least with n*phi^2 > b.
  const std::uint64_t n = 2 * b - lower_wythoff(b);
  return upper_wythoff(n) == b ? std::optional(n) : std::nullopt;
}

}  // namespace grundy
