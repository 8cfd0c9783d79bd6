#include "host/compilation/called_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

thread_local const std::function<bool()>* asked = nullptr;  // of the innermost CallsEnd; null or full

/// The environment of this process, but for what the compiler says in which language, and where it puts what
/// it needs for a while.
std::vector<std::string> environment_in(const fs::path& directory) {
  std::vector<std::string> variables = {"LC_ALL=C", "TMPDIR=" + directory.string()};
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view one = *variable;
    if (!one.starts_with("LC_ALL=") && !one.starts_with("TMPDIR=")) variables.emplace_back(one);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// A file of this process alone, which its children do not inherit.
class Descriptor {
 public:
  Descriptor(int descriptor, const std::string& what) : number(descriptor) {
    if (number < 0) throw std::system_error(errno, std::generic_category(), what);
  }
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() { close(number); }
  const int number;
};

/// That of the environment. Throws RequestError where it names none.
fs::path directory_for_temporary_files() {
  std::error_code error;
  const fs::path found = fs::temp_directory_path(error);
  if (!error) return found;
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})  // as that function asks
    if (const char* value = std::getenv(variable))
      refuse({}, fmt::format("{} is '{}', which cannot be used ({})", variable, value, error.message()),
             "a directory that is there");
  refuse({}, "/tmp cannot be used (" + error.message() + ")", "TMPDIR to name a directory");
}

/// The status that waitpid() has of a child, the first of a group where somebody may ask for its end: it is
/// then ended with the group.
int status_of(pid_t child, const std::string& name) {
  int status = 0;
  const auto waited = [&](int how) {
    const pid_t found = waitpid(child, &status, how);
    if (found < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), name);
    return found == child;
  };
  using std::chrono::milliseconds;
  constexpr milliseconds longest{50};
  for (milliseconds pause{1}; asked; pause = std::min(2 * pause, longest)) {
    if (waited(WNOHANG)) return status;
    if ((*asked)()) {
      kill(-child, SIGKILL);
      while (!waited(0)) {
      }
      throw Interrupted();
    }
    std::this_thread::sleep_for(pause);
  }
  while (!waited(0)) {
  }
  return status;
}

/// Exit status of a command, -1 where a signal ended it. What it prints goes to `output`.
int run(std::vector<std::string> command, const Descriptor& output, const fs::path& directory) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, output.number, stream);
  // Not where livens was started: an empty entry in PATH, CPATH or LD_LIBRARY_PATH means the working directory.
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (asked) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own
  std::vector<std::string> environment = environment_in(directory);
  pid_t child = 0;
  const int error = posix_spawn(&child, command.front().c_str(), &actions, &attributes,
                                pointers(command).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
  const int status = status_of(child, command.front());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

CallsEnd::CallsEnd(const std::function<bool()>& when_asked)
    : before_(std::exchange(asked, when_asked ? &when_asked : asked)) {}

CallsEnd::~CallsEnd() { asked = before_; }

bool end_of_calls_is_asked() { return asked && (*asked)(); }

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string find_program(const std::string& name) {
  const auto usable = [](const std::string& path) {
    std::error_code none;
    return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return usable(name) ? fs::absolute(name).string() : "";
  const char* path = std::getenv("PATH");
  std::istringstream directories(path ? path : "");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (const std::string full = directory + '/' + name; directory.starts_with('/') && usable(full))
      return full;
  return {};
}

int call(std::vector<std::string> command, const fs::path& directory, const std::string& log) {
  const Descriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), log);
  return run(std::move(command), output, directory);
}

std::string output_of(std::vector<std::string> command) {
  const Descriptor memory(memfd_create("output", MFD_CLOEXEC), "memory for the answer of " + command.front());
  if (run(std::move(command), memory, directory_for_temporary_files()) != 0) return {};
  char text[4096];
  const ssize_t count = pread(memory.number, text, sizeof text, 0);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

}  // namespace livens::host
