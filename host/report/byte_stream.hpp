// Text and bytes on their way to a file or pipe.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace grundy {

/// Collects what is put into it and writes it in large pieces.
class ByteStream {
 public:
  using Write = std::function<void(std::string_view bytes)>;

  explicit ByteStream(Write write) : write_(std::move(write)) { buffer_.reserve(2 * kPiece); }

  void put(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kPiece) flush();
  }
  void put(char byte) { put(std::string_view(&byte, 1)); }
  /// In decimal.
  void put_number(std::uint64_t number) {
    char digits[20];  // of 2^64 - 1
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
    put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }

  /// Writes what is left; nothing is written unless that is called in the end.
  void flush() {
    write_(buffer_);
    written_ += buffer_.size();
    buffer_.clear();
  }

  /// Bytes written so far.
  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 18U;

  Write write_;
  std::string buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace grundy
