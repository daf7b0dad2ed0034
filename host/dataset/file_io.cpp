#include "grundy/dataset/file_io.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

/// `transfer` is pread, pwrite, or one that leaves the offset alone. False when there is nothing
/// more to transfer.
template <typename Transfer, typename Byte>
bool transfer_all(Transfer transfer, int fd, std::span<Byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = transfer(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError(std::strerror(errno));
    if (count == 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

void read_at(int fd, std::uint64_t offset, std::span<std::byte> bytes) {
  if (!transfer_all(::pread, fd, bytes, offset))
    throw IoError("the file is shorter than it should be");
}

void write_at(int fd, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!transfer_all(::pwrite, fd, bytes, offset)) throw IoError("not everything was written");
}

void write_next(int fd, std::span<const std::byte> bytes) {
  const auto write = [](int to, const void* from, std::size_t count, off_t /*offset*/) {
    return ::write(to, from, count);
  };
  if (!transfer_all(write, fd, bytes, 0)) throw IoError("not everything was written");
}

}  // namespace grundy
