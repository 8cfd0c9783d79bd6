#include "host/backends/workers.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace livens::host {
namespace {

TEST(Workers, DoEveryBlockOnce) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> done(37, 0);
      workers.for_each_block(37, [&](std::int64_t block) { ++done[static_cast<std::size_t>(block)]; });
      EXPECT_EQ(done, std::vector<int>(37, 1));
    }
    workers.for_each_block(0, [](std::int64_t) { FAIL(); });
  }
}

TEST(Workers, TakeTurnsForTheirCallers) {
  Workers workers(3);
  const auto rounds = [&] {
    for (int round = 0; round < 100; ++round) {
      std::vector<int> done(11, 0);
      workers.for_each_block(11, [&](std::int64_t block) { ++done[static_cast<std::size_t>(block)]; });
      EXPECT_EQ(done, std::vector<int>(11, 1));
    }
  };
  const ensembles::Thread other(rounds);
  rounds();
}

// More than `ulimit -s unlimited` gives a thread, 2 MiB; tests/program/interrupts.py has the small ones.
TEST(Workers, HaveTheStackThatIsPromised) {
  pthread_attr_t attributes;
  Workers workers(3);
  std::mutex mutex;
  const pthread_t first = pthread_self();
  workers.for_each_block(64, [&](std::int64_t) {
    const std::lock_guard lock(mutex);
    if (pthread_equal(pthread_self(), first)) return;
    std::size_t size = 0;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    EXPECT_GE(size, ensembles::thread_stack);
  });
}

TEST(Workers, HandOnTheFirstException) {
  Workers workers(3);
  const auto fails = [](std::int64_t block) {
    if (block == 5) throw std::runtime_error("block 5");
  };
  EXPECT_THROW(workers.for_each_block(100, fails), std::runtime_error);
  int done = 0;
  std::mutex mutex;
  workers.for_each_block(10, [&](std::int64_t) {
    const std::lock_guard lock(mutex);
    ++done;
  });
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace livens::host
