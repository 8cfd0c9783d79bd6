#include "host/checkpoint/process_mark.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "host/number_of.hpp"

namespace livens::host {
namespace {

/// What a process is known by: "COUNT-PID-START-SPACE-HOST", START in the kernel's ticks since it was booted.
struct Mark {
  long count, pid;
  std::string start, space, host;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What /proc says of a process, from its state on, which is behind the name that the process chose.
std::vector<std::string> fields_of(long pid) {
  const std::string line = read(fmt::format("/proc/{}/stat", pid));
  std::vector<std::string> fields;
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos) return fields;
  for (std::size_t at = name_end + 2; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \n", at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}
// In `man 5 proc_pid_stat` numbered from 1, with the state as the third.
constexpr std::size_t state_field = 0, threads_field = 17, start_field = 19;

/// The boot of the machine and the space of process numbers; empty where /proc does not say.
std::string space_of_this_process() {
  std::string boot = read("/proc/sys/kernel/random/boot_id");
  std::erase_if(boot, [](char c) { return c == '-' || c == '\n'; });
  char numbers[64];
  const ssize_t length = readlink("/proc/self/ns/pid", numbers, sizeof numbers);
  if (boot.empty() || length <= 0) return {};
  std::string space(numbers, static_cast<std::size_t>(length));
  std::erase_if(space, [](char c) { return c < '0' || c > '9'; });
  return boot + '.' + space;
}

std::optional<Mark> parsed(std::string_view text) {
  Mark mark;
  const auto word = [&text] {
    const std::size_t end = std::min(text.find('-'), text.size());
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return found;
  };
  for (long* number : {&mark.count, &mark.pid}) {
    const std::optional<long> read = number_of<long>(word());
    if (!read) return {};
    *number = *read;
  }
  mark.start = word();
  mark.space = word();
  mark.host = text;
  return mark.pid > 0 ? std::optional(mark) : std::nullopt;
}

}  // namespace

std::string new_process_mark() {
  static std::atomic<long> count = 0;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const auto fields = fields_of(getpid());
  return fmt::format("{}-{}-{}-{}-{:.64}", count++, getpid(),
                     fields.size() > start_field ? fields[start_field] : "", space_of_this_process(), host);
}

bool has_ended(std::string_view text) {
  const std::optional<Mark> mark = parsed(text);
  if (!mark || mark->start.empty() || mark->space.empty() || mark->space != space_of_this_process())
    return false;
  if (kill(static_cast<pid_t>(mark->pid), 0) != 0 && errno == ESRCH) return true;
  const auto fields = fields_of(mark->pid);
  if (fields.size() <= start_field) return false;  // hidden from this user
  // A number that was given away again; or one that is kept for a parent that does not ask, with no thread
  // left.
  return fields[start_field] != mark->start || (fields[state_field] == "Z" && fields[threads_field] == "1");
}

std::string described(std::string_view text) {
  const std::optional<Mark> mark = parsed(text);
  return mark ? fmt::format("process {} on {}", mark->pid, mark->host) : "another process";
}

}  // namespace livens::host
