// Files for results: pictures, figures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grundy/dataset/partial_file.hpp"

namespace grundy::cli {

/// A file for results, from the start of the run on, so that it does not fail at its end for a
/// name. Leaves nothing unless it is published.
class ResultFile {
 public:
  /// Throws IoError as PartialFile does.
  ResultFile(const std::string& path, bool overwrite);
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;
  ~ResultFile();

  /// Throws IoError.
  void publish(std::string_view content);
  void publish(const std::vector<std::uint8_t>& content);

 private:
  PartialFile file_;
  bool published_ = false;
};

}  // namespace grundy::cli
