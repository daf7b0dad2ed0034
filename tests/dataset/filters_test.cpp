#include "grundy/dataset/filters.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grundy/dataset/codec.hpp"
#include "grundy/dataset/hdf5.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using hdf5::Handle;
using support::RandomCase;

using Bytes = std::vector<std::byte>;

// Values near each other, as in a table, or, for `noise`, such that nothing compresses them.
Bytes random_chunk(RandomCase& random, std::size_t elements, unsigned element_bytes, bool noise) {
  Bytes bytes(elements * element_bytes);
  const std::uint64_t base = random.below(1U << 14U);
  for (std::size_t k = 0; k < elements; ++k) {
    const std::uint64_t value =
        noise ? random.below(std::uint64_t{1} << 32U) : base + random.below(200);
    std::memcpy(&bytes[k * element_bytes], &value, element_bytes);
  }
  return bytes;
}

std::vector<Codec> all_codecs() {
  std::vector<Codec> codecs;
  for (int level = 0; level <= 12; ++level) codecs.push_back({level});
  for (int level = 1; level <= 19; ++level) codecs.push_back({level, Codec::Method::kZstd});
  return codecs;
}

TEST(Filters, GiveBackWhatTheyWereGiven) {
  RandomCase random(761);
  for (const Codec& codec : all_codecs()) {
    for (const unsigned element_bytes : {2U, 4U}) {
      const std::size_t elements = random.between(1, 3000);
      ChunkFilters filters(codec.filters(), elements * element_bytes, element_bytes);
      for (const bool noise : {false, true}) {
        SCOPED_TRACE(codec.name() + ", " + std::to_string(elements) + " elements");
        const Bytes chunk = random_chunk(random, elements, element_bytes, noise);
        FilteredChunk stored;
        filters.encode(chunk, stored);
        EXPECT_LE(stored.bytes.size(), filters.largest_stored());
        Bytes decoded(chunk.size());
        filters.decode(stored.bytes, stored.skipped, decoded);
        EXPECT_EQ(decoded, chunk);
      }
    }
  }
}

TEST(Filters, ACompressorThatGainsNothingIsLeftOut) {
  RandomCase random(762);
  for (const Codec& codec : {Codec{1}, Codec{12}, Codec{3, Codec::Method::kZstd}}) {
    const Bytes noise = random_chunk(random, 1000, 4, true);
    ChunkFilters filters(codec.filters(), noise.size(), 4);
    FilteredChunk stored;
    filters.encode(noise, stored);
    EXPECT_EQ(stored.skipped, 2U) << codec.name();  // the second of three
    EXPECT_EQ(stored.bytes.size(), noise.size() + 4);
  }
}

TEST(Filters, EveryChangedBitIsNoticed) {
  RandomCase random(763);
  for (const Codec& codec : {Codec{0}, Codec{4}, Codec{1, Codec::Method::kZstd}}) {
    const Bytes chunk = random_chunk(random, 40, 2, false);
    ChunkFilters filters(codec.filters(), chunk.size(), 2);
    FilteredChunk stored;
    filters.encode(chunk, stored);
    for (std::size_t bit = 0; bit < 8 * stored.bytes.size(); ++bit) {
      Bytes damaged = stored.bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      Bytes decoded(chunk.size());
      EXPECT_TRUE(support::throws_naming<IoError>(
          "a checksum does not fit", [&] { filters.decode(damaged, stored.skipped, decoded); }))
          << codec.name() << ' ' << bit;
    }
  }
}

