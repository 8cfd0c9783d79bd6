#pragma once
// Signals: Ctrl-C and its like as a question that the program asks itself between steps.

namespace livens::host {

/// While it lives the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the program at once.
/// So does the first, where the program does not come to ask interrupted() within `patience`, as in the
/// middle of a step of very many iterations: the checkpoint that was written last stands, as after a crash.
class InterruptGuard {
 public:
  static constexpr double patience = 1.0;  ///< s

  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal has arrived. The program that asks is going to end in order, so its time is its own.
  static bool interrupted();
  /// The same as interrupted() for threads in the middle of their work, which end nothing in order.
  static bool requested();
  /// From here on a first signal ends nothing any more.
  static void too_late();
  /// True where one has come since.
  static bool came_late();
};

}  // namespace livens::host
