#pragma once
// Programs that are called: by an argument list, without a shell.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace livens::host {

/// While one of these lives, whatever this thread calls ends when somebody asks for it, with all that it has
/// started: call() and output_of() then throw Interrupted. Without one a called program belongs to the group
/// of this process, whose Ctrl-C ends both.
class CallsEnd {
 public:
  /// An empty function: nobody asks.
  explicit CallsEnd(const std::function<bool()>& when_asked);
  CallsEnd(const CallsEnd&) = delete;
  CallsEnd& operator=(const CallsEnd&) = delete;
  ~CallsEnd();

 private:
  const std::function<bool()>* before_;
};

/// Whether somebody asks for that end at present.
bool end_of_calls_is_asked();

std::vector<std::string> words_of(const std::string& line);

/// The program of that name in a directory that PATH names from the root on, or of that path; empty where there
/// is none. What a relative entry of PATH leads to comes with the working directory, and is not run.
std::string find_program(const std::string& name);

/// Exit status of a command whose first word is a path, -1 where a signal ended it. What it prints goes to
/// the file `log`; it works in `directory`. Throws std::system_error where it cannot be
/// called.
int call(std::vector<std::string> command, const std::filesystem::path& directory, const std::string& log);

/// What a command prints that needs no directory to work in; empty where it fails.
std::string output_of(std::vector<std::string> command);

}  // namespace livens::host
