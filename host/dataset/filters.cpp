#include "grundy/dataset/filters.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
  // The numbers are big-endian. Summed up as little-endian ones they give the same sums but for the
  // order of bytes, as exchanging the bytes of a number is multiplying it by 256 modulo 65535.
  static_assert(std::endian::native == std::endian::little);
  // With 64 bits the sums of 2^23 numbers need no reduction: the second stays below 2^62.
  std::uint64_t sum = 0;
  std::uint64_t sum_of_sums = 0;
  // Most of it in blocks of kRows x kLanes numbers, each lane with sums of its own, so that vector
  // registers serve. A number in row r and lane l counts kLanes * (kRows - r) - l times in the
  // running sums of its block; the sums of lane sums count it kRows - r times.
  constexpr std::size_t kLanes = 32;
  constexpr std::size_t kRows = 256;  // the most for which 32 bits do
  constexpr std::size_t kBlock = kLanes * kRows;
  std::size_t at = 0;
  for (; at + 2 * kBlock <= bytes.size(); at += 2 * kBlock) {
    std::array<std::uint32_t, kLanes> lane_sum{};
    std::array<std::uint32_t, kLanes> lane_sum_of_sums{};
    std::array<std::uint16_t, kLanes> row{};
    for (std::size_t r = 0; r < kRows; ++r) {
      std::memcpy(row.data(), &bytes[at + 2 * kLanes * r], sizeof row);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lane_sum[lane] += row[lane];
        lane_sum_of_sums[lane] += lane_sum[lane];
      }
    }
    sum_of_sums += kBlock * sum;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sum += lane_sum[lane];
      sum_of_sums += std::uint64_t{kLanes} * lane_sum_of_sums[lane] - lane * lane_sum[lane];
    }
  }
  for (; at < bytes.size(); at += 2) {
    std::uint16_t number = 0;
    std::memcpy(&number, &bytes[at], std::min<std::size_t>(sizeof number, bytes.size() - at));
    sum += number;
    sum_of_sums += sum;
  }
  // A sum that is not 0 stands as 1 to 65535.
  const auto reduced = [](std::uint64_t value) {
    const std::uint64_t remainder = value % 65535 * 256 % 65535;
    return static_cast<std::uint32_t>(value != 0 && remainder == 0 ? 65535 : remainder);
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
        bytes = without_checksum(bytes);
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

std::span<const std::byte> ChunkFilters::without_checksum(std::span<const std::byte> bytes) {
  if (bytes.size() < kChecksumBytes) throw IoError("a chunk is shorter than its checksum");
  const std::size_t size = bytes.size() - kChecksumBytes;
  std::uint32_t checksum = 0;
  for (unsigned b = 0; b < kChecksumBytes; ++b)
    checksum |= static_cast<std::uint32_t>(bytes[size + b]) << 8 * b;
  if (fletcher32(bytes.first(size)) != checksum) throw IoError("a checksum does not fit");
  return bytes.first(size);
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