TEST(Filters, BytesThatAreNoChunkAreRefused) {
  RandomCase random(764);
  for (int round = 0; round < support::cases(2000); ++round) {
    // Without checksums, so that the compressors see it.
    const FilterPipeline pipeline{{FilterKind::kShuffle},
                                  {random.coin() ? FilterKind::kDeflate : FilterKind::kZstd, 1}};
    const Bytes chunk = random_chunk(random, 64, 2, false);
    ChunkFilters filters(pipeline, chunk.size(), 2);
    FilteredChunk stored;
    filters.encode(chunk, stored);
    stored.bytes.resize(random.below(stored.bytes.size() + 1));
    if (!stored.bytes.empty() && random.coin())
      stored.bytes[random.below(stored.bytes.size())] = static_cast<std::byte>(random.below(256));
    Bytes decoded(chunk.size());
    try {
      filters.decode(stored.bytes, static_cast<std::uint32_t>(random.below(4)), decoded);
    } catch (const IoError&) {
    }
  }
  ChunkFilters filters(Codec{4}.filters(), 128, 2);
  Bytes decoded(128);
  EXPECT_TRUE(support::throws_naming<IoError>("shorter than its checksum",
                                              [&] { filters.decode(Bytes(3), 0, decoded); }));
  EXPECT_TRUE(support::throws_naming<IoError>("of 0 bytes, not 128",
                                              [&] { filters.decode(Bytes(4), 3, decoded); }));
}

