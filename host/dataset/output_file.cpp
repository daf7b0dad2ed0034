#include "grundy/dataset/output_file.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "grundy/dataset/file_io.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {

OutputFile::OutputFile(const std::string& path, Existing existing) {
  if (path != kStandardOutput) file_.emplace(path, existing);
}

OutputFile::~OutputFile() {
  if (file_ && !published_) file_->remove();
}

void OutputFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  try {
    write_next(file_ ? file_->descriptor() : STDOUT_FILENO, bytes);
  } catch (const IoError& error) {
    throw IoError(fmt::format("cannot write to {}: {}",
                              file_ ? file_->partial_path() : "standard output", error.what()));
  }
}

void OutputFile::publish() {
  if (file_) file_->publish();
  published_ = true;
}

}  // namespace grundy
