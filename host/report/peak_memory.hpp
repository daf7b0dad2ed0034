// The most memory that this process has had in use.
#pragma once

#include <cstdint>
#include <optional>

namespace grundy {

/// Gives freed memory back and starts anew to look for the peak. False where the system does not
/// allow it; the peak is then that since the start of the process.
bool reset_peak_memory();

/// The largest resident set since then, in bytes; nothing where the system does not say.
std::optional<std::uint64_t> peak_memory();

}  // namespace grundy
