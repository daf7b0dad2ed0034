#include "grundy/dataset/chunk_buffers.hpp"

#include <csignal>
#include <cstddef>
#include <cstring>
#include <sys/resource.h>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grundy/game/errors.hpp"

#include "dataset/table_files.hpp"
#include "support/random_case.hpp"
#include "support/throws.hpp"

namespace grundy {
namespace {

using support::RandomCase;

TEST(ChunkBuffers, KeepTheirContentInMemoryAndInTheFile) {
  const support::TemporaryFolder folder;
  RandomCase random(781);
  for (const std::size_t in_memory : {0U, 1U, 7U, 1000U}) {
    for (const std::size_t bytes : {1U, 100U, 4096U, 5000U}) {
      ChunkBuffers buffers(bytes, in_memory, folder.file(""));
      std::vector<std::pair<ChunkBuffers::Buffer, std::byte>> taken;
      for (int step = 0; step < 600; ++step) {
        if (taken.empty() || random.below(3) != 0) {
          ChunkBuffers::Buffer buffer = buffers.take();
          const auto content = static_cast<std::byte>(random.below(256));
          std::memset(buffer.get(), static_cast<int>(content), bytes);
          taken.emplace_back(std::move(buffer), content);
        } else {
          const std::size_t k = random.below(taken.size());
          const auto& [buffer, content] = taken[k];
          for (std::size_t b = 0; b < bytes; ++b) ASSERT_EQ(buffer[b], content);
          taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(k));
        }
      }
      EXPECT_EQ(buffers.spilled_bytes() > 0, in_memory < 100) << in_memory;
    }
  }
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

TEST(ChunkBuffers, AreUsedAgain) {
  const support::TemporaryFolder folder;
  ChunkBuffers buffers(5000, 2, folder.file(""));
  for (int round = 0; round < 1000; ++round) {
    std::vector<ChunkBuffers::Buffer> taken;
    for (int k = 0; k < 5; ++k) taken.push_back(buffers.take());
  }
  EXPECT_LE(buffers.spilled_bytes(), 64U * 5000U + 4096U);
}

TEST(ChunkBuffers, SeveralThreadsTakeDifferentOnes) {
  const support::TemporaryFolder folder;
  ChunkBuffers buffers(64, 3, folder.file(""));
  std::vector<std::jthread> pool;
  for (int t = 1; t <= 4; ++t)
    pool.emplace_back([&buffers, t] {
      for (int round = 0; round < 500; ++round) {
        const ChunkBuffers::Buffer first = buffers.take();
        const ChunkBuffers::Buffer second = buffers.take();
        std::memset(first.get(), t, 64);
        std::memset(second.get(), 16 * t, 64);
        for (int b = 0; b < 64; ++b) {
          ASSERT_EQ(first[b], static_cast<std::byte>(t));
          ASSERT_EQ(second[b], static_cast<std::byte>(16 * t));
        }
      }
    });
}

TEST(ChunkBuffers, SayWhereThereIsNoRoom) {
  const support::TemporaryFolder folder;
  ChunkBuffers missing(4096, 1, folder.file("missing"));
  const ChunkBuffers::Buffer in_memory = missing.take();
  EXPECT_TRUE(support::throws_naming<IoError>(folder.file("missing"), [&] { missing.take(); }));

  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1 << 16, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  ChunkBuffers buffers(4096, 0, folder.file(""));
  EXPECT_TRUE(support::throws_naming<IoError>("File too large", [&] { buffers.take(); }));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(buffers.take().get(), nullptr);
}

}  // namespace
}  // namespace grundy
