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

void refuse_existing(const std::string& path, Existing existing) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    throw IoError(fmt::format("cannot write {}: {}", path, error.message()));
  if (std::filesystem::is_directory(status))
    throw IoError(fmt::format("{} is a folder; name a file to write to", path));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw IoError(fmt::format("{} is not a regular file and is not replaced", path));
  // Of a symbolic link it is the link itself that is in the way, whether or not it leads anywhere.
  if (existing != Existing::kReplace &&
      std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw IoError(fmt::format("{} exists; --force replaces it", path));
}

bool same_file(int fd, const std::string& path) {
  struct stat ours {};
  struct stat named {};
  return ::fstat(fd, &ours) == 0 && ::stat(path.c_str(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

/// Another run holds the lock as long as it lives, however it ends.
bool lock(int fd) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

/// Opens the partial file and claims it for this run.
Descriptor claim(const std::string& path, const std::string& partial, Existing existing) {
  refuse_existing(path, existing);
  if (existing == Existing::kReplace && ::unlink(partial.c_str()) != 0 && errno != ENOENT)
    throw_errno(fmt::format("cannot remove {}", partial));
  const int exclusively = existing == Existing::kContinue ? 0 : O_EXCL;
  const int fd = ::open(partial.c_str(), O_RDWR | O_CREAT | exclusively | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) {
    const Descriptor other(::open(partial.c_str(), O_RDWR | O_CLOEXEC));
    if (other.get() >= 0 && !lock(other.get()))
      throw IoError(fmt::format("another run is writing {}", partial));
    throw IoError(
        fmt::format("{} exists: an interrupted run has left it; --force replaces it, and compute "
                    "--resume goes on with a table",
                    partial));
  }
  if (fd < 0) throw_errno(fmt::format("cannot create {}", partial));
  Descriptor claimed(fd);
  if (!lock(fd)) throw IoError(fmt::format("another run is writing {}", partial));
  if (!same_file(fd, partial))
    throw IoError(fmt::format("another run has just finished or replaced {}", partial));
  return claimed;
}

}  // namespace

void sync_folder_of(const std::string& path) {
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0)
    throw_errno(fmt::format("cannot make the name {} durable", path));
}

PartialFile::PartialFile(std::string path, Existing existing)
    : path_(std::move(path)),
      partial_path_(path_ + ".partial"),
      existing_(existing),
      descriptor_(claim(path_, partial_path_, existing)) {}

bool PartialFile::in_place() const { return same_file(descriptor_.get(), partial_path_); }

void PartialFile::sync() const {
  if (::fsync(descriptor_.get()) != 0) throw_errno(fmt::format("cannot write {}", partial_path_));
}

void PartialFile::begin_sync(std::uint64_t offset, std::uint64_t bytes) const {
  // A hint: where it is not possible, nothing is lost.
  (void)::sync_file_range(descriptor_.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes),
                          SYNC_FILE_RANGE_WRITE);
}

void PartialFile::publish() {
  sync();
  // Whoever replaced the partial file meanwhile must not have his published in our name.
  if (!in_place())
    throw IoError(fmt::format("{} was replaced while it was written", partial_path_));
  const unsigned flags = existing_ == Existing::kReplace ? 0U : RENAME_NOREPLACE;
  int status = ::renameat2(AT_FDCWD, partial_path_.c_str(), AT_FDCWD, path_.c_str(), flags);
  if (status != 0 && errno == EINVAL)  // a file system that cannot promise not to replace
    status = ::rename(partial_path_.c_str(), path_.c_str());
  if (status != 0) throw_errno(fmt::format("cannot rename {} to {}", partial_path_, path_));
  sync_folder_of(path_);
}

void PartialFile::remove() const {
  if (in_place()) ::unlink(partial_path_.c_str());
}

}  // namespace grundy