TEST(Fletcher32, KnownSums) {
  const auto sum_of = [](const std::string& text) {
    return fletcher32(std::as_bytes(std::span(text)));
  };
  EXPECT_EQ(sum_of(""), 0U);
  EXPECT_EQ(sum_of(std::string(1000, '\0')), 0U);
  // By hand: numbers 0x6162, 0x6364: sums 0xc4c6 and 0x6162 + 0xc4c6 = 0x12628, that is 0x2629.
  EXPECT_EQ(sum_of("abcd"), 0x2629'c4c6U);
  EXPECT_EQ(sum_of("abc"), (0x6162U + 0x6162U + 0x6300U - 0xffffU) << 16U | (0x6162U + 0x6300U));
  EXPECT_EQ(sum_of("\xff\xff"), 0xffff'ffffU);  // 65535 stays what it is
}

TEST(Fletcher32, IsTheSumByDefinition) {
  RandomCase random(766);
  for (int round = 0; round < support::cases(100); ++round) {
    Bytes bytes(random.below(60'000));
    const std::uint64_t range = random.coin() ? 256 : 2;
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(range) == 0 ? 0xff : random.below(256));
    std::uint64_t sum = 0;
    std::uint64_t sum_of_sums = 0;
    for (std::size_t k = 0; k < bytes.size(); k += 2) {
      sum += static_cast<std::uint64_t>(bytes[k]) * 256;
      if (k + 1 < bytes.size()) sum += static_cast<std::uint64_t>(bytes[k + 1]);
      sum_of_sums += sum;
    }
    const std::uint32_t found = fletcher32(bytes);
    EXPECT_EQ((found & 0xffffU) % 65535, sum % 65535);
    EXPECT_EQ((found >> 16U) % 65535, sum_of_sums % 65535);
    EXPECT_EQ((found & 0xffffU) == 0, sum == 0);
  }
}

// ---- against HDF5's own filters
// --------------------------------------------------------------------------------------

class FiltersOfHdf5 : public testing::Test {
 protected:
  static constexpr hsize_t kRows = 30;
  static constexpr hsize_t kCols = 50;

  // An empty dataset of one chunk.
  Handle create(hid_t file, const Codec& codec, hid_t type) {
    const hsize_t dims[2] = {kRows, kCols};
    const Handle space(H5Screate_simple(2, dims, nullptr), H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation.id(), 2, dims);
    hdf5::add_filters(creation.id(), codec.filters(), "filters");
    return {hdf5::check(H5Dcreate2(file, "table", type, space.id(), H5P_DEFAULT, creation.id(),
                                   H5P_DEFAULT),
                        "table"),
            H5Dclose};
  }

  template <typename Test>
  void for_each_case(Test test) {
    hdf5::initialize();
    RandomCase random(765);
    for (const Codec& codec : all_codecs()) {
      for (const unsigned element_bytes : {2U, 4U}) {
        for (const bool noise : {false, true}) {
          SCOPED_TRACE(codec.name() + ", " + std::to_string(element_bytes) + " bytes" +
                       (noise ? ", noise" : ""));
          const hid_t type = element_bytes == 2 ? H5T_STD_U16LE : H5T_STD_U32LE;
          const std::string path = folder_.file("filters.h5");
          {
            const Handle file = hdf5::create_file(path, "create");
            create(file.id(), codec, type);
          }
          const auto open = [&path] { return hdf5::open_for_writing(path, "open"); };
          test(codec, open, type, random_chunk(random, kRows * kCols, element_bytes, noise));
        }
      }
    }
  }

  support::TemporaryFolder folder_;
};

TEST_F(FiltersOfHdf5, ReadWhatOursHaveWritten) {
  for_each_case([](const Codec& codec, const auto& open, hid_t type, const Bytes& chunk) {
    ChunkFilters filters(codec.filters(), chunk.size(), static_cast<unsigned>(H5Tget_size(type)));
    FilteredChunk stored;
    filters.encode(chunk, stored);
    const hsize_t first[2] = {0, 0};
    {
      const Handle file = open();
      const Handle table(H5Dopen2(file.id(), "table", H5P_DEFAULT), H5Dclose);
      ASSERT_GE(H5Dwrite_chunk(table.id(), H5P_DEFAULT, stored.skipped, first, stored.bytes.size(),
                               stored.bytes.data()),
                0);
    }
    const Handle file = open();
    const Handle table(H5Dopen2(file.id(), "table", H5P_DEFAULT), H5Dclose);
    Bytes read(chunk.size());
    ASSERT_GE(H5Dread(table.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0)
        << hdf5::last_error();
    EXPECT_EQ(read, chunk);
  });
}

TEST_F(FiltersOfHdf5, WriteWhatOursRead) {
  for_each_case([](const Codec& codec, const auto& open, hid_t type, const Bytes& chunk) {
    if (codec.method == Codec::Method::kZstd) return;  // this program registers its decoder only
    const Handle file = open();
    const Handle table(H5Dopen2(file.id(), "table", H5P_DEFAULT), H5Dclose);
    ASSERT_GE(H5Dwrite(table.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, chunk.data()), 0);
    ASSERT_GE(H5Dflush(table.id()), 0);
    Bytes stored;
    const auto skipped = hdf5::read_chunk(table.id(), 0, 0, 1U << 20U, stored, "read");
    ASSERT_TRUE(skipped);
    ChunkFilters filters(codec.filters(), chunk.size(), static_cast<unsigned>(H5Tget_size(type)));
    EXPECT_LE(stored.size(), filters.largest_stored());
    Bytes decoded(chunk.size());
    filters.decode(stored, *skipped, decoded);
    EXPECT_EQ(decoded, chunk);
  });
}

TEST_F(FiltersOfHdf5, AreReadFromADataset) {
  for_each_case([](const Codec& codec, const auto& open, hid_t, const Bytes&) {
    const Handle file = open();
    const Handle table(H5Dopen2(file.id(), "table", H5P_DEFAULT), H5Dclose);
    const Handle creation(H5Dget_create_plist(table.id()), H5Pclose);
    auto expected = codec.filters();
    for (Filter& filter : expected) filter.level = 0;
    EXPECT_EQ(hdf5::read_filters(creation.id()), expected);
  });
}

TEST_F(FiltersOfHdf5, OthersAreNotReadHere) {
  hdf5::initialize();
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  EXPECT_EQ(hdf5::read_filters(creation.id()), FilterPipeline{});
  H5Pset_fletcher32(creation.id());
  H5Pset_shuffle(creation.id());  // in another order
  EXPECT_EQ(hdf5::read_filters(creation.id()), std::nullopt);
  const Handle other(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_nbit(other.id());
  EXPECT_EQ(hdf5::read_filters(other.id()), std::nullopt);
}

}  // namespace
}  // namespace grundy
