// Whole pieces of a file, read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace grundy {

/// The bytes of the file open as `fd` from `offset` on. Throws IoError with the reason, also when
/// the file ends before them.
void read_at(int fd, std::uint64_t offset, std::span<std::byte> bytes);

/// Writes them there. Throws IoError with the reason.
void write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes);

/// Writes them after those written before, also to a pipe. Throws IoError with the reason.
void write_next(int fd, std::span<const std::byte> bytes);

}  // namespace grundy
