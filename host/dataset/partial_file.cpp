#include "grundy/dataset/partial_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

[[noreturn]] void throw_errno(const std::string& what) {
  throw IoError(fmt::format("{}: {}", what, std::strerror(errno)));
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Creates the partial file, which must not exist: with it this run claims the output.
Descriptor create_exclusively(const std::string& path, const std::string& partial, bool overwrite) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    throw IoError(fmt::format("cannot write {}: {}", path, error.message()));
  if (std::filesystem::is_directory(status))
    throw IoError(fmt::format("{} is a folder; name a file to write the table to", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw IoError(fmt::format("{} is not a regular file and is not replaced", path));
  // Of a symbolic link it is the link itself that is in the way, whether or not it leads anywhere.
  if (!overwrite && std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw IoError(fmt::format("{} exists; --force replaces it", path));
  if (overwrite && ::unlink(partial.c_str()) != 0 && errno != ENOENT)
    throw_errno(fmt::format("cannot remove {}", partial));
  const int fd = ::open(partial.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    throw IoError(fmt::format(
        "{} exists: an interrupted run has left it, or another run is writing it; --force replaces "
        "it",
        partial));
  if (fd < 0) throw_errno(fmt::format("cannot create {}", partial));
  return Descriptor(fd);
}

}  // namespace

PartialFile::PartialFile(std::string path, bool overwrite)
    : path_(std::move(path)),
      partial_path_(path_ + ".partial"),
      overwrite_(overwrite),
      descriptor_(create_exclusively(path_, partial_path_, overwrite)) {}

void PartialFile::publish() {
  if (::fsync(descriptor_.get()) != 0) throw_errno(fmt::format("cannot write {}", partial_path_));
  // Whoever replaced the partial file meanwhile must not have his published in our name.
  struct stat ours {};
  struct stat named {};
  if (::fstat(descriptor_.get(), &ours) != 0 || ::stat(partial_path_.c_str(), &named) != 0 ||
      ours.st_ino != named.st_ino || ours.st_dev != named.st_dev)
    throw IoError(fmt::format("{} was replaced while it was written", partial_path_));
  const unsigned flags = overwrite_ ? 0U : RENAME_NOREPLACE;
  int status = ::renameat2(AT_FDCWD, partial_path_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (status != 0 && errno == EINVAL)  // a file system that cannot promise not to replace
    status = ::rename(partial_path_.c_str(), path_.c_str());
  if (status != 0) throw_errno(fmt::format("cannot rename {} to {}", partial_path_, path_));
  const Descriptor folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0)
    throw_errno(fmt::format("cannot make the name {} durable", path_));
}

void PartialFile::remove() const { ::unlink(partial_path_.c_str()); }

}  // namespace grundy
