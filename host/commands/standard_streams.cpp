#include "host/commands/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>

namespace livens::host {

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // In ascending order: open() takes the lowest number that is free. Opened the wrong way round.
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void report_failed_writes() {
  for (const int signal_number : {SIGPIPE, SIGXFSZ}) signal(signal_number, SIG_IGN);
}

bool nobody_reads() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return std::ferror(stdout) && poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

void end_unread() {
  signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
  _exit(128 + SIGPIPE);  // where it is blocked
}

}  // namespace livens::host
