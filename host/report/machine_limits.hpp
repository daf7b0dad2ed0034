// How fast the machine itself is, measured: what no engine can be faster than.
#pragma once

#include <cstdint>

namespace grundy {

/// Bytes read plus bytes written a second when `threads` threads copy blocks of memory far larger
/// than the caches; the best of a few tries, half a second in all.
double copy_bandwidth(unsigned threads);

/// Seconds from one read to the next when each says where the next one is, in a block of `bytes`
/// bytes (at least 64): the latency of the cache that holds it.
double load_latency(std::uint64_t bytes);

/// Dependent reads in one step of a table (docs/performance.md): a hint, summaries, value words.
inline constexpr int kReadsInAStep = 5;

/// Latency of a GPU's second-level cache: 250 cycles at 1.8 GHz, those of an H200; not measured.
inline constexpr double kGpuLoadLatency = 250 / 1.8e9;

/// The critical path of a table: its anti-diagonals come one after the other, and each takes at
/// least one step. Seconds, given those of one read.
double critical_path(std::uint64_t rows, std::uint64_t cols, double latency);

}  // namespace grundy
