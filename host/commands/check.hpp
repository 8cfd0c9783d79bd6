#pragma once
// Tries the laws on a system written as text.

#include <optional>
#include <string>
#include <vector>

namespace livens::host {

struct CheckOptions {
  std::string system;                  ///< file of a text
  std::vector<std::string> schemes;    ///< empty: every one that runs it
  std::optional<double> step;          ///< s
  std::optional<std::string> against;  ///< another text, which the reference reads instead
};

/// Prints a row for every law and scheme. exit_done, or exit_bound_broken.
int check(const CheckOptions& options);

}  // namespace livens::host
