#pragma once
// Certificates of motions: made, and compared with those that are there.

#include <optional>
#include <string>

namespace livens::host {

struct CertifyOptions {
  std::string problem;  ///< file of a text, or a problem by its name
  bool all = false;     ///< every problem
  std::optional<double> end;
  std::optional<int> digits;
  std::string output;  ///< "-": the standard output
  std::string check;   ///< another certificate
  bool overwrite = false;
};

/// Prints a line for every certificate. exit_done, or exit_bound_broken.
int certify(const CertifyOptions& options);

}  // namespace livens::host
