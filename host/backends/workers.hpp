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
#include <vector>

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
  /// rethrown; blocks not begun by then are left out. Several threads may call at once: each does its own
  /// blocks, and the pool helps whoever called first.
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body);

 private:
  /// A call of for_each_block() under way.
  struct Call {
    const std::function<void(std::int64_t)>& body;
    std::int64_t blocks;
    std::atomic<std::int64_t> next = 0;
    int helpers = 0;  ///< threads of the pool in it
    std::exception_ptr failure = nullptr;
  };
  void help();
  void work(Call& call);
  void end();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call*> calls_;  // with blocks left that nobody has begun, the oldest first
  bool ending_ = false;
  std::deque<ensembles::Thread> pool_;
};

}  // namespace livens::host
