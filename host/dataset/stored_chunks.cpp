#include "grundy/dataset/stored_chunks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {

/// What one call works with, given back at its end.
class StoredChunks::Borrowed {
 public:
  explicit Borrowed(const StoredChunks& owner) : owner_(owner), worker_(owner.take_worker()) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    const std::scoped_lock lock(owner_.workers_mutex_);
    owner_.idle_workers_.push_back(std::move(worker_));
  }
  Worker& operator*() const { return *worker_; }

 private:
  const StoredChunks& owner_;
  std::unique_ptr<Worker> worker_;
};

StoredChunks::StoredChunks(const std::string& path, const ChunkGrid& grid, FilterPipeline filters,
                           Find find)
    : grid_(grid),
      filters_(std::move(filters)),
      find_(std::move(find)),
      file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_.get() < 0) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

void StoredChunks::read(std::uint64_t i, std::uint64_t j, std::span<std::byte> elements) const {
  const std::optional<ChunkPlace> found = find_(i, j);
  if (!found) {
    // All bits set are the fill value of either type.
    std::fill(elements.begin(), elements.end(), std::byte{0xff});
    return;
  }
  const Borrowed borrowed(*this);
  Worker& worker = *borrowed;
  worker.filters.decode(load(*found, worker), found->skipped, elements);
}

std::optional<std::string> StoredChunks::flaw(const ChunkPlace& place) const {
  const Borrowed borrowed(*this);
  Worker& worker = *borrowed;
  try {
    const std::span<const std::byte> stored = load(place, worker);
    if (worker.filters.checksum_fits(stored, place.skipped) &&
        (!place.crc32 || *place.crc32 == crc32(stored)))
      return std::nullopt;
    return "its checksum does not fit";
  } catch (const IoError& error) {
    return error.what();
  }
}

std::unique_ptr<StoredChunks::Worker> StoredChunks::take_worker() const {
  {
    const std::scoped_lock lock(workers_mutex_);
    if (!idle_workers_.empty()) {
      std::unique_ptr<Worker> worker = std::move(idle_workers_.back());
      idle_workers_.pop_back();
      return worker;
    }
  }
  return std::make_unique<Worker>(
      Worker{ChunkFilters(filters_, grid_.chunk_bytes(), grid_.value_bytes), {}});
}

std::span<const std::byte> StoredChunks::load(const ChunkPlace& place, Worker& worker) const {
  if (place.bytes > worker.filters.largest_stored())
    throw IoError(fmt::format("a chunk is said to take {} bytes, more than its {} elements need",
                              place.bytes, grid_.chunk.cells()));
  worker.stored.resize(std::max<std::size_t>(worker.stored.size(), place.bytes));
  for (std::size_t done = 0; done < place.bytes;) {
    const ssize_t got = ::pread(file_.get(), worker.stored.data() + done, place.bytes - done,
                                static_cast<off_t>(place.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(std::strerror(errno));
    if (got == 0) throw IoError("the file ends within a chunk");
    done += static_cast<std::size_t>(got);
  }
  return std::span(worker.stored).first(place.bytes);
}

}  // namespace grundy
