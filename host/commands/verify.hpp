#pragma once
// Compares every backend present with the Eigen reference.

#include <optional>
#include <string>

namespace livens::host {

struct VerifyOptions {
  std::optional<std::string> spec;  ///< a spec, else the default ensemble of every system
  bool all = false;                 ///< every pair
  std::optional<std::string> json;  ///< file for the figures
};

/// exit_done, or exit_bound_broken.
int verify(const VerifyOptions& options);

}  // namespace livens::host
