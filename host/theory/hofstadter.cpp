#include "grundy/theory/hofstadter.hpp"

#include "grundy/theory/beatty.hpp"

namespace grundy {

std::uint64_t hofstadter_g(std::uint64_t n) {
  // floor((n+1)/phi) exceeds floor(n/phi) just when n is a lower term. Not written as
  // lower_wythoff(n+1) - (n+1), which would lose the last n.
  return lower_wythoff_index(n).value_or(lower_wythoff(n) - n);
}

std::vector<std::uint64_t> hofstadter_g_terms(std::uint64_t count) {
  std::vector<std::uint64_t> h(count);
  for (std::uint64_t n = 1; n < count; ++n) h[n] = n - h[h[n - 1]];
  return h;
}

std::uint64_t extended_shift(std::uint64_t n) {
  check_closed_form_range(n);
  if (n < 2) return 1 - n;
  // h counts lower terms: h(n-2) < h(n-1) says that n-1 is one, and h(n-1) is then its index.
  const auto m = lower_wythoff_index(n - 1);
  return m ? 1 - extended_shift(*m) : 1;
}

std::vector<std::uint64_t> extended_shift_terms(std::uint64_t count) {
  std::vector<std::uint64_t> g(count);
  std::uint64_t m = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t lower = lower_wythoff(n);
    while (upper_wythoff(m) + 1 < lower) ++m;
    g[n] = upper_wythoff(m) + 1 == lower ? 1 - g[m] : 1;
  }
  return g;
}

}  // namespace grundy
