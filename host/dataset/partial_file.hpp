// An output file in the making: under another name until it is complete.
#pragma once

#include <cstdint>
#include <string>
#include <unistd.h>
#include <utility>

namespace grundy {

/// A file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// What to do about files that are there.
enum class Existing {
  kRefuse,   // whether it is PATH or PATH.partial
  kReplace,  // both
  kContinue  // go on with PATH.partial; refuse PATH
};

/// By whether the user wants files replaced.
constexpr Existing replace_or_refuse(bool replace) {
  return replace ? Existing::kReplace : Existing::kRefuse;
}

/// Makes durable which names are in the folder of a file. Throws IoError.
void sync_folder_of(const std::string& path);

/// PATH.partial, which becomes PATH by publish() only. While it lives, no other run can take the
/// same file.
class PartialFile {
 public:
  /// Creates PATH.partial; for kContinue, opens the one that is there, if there is one. Throws
  /// IoError when that is impossible, when there is what is to be refused, or when another run is
  /// writing PATH.partial.
  PartialFile(std::string path, Existing existing);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& partial_path() const { return partial_path_; }
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Whether the name still leads to the file that was opened.
  [[nodiscard]] bool in_place() const;

  /// Makes the content durable. Throws IoError.
  void sync() const;

  /// Has the system begin to bring these bytes to the disk. It would begin late by itself, and
  /// sync() would wait for all of them at the end.
  void begin_sync(std::uint64_t offset, std::uint64_t bytes) const;

  /// Makes the content durable and renames the file to PATH. Throws IoError when that fails.
  void publish();

  /// Removes the partial file, if it is in place.
  void remove() const;

 private:
  std::string path_;
  std::string partial_path_;
  Existing existing_;
  Descriptor descriptor_;
};

}  // namespace grundy
