// Memory for chunks in the making, within a limit.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace grundy {

/// Hands out buffers of one size. The first `in_memory` that are in use at a time lie in the
/// process' memory, the others in an unnamed file: the system can write those to disk when it
/// needs the memory. Thread-safe.
class ChunkBuffers {
 public:
  /// The file, if it comes to that, is made in `folder`.
  ChunkBuffers(std::size_t buffer_bytes, std::size_t in_memory, std::string folder);
  ChunkBuffers(const ChunkBuffers&) = delete;
  ChunkBuffers& operator=(const ChunkBuffers&) = delete;
  ~ChunkBuffers();

  class GiveBack {
   public:
    explicit GiveBack(ChunkBuffers* owner = nullptr) : owner_(owner) {}
    void operator()(std::byte* buffer) const { owner_->give_back(buffer); }

   private:
    ChunkBuffers* owner_;
  };
  using Buffer = std::unique_ptr<std::byte[], GiveBack>;

  /// Any content. Throws IoError when the file is needed and there is no room for it.
  Buffer take();

  /// Bytes that the file has grown to.
  [[nodiscard]] std::size_t spilled_bytes();

 private:
  void give_back(std::byte* buffer);
  void grow_file();
  [[nodiscard]] bool is_in_file(const std::byte* buffer) const;

  std::size_t buffer_bytes_;
  std::size_t in_memory_;
  std::string folder_;
  std::mutex mutex_;
  std::size_t used_in_memory_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> free_in_memory_;
  int fd_ = -1;
  std::vector<std::span<std::byte>> mapped_;  // pieces of the file
  std::vector<std::byte*> free_in_file_;
};

}  // namespace grundy
