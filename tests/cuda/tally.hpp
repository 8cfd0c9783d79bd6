#pragma once
// The tally of the checks, and the exit status that follows.

#include <cstdio>
#include <exception>
#include <string>

namespace livens::selftest {

/// Exit statuses of the self-test; docs/gpu.md.
enum ExitStatus : int {
  exit_equal = 0,
  exit_wrong = 1,
  exit_usage = 2,
  exit_nothing = 3,
  exit_no_device = 77
};

class Tally {
 public:
  /// Runs a check that returns "ok", "could not run: " and why, "not compiled", or what is wrong, and prints
  /// that. An exception is wrong.
  template <class Check>
  void add(const std::string& name, Check&& check) {
    std::string verdict;
    try {
      verdict = check();
    } catch (const std::exception& error) {
      verdict = std::string("FAIL ") + error.what();
    }
    if (verdict == "ok")
      ++passed_;
    else if (verdict.rfind("could not run", 0) == 0)
      ++not_run_;
    else if (verdict == "not compiled")
      ++not_compiled_;
    else
      ++failed_;
    std::printf("%-64s %s\n", name.c_str(), verdict.c_str());
    std::fflush(stdout);
  }

  /// Prints the sums. Where nothing was compared nothing has been shown; a check that could not run beside
  /// others that passed, as that of several devices where there is one, is only said.
  ExitStatus conclude() const {
    std::printf("%d passed, %d failed, %d could not run, %d not compiled\n", passed_, failed_, not_run_,
                not_compiled_);
    if (failed_ > 0) return exit_wrong;
    if (passed_ > 0) return exit_equal;
    return not_run_ > 0 ? exit_no_device : exit_nothing;
  }

 private:
  int passed_ = 0, failed_ = 0, not_run_ = 0, not_compiled_ = 0;
};

}  // namespace livens::selftest
