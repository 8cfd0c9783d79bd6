#include "host/terminal/interrupt.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <string_view>

#include "host/errors.hpp"

namespace livens::host {
namespace {

volatile sig_atomic_t noted = 0, deaf = 0, late = 0;

void end_after(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const auto rest = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(whole)));
  const itimerval timer = {{0, 0}, {whole, rest}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void note(int) {
  if (deaf) {
    late = 1;
    return;
  }
  noted = 1;
  end_after(InterruptGuard::patience);
}

void end(int) {
  constexpr std::string_view message =
      "livens: interrupted in the middle of a step; --resume goes on from the last checkpoint, if there is "
      "one\n";
  // That it cannot be written changes nothing.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(exit_interrupted);
}

void set_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

void set_handlers(void (*on_interrupt)(int), int flags, void (*on_alarm)(int)) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) set_handler(signal, on_interrupt, flags);
  set_handler(SIGALRM, on_alarm, 0);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  deaf = 0;
  late = 0;
  set_handlers(note, SA_RESETHAND | SA_RESTART, end);
}

InterruptGuard::~InterruptGuard() {
  end_after(0.0);
  set_handlers(SIG_DFL, 0, SIG_DFL);
}

bool InterruptGuard::interrupted() {
  if (noted) end_after(0.0);
  return noted != 0;
}

bool InterruptGuard::requested() { return noted != 0; }

void InterruptGuard::too_late() {
  deaf = 1;
  noted = 0;
  end_after(0.0);
}

bool InterruptGuard::came_late() { return late != 0; }

}  // namespace livens::host
