#pragma once
// Programs that are called: by an argument list, without a shell.

#include <filesystem>
#include <string>
#include <vector>

namespace livens::host {

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
