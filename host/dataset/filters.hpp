// What HDF5's filter pipeline does to a chunk, done outside of HDF5, which works on one chunk at a
// time: here each thread has its own filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace grundy {

enum class FilterKind {
  kShuffle,    // first bytes of all elements, then second bytes, ...
  kDeflate,    // RFC 1950
  kZstd,       // RFC 8878; the filter that the HDF Group has registered as 32015
  kFletcher32  // four bytes of checksum at the end
};

struct Filter {
  FilterKind kind = FilterKind::kShuffle;
  int level = 0;  // of a compressor; decoding does not need it

  friend bool operator==(const Filter&, const Filter&) = default;
};

/// The filters of a dataset in the order of writing.
using FilterPipeline = std::vector<Filter>;

/// A chunk as it is stored.
struct FilteredChunk {
  std::vector<std::byte> bytes;
  std::uint32_t skipped = 0;  // bit i: filter i was left out, as HDF5's filter mask says it
};

/// HDF5's checksum of these bytes: two sums, modulo 65535, of the big-endian 16-bit numbers and of
/// their running sums. At most 16 MiB.
std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// CRC-32 as in RFC 1952. Unlike fletcher32 it tells a chunk from zeros.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// The filters of one dataset, for one thread.
class ChunkFilters {
 public:
  /// Chunks of `chunk_bytes` bytes, elements of `element_bytes`.
  ChunkFilters(FilterPipeline pipeline, std::size_t chunk_bytes, unsigned element_bytes);
  ChunkFilters(ChunkFilters&& other) noexcept;
  ChunkFilters& operator=(ChunkFilters&&) = delete;
  ~ChunkFilters();

  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_bytes_; }

  /// More bytes than this no chunk takes in the file: HDF5 keeps what compression has made larger.
  [[nodiscard]] std::size_t largest_stored() const { return chunk_bytes_ + chunk_bytes_ / 64 + 64; }

  /// Of a whole chunk; a compressor that does not make it smaller is left out.
  void encode(std::span<const std::byte> chunk, FilteredChunk& stored);

  /// The chunk, of chunk_bytes(), from what is stored. Throws IoError, with what is wrong, for
  /// bytes that no chunk is stored as.
  void decode(std::span<const std::byte> stored, std::uint32_t skipped, std::span<std::byte> chunk);

 private:
  static constexpr std::size_t kChecksumBytes = 4;

  /// Throws IoError when it does not fit.
  static std::span<const std::byte> without_checksum(std::span<const std::byte> bytes);
  /// Number of bytes that the compressor made of `bytes`, or 0 if not fewer.
  std::size_t compress(const Filter& filter, std::span<const std::byte> bytes,
                       std::span<std::byte> compressed);
  void decompress(FilterKind kind, std::span<const std::byte> compressed,
                  std::span<std::byte> bytes);

  FilterPipeline pipeline_;
  std::size_t chunk_bytes_;
  unsigned element_bytes_;
  std::vector<std::byte> scratch_[2];  // between two filters
  struct Compressors;
  std::unique_ptr<Compressors> compressors_;
};

}  // namespace grundy
