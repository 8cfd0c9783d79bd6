#pragma once
// The errors outside the numerics, and the exit status each becomes (contract, section 1). A wrong request is a
// RequestError, of expressions/.

#include <cstdio>
#include <stdexcept>
#include <string>

#include "expressions/refusal.hpp"

namespace livens::host {

enum ExitStatus : int {
  exit_done = 0,
  exit_bound_broken = 1,
  exit_bad_request = 2,
  exit_instances_failed = 3,
  exit_file = 4,
  exit_interrupted = 130,
};

/// A file could not be read or not be written. what() is the mistake as it is printed.
struct FileError : std::runtime_error {
  FileError(const std::string& path, const std::string& problem, const std::string& expected = {})
      : FileError(Mistake{{path}, problem, expected}) {}
  Mistake mistake;

 private:
  explicit FileError(Mistake found) : std::runtime_error(printed(found)), mistake(std::move(found)) {}
};

/// The user pressed Ctrl-C.
struct Interrupted : std::runtime_error {
  explicit Interrupted(const std::string& message = "interrupted; nothing was written")
      : std::runtime_error(message) {}
};

/// Writes to the standard error. That it cannot be written is no reason to lose a run.
inline void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace livens::host
