#include "host/backends/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace livens::host {

int available_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Workers::Workers(int threads) {
  try {
    for (int i = 1; i < threads; ++i) pool_.emplace_back([this] { help(); });
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
  changed_.notify_all();
  pool_.clear();
}

void Workers::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  Call call{body, blocks};
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(&call);
  }
  changed_.notify_all();
  work(call);
  std::unique_lock lock(mutex_);
  std::erase(calls_, &call);
  changed_.wait(lock, [&] { return call.helpers == 0; });
  if (call.failure) std::rethrow_exception(call.failure);
}

void Workers::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !calls_.empty(); });
    if (calls_.empty()) return;
    Call& call = *calls_.front();
    ++call.helpers;
    lock.unlock();
    work(call);
    lock.lock();
    std::erase(calls_, &call);  // it has no blocks left
    if (--call.helpers == 0) changed_.notify_all();
  }
}

void Workers::work(Call& call) {
  while (true) {
    const std::int64_t block = call.next++;
    if (block >= call.blocks) return;
    try {
      call.body(block);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!call.failure) call.failure = std::current_exception();
      call.next = call.blocks;
    }
  }
}

}  // namespace livens::host
