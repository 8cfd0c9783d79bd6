#pragma once
// The subcommands: each prints on the standard output and returns the exit status, or throws (errors.hpp).

#include <string>
#include <vector>

#include "host/progress.hpp"
#include "host/share.hpp"
#include "host/spec.hpp"

namespace livens::host {

struct RunOptions {
  std::string spec;
  Overrides overrides;
  std::string backend = "auto";
  int threads = 0;  ///< 0: all processors
  bool quiet = false;
  ProgressStyle progress = ProgressStyle::automatic;
};
int run(const RunOptions& options);

int list(bool json);
int show(const std::string& system, bool json);
int info(const std::string& file, const std::vector<Threshold>& thresholds);

}  // namespace livens::host
