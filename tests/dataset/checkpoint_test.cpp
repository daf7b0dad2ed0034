#include "grundy/dataset/checkpoint.hpp"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/dataset/partial_file.hpp"
#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/effort.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;

class Checkpoints : public testing::Test {
 protected:
  [[nodiscard]] std::string table() const { return folder_.file("table"); }
  [[nodiscard]] Descriptor open_table() const {
    return Descriptor(::open(table().c_str(), O_RDWR | O_CLOEXEC));
  }

  support::TemporaryFolder folder_;
  Checkpoint checkpoint_{folder_.file("checkpoint")};
};

std::string random_content(RandomCase& random, std::size_t bytes) {
  std::string content(bytes, '\0');
  for (char& byte : content) byte = static_cast<char>(random.below(256));
  return content;
}

TEST_F(Checkpoints, BringBackEverythingButTheChunks) {
  RandomCase random(791);
  for (int round = 0; round < support::cases(200); ++round) {
    const std::string before = random_content(random, random.below(3000));
    support::write_content(table(), before);
    std::vector<ChunkRecord> chunks;
    std::vector<bool> in_chunk(before.size());
    for (std::uint64_t at = random.below(400); at < before.size();) {
      const std::uint64_t bytes = std::min(random.between(1, 300), before.size() - at);
      chunks.push_back({random.below(1000), at, bytes, static_cast<std::uint32_t>(random.below(4)),
                        static_cast<std::uint32_t>(random.below(1000))});
      std::fill_n(in_chunk.begin() + static_cast<std::ptrdiff_t>(at), bytes, true);
      at += bytes + (random.coin() ? 0 : random.below(400));
    }
    random.shuffle(chunks);
    checkpoint_.save(open_table().get(), chunks);
    EXPECT_TRUE(checkpoint_.exists());
    EXPECT_THAT(folder_.names(), testing::ElementsAre("checkpoint", "table"));

    const std::string after = random_content(random, random.below(4000));
    support::write_content(table(), after);
    const std::vector<ChunkRecord> known = checkpoint_.restore(open_table().get());
    EXPECT_THAT(known, testing::UnorderedElementsAreArray(chunks));
    const std::string restored = support::content_of(table());
    ASSERT_EQ(restored.size(), before.size());
    for (std::size_t k = 0; k < restored.size(); ++k) {
      const char left = k < after.size() ? after[k] : '\0';
      ASSERT_EQ(restored[k], in_chunk[k] ? left : before[k]) << k;
    }
  }
}

TEST_F(Checkpoints, TheOneBeforeStaysWhenOneCannotBeSaved) {
  support::write_content(table(), "first state");
  checkpoint_.save(open_table().get(), {});
  support::write_content(table(), "second state");
  std::filesystem::create_directory(folder_.file("checkpoint.new"));  // in the way
  EXPECT_TRUE(support::throws_naming<IoError>(folder_.file("checkpoint"),
                                              [&] { checkpoint_.save(open_table().get(), {}); }));
  (void)checkpoint_.restore(open_table().get());
  EXPECT_EQ(support::content_of(table()), "first state");
}

TEST_F(Checkpoints, DamageIsNoticedAndNothingIsRestored) {
  RandomCase random(792);
  support::write_content(table(), random_content(random, 200));
  checkpoint_.save(open_table().get(), {{0, 50, 100, 0, 7}});
  const std::string right = support::content_of(folder_.file("checkpoint"));
  support::write_content(table(), "as it is");
  for (std::size_t k = 0; k < right.size(); ++k) {
    std::string damaged = right;
    damaged[k] = static_cast<char>(damaged[k] ^ (1 << random.below(8)));
    if (random.coin()) damaged.resize(k);
    support::write_content(folder_.file("checkpoint"), damaged);
    EXPECT_TRUE(support::throws_naming<IoError>(
        folder_.file("checkpoint"), [&] { (void)checkpoint_.restore(open_table().get()); }));
    ASSERT_EQ(support::content_of(table()), "as it is");
  }
}

TEST_F(Checkpoints, MissingOneIsNamed) {
  support::write_content(table(), "as it is");
  EXPECT_FALSE(checkpoint_.exists());
  EXPECT_TRUE(support::throws_naming<IoError>(
      "No such file", [&] { (void)checkpoint_.restore(open_table().get()); }));
  checkpoint_.save(open_table().get(), {});
  checkpoint_.remove();
  EXPECT_FALSE(checkpoint_.exists());
}

}  // namespace
}  // namespace grundy
