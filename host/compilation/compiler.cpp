#include "host/compilation/compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The program of that name on PATH, or of that path; empty where there is none.
std::string find_program(const std::string& name) {
  const auto usable = [](const std::string& path) {
    std::error_code none;
    return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return usable(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream directories(path ? path : "");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (const std::string full = directory + '/' + name; !directory.empty() && usable(full)) return full;
  return {};
}

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

/// Exit status of a command, -1 where a signal ended it. What it prints goes to `output`.
int run(std::vector<std::string> command, const Descriptor& output, const fs::path& directory) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, output.number, stream);
  std::vector<std::string> environment = environment_in(directory);
  pid_t child = 0;
  const int error = posix_spawn(&child, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                                pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), command.front());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What a command prints; empty where it fails.
std::string output_of(std::vector<std::string> command) {
  const Descriptor memory(memfd_create("output", MFD_CLOEXEC), "memory for the answer of " + command.front());
  if (run(std::move(command), memory, fs::temp_directory_path()) != 0) return {};
  char text[4096];
  const ssize_t count = pread(memory.number, text, sizeof text, 0);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

/// Nothing for what does not answer as a compiler does.
std::optional<Compiler> compiler_of(std::vector<std::string> command) {
  std::vector<std::string> asked = command;
  asked.push_back("--version");
  const std::string version = output_of(asked);
  if (version.empty()) return {};
  const bool gnu = version.find("Free Software Foundation") != std::string::npos;
  return Compiler{std::move(command), version.substr(0, version.find('\n')), gnu};
}

}  // namespace

std::string Compiler::name() const { return fmt::format("{} ({})", fmt::join(command, " "), version); }

std::optional<Compiler> find_compiler() {
  if (const char* chosen = std::getenv("CXX"); chosen && *chosen) {
    std::vector<std::string> command = words_of(chosen);
    std::optional<Compiler> compiler;
    if (!command.empty()) command.front() = find_program(command.front());
    if (!command.empty() && !command.front().empty()) compiler = compiler_of(command);
    if (!compiler)
      throw RequestError(
          fmt::format("CXX is '{}', which is no compiler that can be called; expected g++, clang++ or "
                      "nothing",
                      chosen));
    return compiler;
  }
  for (const char* name : {"g++", "clang++"})
    if (const std::string path = find_program(name); !path.empty())
      if (auto compiler = compiler_of({path})) return compiler;
  // A wheel that holds clang; it needs nothing but Python.
  if (const std::string python = find_program("python3"); !python.empty())
    return compiler_of({python, "-m", "ziglang", "c++"});
  return {};
}

std::vector<std::string> kernel_flags(bool gnu, const std::string& isa, const std::string& scheme_header) {
  std::string flags = "-std=c++20 -O3 -DNDEBUG -ffp-contract=off -fPIC -shared -fvisibility=hidden ";
  flags += isa == "avx512" ? LIVENS_FLAGS_AVX512 : isa == "avx2" ? LIVENS_FLAGS_AVX2 : LIVENS_FLAGS_PLAIN;
  // The symbolic factorization of many unknowns takes more steps than a constant expression has by default.
  if (!gnu) flags += " -fconstexpr-steps=100000000";
  if (gnu && isa != "plain") flags += " " LIVENS_FLAGS_GNU;
  if (gnu && scheme_header.find("/schemes/del/") != std::string::npos) flags += " " LIVENS_FLAGS_GNU_DEL;
  return words_of(flags);
}

bool compile(const Compiler& compiler, const std::vector<std::string>& flags, const KernelHeaders& headers,
             const fs::path& directory) {
  std::vector<std::string> command = compiler.command;
  command.insert(command.end(), flags.begin(), flags.end());
  for (const std::string& word : {"-I" + headers.root.string(), "-I" + directory.string(), std::string("-o"),
                                  (directory / "object.so").string(), (directory / "unit.cpp").string()})
    command.push_back(word);
  const std::string log = directory / "compiler.log";
  const Descriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), log);
  return run(std::move(command), output, directory) == 0;
}

}  // namespace livens::host
