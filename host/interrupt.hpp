#pragma once
// Ctrl-C as a question that the program asks itself between steps.

namespace livens::host {

/// While it lives the first SIGINT is only noted; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Throws Interrupted when SIGINT has arrived.
  static void check();
};

}  // namespace livens::host
