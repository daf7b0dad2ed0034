#include "grundy/dataset/chunk_buffers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kBuffersAPiece = 64;

std::size_t piece_bytes(std::size_t buffer_bytes) {
  return (kBuffersAPiece * buffer_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

/// A file without a name, which is gone when the process is.
int open_unnamed_file(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/.grundy-XXXXXX";  // a file system without O_TMPFILE
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

ChunkBuffers::ChunkBuffers(std::size_t buffer_bytes, std::size_t in_memory, std::string folder)
    : buffer_bytes_(buffer_bytes), in_memory_(in_memory), folder_(std::move(folder)) {}

ChunkBuffers::~ChunkBuffers() {
  for (const std::span<std::byte>& piece : mapped_) ::munmap(piece.data(), piece.size());
  if (fd_ >= 0) ::close(fd_);
}

ChunkBuffers::Buffer ChunkBuffers::take() {
  const std::scoped_lock lock(mutex_);
  std::byte* buffer = nullptr;
  if (used_in_memory_ < in_memory_) {
    if (free_in_memory_.empty()) {
      buffer = new std::byte[buffer_bytes_];
    } else {
      buffer = free_in_memory_.back().release();
      free_in_memory_.pop_back();
    }
    ++used_in_memory_;
  } else {
    if (free_in_file_.empty()) grow_file();
    buffer = free_in_file_.back();
    free_in_file_.pop_back();
  }
  return {buffer, GiveBack(this)};
}

void ChunkBuffers::give_back(std::byte* buffer) {
  const std::scoped_lock lock(mutex_);
  if (is_in_file(buffer)) {
    free_in_file_.push_back(buffer);
  } else {
    free_in_memory_.emplace_back(buffer);
    --used_in_memory_;
  }
}

std::size_t ChunkBuffers::spilled_bytes() {
  const std::scoped_lock lock(mutex_);
  return mapped_.size() * piece_bytes(buffer_bytes_);
}

void ChunkBuffers::grow_file() {
  const auto refuse = [this](int error) {
    throw IoError(
        fmt::format("cannot make a scratch file in {} for chunks that do not fit the "
                    "memory for output: {}",
                    folder_, std::strerror(error)));
  };
  if (fd_ < 0) fd_ = open_unnamed_file(folder_);
  if (fd_ < 0) refuse(errno);
  const std::size_t bytes = piece_bytes(buffer_bytes_);
  const auto offset = static_cast<off_t>(mapped_.size() * bytes);
  // Allocated before it is mapped: a full disk is an error here, but a fatal signal there.
  if (const int error = ::posix_fallocate(fd_, offset, static_cast<off_t>(bytes)); error != 0)
    refuse(error);
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, offset);
  if (mapped == MAP_FAILED) refuse(errno);
  mapped_.emplace_back(static_cast<std::byte*>(mapped), bytes);
  for (std::size_t b = kBuffersAPiece; b-- > 0;)
    free_in_file_.push_back(mapped_.back().data() + b * buffer_bytes_);
}

bool ChunkBuffers::is_in_file(const std::byte* buffer) const {
  const std::less<> before;
  return std::any_of(mapped_.begin(), mapped_.end(), [&](const std::span<std::byte>& piece) {
    return !before(buffer, piece.data()) && before(buffer, piece.data() + piece.size());
  });
}

}  // namespace grundy
