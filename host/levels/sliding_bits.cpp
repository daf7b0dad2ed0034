#include "grundy/levels/sliding_bits.hpp"

#include <sys/mman.h>

namespace grundy {

void SlidingBits::release_words_below(std::uint64_t word) {
  // A multiple of the page size, huge pages included, from the start of the mapping.
  const std::uint64_t end = word / kReleasedAtOnce * kReleasedAtOnce;
  // Only memory depends on it: a failure can be ignored.
  madvise(words_.get() + released_words_, (end - released_words_) * sizeof(std::uint64_t),
          MADV_DONTNEED);
  released_words_ = end;
}

}  // namespace grundy
