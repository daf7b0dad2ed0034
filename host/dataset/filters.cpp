#include "grundy/dataset/filters.hpp"

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <utility>
#include <zstd.h>

#include <fmt/format.h>

#include "grundy/game/errors.hpp"

namespace grundy {
namespace {

struct Release {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// What `make` makes, the first time, owned by `owner`.
template <typename T, typename Make>
T* made_once(std::unique_ptr<T, Release>& owner, Make make) {
  if (owner == nullptr) owner.reset(make());
  if (owner == nullptr) throw std::bad_alloc();
  return owner.get();
}

template <unsigned kBytes>
void shuffle(std::span<const std::byte> elements, std::byte* planes) {
  const std::size_t count = elements.size() / kBytes;
  for (unsigned b = 0; b < kBytes; ++b)
    for (std::size_t i = 0; i < count; ++i) planes[b * count + i] = elements[i * kBytes + b];
}

template <unsigned kBytes>
void unshuffle(std::span<const std::byte> planes, std::byte* elements) {
  const std::size_t count = planes.size() / kBytes;
  for (unsigned b = 0; b < kBytes; ++b)
    for (std::size_t i = 0; i < count; ++i) elements[i * kBytes + b] = planes[b * count + i];
}

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  // With 64 bits the sums of 2^23 numbers need no reduction: the second stays below 2^62.
  std::uint64_t sum = 0;
  std::uint64_t sum_of_sums = 0;
  const auto add = [&](std::byte high, std::byte low) {
    sum += static_cast<std::uint64_t>(high) << 8U | static_cast<std::uint64_t>(low);
    sum_of_sums += sum;
  };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) add(bytes[i], bytes[i + 1]);
  if (bytes.size() % 2 != 0) add(bytes.back(), std::byte{0});
  // A sum that is not 0 stands as 1 to 65535.
  const auto reduced = [](std::uint64_t value) {
    return value == 0 ? 0U : static_cast<std::uint32_t>((value - 1) % 65535 + 1);
  };
  return reduced(sum_of_sums) << 16U | reduced(sum);
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

struct ChunkFilters::Compressors {
  std::unique_ptr<libdeflate_compressor, Release> deflate;
  std::unique_ptr<libdeflate_decompressor, Release> inflate;
  std::unique_ptr<ZSTD_CCtx, Release> zstd;
  std::unique_ptr<ZSTD_DCtx, Release> unzstd;
};

ChunkFilters::ChunkFilters(FilterPipeline pipeline, std::size_t chunk_bytes, unsigned element_bytes)
    : pipeline_(std::move(pipeline)),
      chunk_bytes_(chunk_bytes),
      element_bytes_(element_bytes),
      compressors_(std::make_unique<Compressors>()) {}

ChunkFilters::ChunkFilters(ChunkFilters&& other) noexcept = default;

ChunkFilters::~ChunkFilters() = default;

void ChunkFilters::encode(std::span<const std::byte> chunk, FilteredChunk& stored) {
  stored.skipped = 0;
  std::span<const std::byte> bytes = chunk;
  std::size_t next = 0;  // of the two scratch buffers
  const auto room = [&](std::size_t size) {
    std::vector<std::byte>& buffer = scratch_[next];
    next = 1 - next;
    buffer.resize(std::max(buffer.size(), size));
    return std::span(buffer).first(size);
  };
  for (std::size_t i = 0; i < pipeline_.size(); ++i) {
    const Filter& filter = pipeline_[i];
    switch (filter.kind) {
      case FilterKind::kShuffle: {
        const std::span<std::byte> planes = room(bytes.size());
        element_bytes_ == 2 ? shuffle<2>(bytes, planes.data()) : shuffle<4>(bytes, planes.data());
        bytes = planes;
        break;
      }
      case FilterKind::kDeflate:
      case FilterKind::kZstd: {
        const std::span<std::byte> compressed = room(bytes.size());
        if (const std::size_t size = compress(filter, bytes, compressed); size != 0) {
          bytes = compressed.first(size);
        } else {
          stored.skipped |= 1U << i;
          next = 1 - next;
        }
        break;
      }
      case FilterKind::kFletcher32:  // always the last
        stored.bytes.reserve(bytes.size() + kChecksumBytes);
        stored.bytes.assign(bytes.begin(), bytes.end());
        for (std::uint32_t b = 0, checksum = fletcher32(bytes); b < kChecksumBytes; ++b)
          stored.bytes.push_back(static_cast<std::byte>(checksum >> 8 * b));
        return;
    }
  }
  stored.bytes.assign(bytes.begin(), bytes.end());
}

void ChunkFilters::decode(std::span<const std::byte> stored, std::uint32_t skipped,
                          std::span<std::byte> chunk) {
  std::span<const std::byte> bytes = stored;
  std::size_t next = 0;
  const auto room = [&] {
    std::vector<std::byte>& buffer = scratch_[next];
    next = 1 - next;
    buffer.resize(std::max(buffer.size(), chunk_bytes_));
    return std::span(buffer).first(chunk_bytes_);
  };
  for (std::size_t i = pipeline_.size(); i-- > 0;) {
    if ((skipped >> i & 1U) != 0) continue;
    switch (const FilterKind kind = pipeline_[i].kind) {
      case FilterKind::kFletcher32:
        if (bytes.size() < kChecksumBytes) throw IoError("a chunk is shorter than its checksum");
        if (!checksum_fits(bytes, skipped)) throw IoError("a checksum does not fit");
        bytes = bytes.first(bytes.size() - kChecksumBytes);
        break;
      case FilterKind::kDeflate:
      case FilterKind::kZstd: {
        const std::span<std::byte> plain = room();
        decompress(kind, bytes, plain);
        bytes = plain;
        break;
      }
      case FilterKind::kShuffle: {
        if (bytes.size() != chunk_bytes_) throw IoError("a chunk is of another size");
        const std::span<std::byte> elements = room();
        element_bytes_ == 2 ? unshuffle<2>(bytes, elements.data())
                            : unshuffle<4>(bytes, elements.data());
        bytes = elements;
        break;
      }
    }
  }
  if (bytes.size() != chunk.size())
    throw IoError(fmt::format("a chunk is of {} bytes, not {}", bytes.size(), chunk.size()));
  std::copy(bytes.begin(), bytes.end(), chunk.begin());
}

bool ChunkFilters::checksum_fits(std::span<const std::byte> stored, std::uint32_t skipped) const {
  if (pipeline_.empty() || pipeline_.back().kind != FilterKind::kFletcher32 ||
      (skipped >> (pipeline_.size() - 1) & 1U) != 0)
    return true;
  if (stored.size() < kChecksumBytes) return false;
  const std::size_t size = stored.size() - kChecksumBytes;
  std::uint32_t checksum = 0;
  for (unsigned b = 0; b < kChecksumBytes; ++b)
    checksum |= static_cast<std::uint32_t>(stored[size + b]) << 8 * b;
  return fletcher32(stored.first(size)) == checksum;
}

std::size_t ChunkFilters::compress(const Filter& filter, std::span<const std::byte> bytes,
                                   std::span<std::byte> compressed) {
  // No room for as many bytes as came in: both then say that it does not fit.
  const std::size_t room = compressed.size() - 1;
  if (filter.kind == FilterKind::kDeflate) {
    libdeflate_compressor* compressor =
        made_once(compressors_->deflate, [&] { return libdeflate_alloc_compressor(filter.level); });
    return libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), compressed.data(),
                                    room);
  }
  ZSTD_CCtx* context = made_once(compressors_->zstd, [] { return ZSTD_createCCtx(); });
  const std::size_t size =
      ZSTD_compressCCtx(context, compressed.data(), room, bytes.data(), bytes.size(), filter.level);
  return ZSTD_isError(size) != 0 ? 0 : size;
}

void ChunkFilters::decompress(FilterKind kind, std::span<const std::byte> compressed,
                              std::span<std::byte> bytes) {
  bool whole = false;
  if (kind == FilterKind::kDeflate) {
    libdeflate_decompressor* decompressor =
        made_once(compressors_->inflate, [] { return libdeflate_alloc_decompressor(); });
    std::size_t size = 0;
    whole = libdeflate_zlib_decompress(decompressor, compressed.data(), compressed.size(),
                                       bytes.data(), bytes.size(), &size) == LIBDEFLATE_SUCCESS &&
            size == bytes.size();
  } else {
    ZSTD_DCtx* context = made_once(compressors_->unzstd, [] { return ZSTD_createDCtx(); });
    whole = ZSTD_decompressDCtx(context, bytes.data(), bytes.size(), compressed.data(),
                                compressed.size()) == bytes.size();
  }
  if (!whole) throw IoError("a chunk cannot be decompressed");
}

}  // namespace grundy
