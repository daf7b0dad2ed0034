#include "grundy/dataset/stored_chunks.hpp"

#include <algorithm>

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

void StoredChunks::read(std::uint64_t i, std::uint64_t j, std::span<std::byte> elements) const {
  const Borrowed borrowed(*this);
  Worker& worker = *borrowed;
  if (const std::optional<std::uint32_t> skipped = load_(i, j, worker.stored)) {
    worker.filters.decode(worker.stored, *skipped, elements);
  } else {
    // All bits set are the fill value of either type.
    std::fill(elements.begin(), elements.end(), std::byte{0xff});
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

}  // namespace grundy
