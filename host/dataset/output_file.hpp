// Where results go that are written from front to back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grundy/dataset/partial_file.hpp"

namespace grundy {

/// A file that has its name only when it is complete, or standard output.
class OutputFile {
 public:
  /// The name of standard output.
  static constexpr const char* kStandardOutput = "-";

  /// Throws IoError as PartialFile does.
  OutputFile(const std::string& path, Existing existing);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without publish(), nothing is left of a file.
  ~OutputFile();

  /// Throws IoError that names the file.
  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);

  /// To be called when all is written. Throws IoError.
  void publish();

 private:
  std::optional<PartialFile> file_;  // none: standard output
  bool published_ = false;
};

}  // namespace grundy
