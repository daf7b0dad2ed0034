#include "grundy/dataset/bounded_queue.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/effort.hpp"
#include "support/watchdog.hpp"

namespace grundy {
namespace {

using support::Watchdog;

// Gives a thread that should be waiting the time to do what it should not.
void let_others_run() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

TEST(BoundedQueue, IsFirstInFirstOut) {
  BoundedQueue<int> queue(3);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(3 * round + i));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.pop(), 3 * round + i);
  }
}

TEST(BoundedQueue, HoldsAProducerBackUntilThereIsRoom) {
  const Watchdog watchdog;
  BoundedQueue<int> queue(2);
  ASSERT_TRUE(queue.push(1));
  ASSERT_TRUE(queue.push(2));
  std::atomic<bool> pushed{false};
  std::jthread producer([&] {
    EXPECT_TRUE(queue.push(3));
    pushed = true;
  });
  let_others_run();
  EXPECT_FALSE(pushed);
  EXPECT_EQ(queue.pop(), 1);
  producer.join();
  EXPECT_TRUE(pushed);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 3);
}

TEST(BoundedQueue, ConsumerWaitsForAnItem) {
  const Watchdog watchdog;
  BoundedQueue<int> queue(1);
  std::atomic<bool> popped{false};
  std::jthread consumer([&] {
    EXPECT_EQ(queue.pop(), 7);
    popped = true;
  });
  let_others_run();
  EXPECT_FALSE(popped);
  EXPECT_TRUE(queue.push(7));
  consumer.join();
  EXPECT_TRUE(popped);
}

TEST(BoundedQueue, ClosingWakesWaitingProducers) {
  const Watchdog watchdog;
  BoundedQueue<int> queue(1);
  ASSERT_TRUE(queue.push(1));
  std::atomic<int> refused{0};
  {
    std::vector<std::jthread> producers;
    for (int t = 0; t < 3; ++t) producers.emplace_back([&] { refused += queue.push(2) ? 0 : 1; });
    let_others_run();
    EXPECT_EQ(refused, 0);
    queue.close();
  }
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, ClosingWakesWaitingConsumers) {
  const Watchdog watchdog;
  BoundedQueue<int> queue(1);
  std::atomic<int> ended{0};
  {
    std::vector<std::jthread> consumers;
    for (int t = 0; t < 3; ++t)
      consumers.emplace_back([&] { ended += queue.pop().has_value() ? 0 : 1; });
    let_others_run();
    EXPECT_EQ(ended, 0);
    queue.close();
  }
  EXPECT_EQ(ended, 3);
}

TEST(BoundedQueue, DrainsAfterClosing) {
  BoundedQueue<int> queue(5);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(queue.push(i));
  queue.close();
  queue.close();  // as often as one likes
  EXPECT_FALSE(queue.push(9));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(queue.pop(), i);
  EXPECT_EQ(queue.pop(), std::nullopt);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, DropsWhatItRefuses) {
  BoundedQueue<std::shared_ptr<int>> queue(1);
  const auto item = std::make_shared<int>(1);
  queue.close();
  EXPECT_FALSE(queue.push(item));
  EXPECT_EQ(item.use_count(), 1);
}

TEST(BoundedQueue, PassesEveryItemOnceAndNeverHoldsMoreThanItsCapacity) {
  const Watchdog watchdog;
  constexpr std::size_t kProducers = 3;
  constexpr std::size_t kConsumers = 3;
  const auto items = static_cast<std::size_t>(support::cases(24000)) / kProducers;
  for (const std::size_t capacity : {1U, 2U, 7U}) {
    BoundedQueue<std::unique_ptr<std::size_t>> queue(capacity);
    std::vector<std::atomic<int>> seen(kProducers * items);
    std::atomic<std::size_t> in{0};
    std::atomic<std::size_t> out{0};
    std::vector<std::jthread> consumers;
    for (std::size_t t = 0; t < kConsumers; ++t)
      consumers.emplace_back([&] {
        while (const auto item = queue.pop()) {
          ++out;
          ++seen[**item];
        }
      });
    {
      std::vector<std::jthread> producers;
      for (std::size_t t = 0; t < kProducers; ++t)
        producers.emplace_back([&, t] {
          for (std::size_t i = 0; i < items; ++i) {
            EXPECT_TRUE(queue.push(std::make_unique<std::size_t>(t * items + i)));
            const std::size_t pushed = ++in;
            // A consumer may hold one that it has not counted yet.
            const std::size_t popped = out;
            if (pushed > popped) {
              EXPECT_LE(pushed - popped, capacity + kConsumers);
            }
          }
        });
    }
    queue.close();
    consumers.clear();
    for (const auto& times : seen) ASSERT_EQ(times, 1);
  }
}

}  // namespace
}  // namespace grundy
