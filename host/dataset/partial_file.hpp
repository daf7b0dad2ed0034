// An output file in the making: under another name until it is complete.
#pragma once

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

/// PATH.partial, which becomes PATH by publish() only.
class PartialFile {
 public:
  /// Creates PATH.partial. Throws IoError when that is impossible, when PATH exists, or when
  /// another run has left or is writing PATH.partial; the latter two unless `overwrite` is set.
  PartialFile(std::string path, bool overwrite);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& partial_path() const { return partial_path_; }

  /// Makes the content durable and renames the file to PATH. Throws IoError when that fails.
  void publish();

  /// Removes the partial file.
  void remove() const;

 private:
  std::string path_;
  std::string partial_path_;
  bool overwrite_;
  Descriptor descriptor_;
};

}  // namespace grundy
