#include "grundy/dataset/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <libdeflate.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "grundy/dataset/file_io.hpp"
#include "grundy/dataset/filters.hpp"
#include "grundy/dataset/partial_file.hpp"
#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

// The file: magic, size of the table file, number of chunks, the chunks, the bytes around them, and
// CRC-32 of all that. Numbers of 64 bits in the order of the machine: it is read where it was
// written.
constexpr std::uint64_t kMagic = 0x31544b4843445247;  // "GRDCHKT1"

struct ByteRange {
  std::uint64_t offset;
  std::uint64_t bytes;
};

[[noreturn]] void throw_errno(const std::string& what) {
  throw IoError(fmt::format("{}: {}", what, std::strerror(errno)));
}

std::uint64_t size_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw IoError(std::strerror(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

/// What the chunks, in order, leave of a file.
std::vector<ByteRange> gaps_between(const std::vector<ChunkRecord>& chunks,
                                    std::uint64_t file_bytes) {
  std::vector<ByteRange> gaps;
  std::uint64_t at = 0;
  const auto add_gap_before = [&](std::uint64_t end) {
    if (end > at) gaps.push_back({at, end - at});
  };
  for (const ChunkRecord& chunk : chunks) {
    add_gap_before(chunk.offset);
    at = std::max(at, chunk.offset + chunk.bytes);
  }
  add_gap_before(file_bytes);
  return gaps;
}

/// Numbers and bytes one after the other.
class Image {
 public:
  void add(std::uint64_t number) {
    const std::span<std::byte> place = grow(sizeof number);
    std::memcpy(place.data(), &number, sizeof number);
  }
  std::span<std::byte> grow(std::size_t bytes) {
    bytes_.resize(bytes_.size() + bytes);
    return std::span(bytes_).last(bytes);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes an image apart; throws IoError when it ends too early.
class ImageReader {
 public:
  explicit ImageReader(std::span<const std::byte> bytes) : left_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes(sizeof number).data(), sizeof number);
    return number;
  }
  std::span<const std::byte> bytes(std::uint64_t count) {
    if (count > left_.size()) throw IoError("it ends too early");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

bool Checkpoint::exists() const { return std::filesystem::exists(path_); }

void Checkpoint::save(int fd, std::vector<ChunkRecord> chunks) const {
  const std::string what = fmt::format("cannot write {}", path_);
  // The chunks first: no checkpoint may speak of what could still be lost.
  if (::fsync(fd) != 0) throw_errno("cannot make the table durable");
  const std::string next = path_ + ".new";
  try {
    const std::uint64_t file_bytes = size_of(fd);
    std::sort(chunks.begin(), chunks.end(),
              [](const ChunkRecord& a, const ChunkRecord& b) { return a.offset < b.offset; });
    Image image;
    image.add(kMagic);
    image.add(file_bytes);
    image.add(chunks.size());
    for (const ChunkRecord& chunk : chunks) {
      image.add(chunk.index);
      image.add(chunk.offset);
      image.add(chunk.bytes);
      image.add(chunk.skipped);
      image.add(chunk.crc32);
    }
    for (const ByteRange& gap : gaps_between(chunks, file_bytes))
      read_at(fd, gap.offset, image.grow(gap.bytes));
    image.add(crc32(image.bytes()));
    const Descriptor file(::open(next.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) throw IoError(std::strerror(errno));
    write_at(file.get(), 0, image.bytes());
    if (::fsync(file.get()) != 0) throw IoError(std::strerror(errno));
  } catch (const IoError& error) {
    ::unlink(next.c_str());
    throw IoError(fmt::format("{}: {}", what, error.what()));
  }
  if (::rename(next.c_str(), path_.c_str()) != 0) throw_errno(what);
  sync_folder_of(path_);
}

std::vector<ChunkRecord> Checkpoint::restore(int fd) const {
  try {
    const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) throw IoError(std::strerror(errno));
    std::vector<std::byte> image(size_of(file.get()));
    read_at(file.get(), 0, image);
    constexpr std::size_t kNumber = sizeof(std::uint64_t);
    if (image.size() < kNumber) throw IoError("it ends too early");
    const std::span<const std::byte> all(image);
    const std::span<const std::byte> content = all.first(image.size() - kNumber);
    if (ImageReader(all.last(kNumber)).number() != crc32(content))
      throw IoError("its checksum does not fit");
    ImageReader reader(content);
    if (reader.number() != kMagic) throw IoError("it is not a checkpoint of this program");
    const std::uint64_t file_bytes = reader.number();
    std::vector<ChunkRecord> chunks(reader.number());
    for (ChunkRecord& chunk : chunks)
      chunk = {reader.number(), reader.number(), reader.number(),
               static_cast<std::uint32_t>(reader.number()),
               static_cast<std::uint32_t>(reader.number())};
    for (const ByteRange& gap : gaps_between(chunks, file_bytes))
      write_at(fd, gap.offset, reader.bytes(gap.bytes));
    if (::ftruncate(fd, static_cast<off_t>(file_bytes)) != 0 || ::fsync(fd) != 0)
      throw IoError(std::strerror(errno));
    return chunks;
  } catch (const IoError& error) {
    throw IoError(fmt::format("cannot go back to the state in {}: {}; --force begins anew", path_,
                              error.what()));
  }
}

void Checkpoint::remove() const {
  ::unlink(path_.c_str());
  ::unlink((path_ + ".new").c_str());
}

}  // namespace grundy
