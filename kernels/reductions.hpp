// Reductions of the values in a strip, with Thrust: the same code for CUDA and for the device
// systems that Thrust has for CPUs.
#pragma once

#include <cstdint>
#include <thrust/copy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/transform_reduce.h>

#include "grundy/kernels/annotate.hpp"
#include "grundy/kernels/strip.hpp"
#include "grundy/kernels/summary.hpp"

namespace grundy {

namespace detail {

using Index = thrust::counting_iterator<std::uint64_t>;

struct CellSummary {
  StripCells cells;

  GRUNDY_HD Summary operator()(std::uint64_t index) const {
    Summary summary;
    const StripCell cell = cells[index];
    if (cell.in_table) summary.add(cell.position.x, cell.position.y, cell.value);
    if (cell.mirrored) summary.add(cell.position.y, cell.position.x, cell.value);
    return summary;
  }
};

struct CountValue {
  StripCells cells;
  std::uint64_t* counts;

  GRUNDY_HD void operator()(std::uint64_t index) const {
    const StripCell cell = cells[index];
    if (!cell.in_table) return;
    const std::uint64_t times = cell.mirrored ? 2 : 1;
#ifdef __CUDA_ARCH__
    atomicAdd(reinterpret_cast<unsigned long long*>(counts + cell.value), times);
#else
    __atomic_fetch_add(counts + cell.value, times, __ATOMIC_RELAXED);
#endif
  }
};

}  // namespace detail

/// The summary of the cells and of their mirror images.
template <typename Policy>
Summary summarize_strip(const Policy& policy, const StripCells& cells) {
  return thrust::transform_reduce(policy, detail::Index(0), detail::Index(cells.size()),
                                  detail::CellSummary{cells}, Summary{}, thrust::plus<Summary>());
}

/// Adds to counts[v] how many of the cells and their mirror images have value v. By atomics: no
/// value occurs twice in a row, apart from the zeros of terminal cells, so they seldom meet.
template <typename Policy>
void count_values(const Policy& policy, const StripCells& cells, std::uint64_t* counts) {
  thrust::for_each(policy, detail::Index(0), detail::Index(cells.size()),
                   detail::CountValue{cells, counts});
}

namespace detail {

struct FindHit {
  StripCells first;
  StripCells second;
  std::uint32_t first_value;
  std::uint32_t second_value;

  GRUNDY_HD LevelHit operator()(std::uint64_t index) const {
    const StripCell a = first[index];
    const StripCell b = second[index];
    return {a.position, a.mirrored, a.in_table && a.value == first_value,
            b.in_table && b.value == second_value};
  }
};

struct IsHit {
  GRUNDY_HD bool operator()(const LevelHit& hit) const { return hit.in_first || hit.in_second; }
};

}  // namespace detail

/// Compares where two tables of the same extent have the values a and b: writes each position of
/// either to `hits` and returns their number. Both strips hold the same cells. A row of a strip has
/// at most one hit for each table, apart from terminal cells.
template <typename Policy>
std::uint64_t compare_levels(const Policy& policy, const StripCells& first, std::uint32_t a,
                             const StripCells& second, std::uint32_t b, LevelHit* hits) {
  const detail::FindHit find{first, second, a, b};
  const auto begin = thrust::make_transform_iterator(detail::Index(0), find);
  const auto end = thrust::make_transform_iterator(detail::Index(first.size()), find);
  return static_cast<std::uint64_t>(thrust::copy_if(policy, begin, end, hits, detail::IsHit{}) -
                                    hits);
}

}  // namespace grundy
