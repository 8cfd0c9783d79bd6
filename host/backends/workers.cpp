#include "host/backends/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace livens::host {

int available_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Workers::Workers(int threads) {
  try {
    for (int i = 1; i < threads; ++i) pool_.emplace_back([this] { wait_for_work(); });
  } catch (...) {
    end();  // those that have been started wait for work
    throw;
  }
}

Workers::~Workers() { end(); }

void Workers::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  begun_.notify_all();
  pool_.clear();
}

void Workers::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  {
    std::unique_lock lock(mutex_);
    // Not a mutex of its own: who has just had it would get it again, and the other wait to the end of a run.
    passed_.wait(lock, [this, turn = turns_++] { return turn_ == turn; });
    body_ = &body;
    blocks_ = blocks;
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<int>(pool_.size());
    ++round_;
  }
  begun_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  ++turn_;
  passed_.notify_all();
  if (failure) std::rethrow_exception(failure);
}

void Workers::wait_for_work() {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return ending_ || round_ != seen; });
      if (ending_) return;
      seen = round_;
    }
    work();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void Workers::work() {
  while (true) {
    const std::int64_t block = next_++;
    if (block >= blocks_) return;
    try {
      (*body_)(block);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_ = blocks_;
    }
  }
}

}  // namespace livens::host
