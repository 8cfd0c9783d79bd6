#pragma once
// A thread whose stack has room for a step of any form. The stack that a thread would get otherwise follows
// `ulimit -s`, and so may be far too small.

#include <pthread.h>

#include <cstddef>
#include <functional>

namespace livens::ensembles {

/// Bytes. Eight instances of the largest form, 118 unknowns, have matrices of 118^2 x 8 doubles, 0.9 MB each,
/// of which a step holds a few. The usual limit of a process is 8 MiB, too.
inline constexpr std::size_t thread_stack = std::size_t{8} << 20;

/// Runs its body, which must not throw; joined at the end of its life.
class Thread {
 public:
  /// Throws std::system_error where there is no room for it.
  explicit Thread(std::function<void()> body);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

 private:
  std::function<void()> body_;
  pthread_t handle_;
};

/// Calls a body, which must not throw, on this thread if that is the first of a process whose limit gives it
/// thread_stack, else on a Thread.
void with_thread_stack(const std::function<void()>& body);

}  // namespace livens::ensembles
