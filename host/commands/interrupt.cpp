#include "host/commands/interrupt.hpp"

#include <signal.h>

#include "host/errors.hpp"

namespace livens::host {
namespace {

volatile sig_atomic_t noted = 0;

void note(int) { noted = 1; }

void set_handler(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  set_handler(note, SA_RESETHAND | SA_RESTART);
}

InterruptGuard::~InterruptGuard() { set_handler(SIG_DFL, 0); }

void report_full_quota() { signal(SIGXFSZ, SIG_IGN); }

bool InterruptGuard::interrupted() { return noted != 0; }

void InterruptGuard::check() {
  if (interrupted()) throw Interrupted();
}

}  // namespace livens::host
