#pragma once
// A few threads that share a list of independent blocks. Which thread takes which block never shows in a
// result.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "ensembles/thread.hpp"

namespace livens::host {

/// Processors this process may use.
int available_threads();

class Workers {
 public:
  /// The calling thread works too: `threads - 1` are started.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(pool_.size()) + 1; }

  /// Calls body(block) for every block in [0, blocks) and returns when all are done. The first exception is
  /// rethrown; blocks not begun by then are left out. Calls of several threads take turns in their order.
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body);

 private:
  void wait_for_work();
  void work();
  void end();

  std::mutex mutex_;
  std::condition_variable begun_, done_, passed_;
  const std::function<void(std::int64_t)>* body_ = nullptr;
  std::int64_t blocks_ = 0;
  std::atomic<std::int64_t> next_ = 0;
  std::uint64_t round_ = 0;             // calls of for_each_block so far
  std::uint64_t turns_ = 0, turn_ = 0;  // given to callers; the one whose turn it is
  int busy_ = 0;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::deque<ensembles::Thread> pool_;
};

}  // namespace livens::host
