#include "result_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy::cli {

ResultFile::ResultFile(const std::string& path, bool overwrite)
    : file_(path, overwrite ? Existing::kReplace : Existing::kRefuse) {}

ResultFile::~ResultFile() {
  if (!published_) file_.remove();
}

void ResultFile::publish(std::string_view content) {
  {
    std::ofstream out(file_.partial_path(), std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) throw IoError(fmt::format("cannot write {}", file_.partial_path()));
  }
  file_.publish();
  published_ = true;
}

void ResultFile::publish(const std::vector<std::uint8_t>& content) {
  publish({reinterpret_cast<const char*>(content.data()), content.size()});
}

}  // namespace grundy::cli
