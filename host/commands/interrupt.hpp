#pragma once
// Signals: Ctrl-C and its like as a question that the program asks itself between steps.

namespace livens::host {

/// While it lives the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether one has arrived.
  static bool interrupted();
  /// Throws Interrupted when one has.
  static void check();
};

/// Lets a write beyond the limit on a file's size fail like one to a full disk, in place of ending the
/// program.
void report_full_quota();

}  // namespace livens::host
