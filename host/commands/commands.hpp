#pragma once
// The subcommands: each prints on the standard output and returns the exit status, or throws (errors.hpp).

#include <optional>
#include <string>
#include <vector>

#include "host/backends/device_choice.hpp"
#include "host/backends/share.hpp"
#include "host/commands/progress.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Part `index` of `count`.
struct ShardOption {
  std::int64_t index, count;
};

struct RunOptions {
  std::string spec;
  Overrides overrides;
  std::string backend = "auto";
  int threads = 0;                      ///< 0: all processors
  std::optional<DeviceChoice> devices;  ///< GPUs; else one
  double memory = 0.25;                 ///< GiB, for the state of the instances integrated at a time
  std::optional<ShardOption> shard;     ///< else from SLURM_ARRAY_TASK_ID, where it is set
  bool resume = false;
  bool quiet = false;
  ProgressStyle progress = ProgressStyle::automatic;
};
int run(const RunOptions& options);

int list(bool json);
/// Says in which forms a scheme runs a system, or why it does not.
int why(const std::string& system, const std::string& scheme);
/// One system or one scheme.
int show(const std::string& name, bool json);
/// The quantities that a result may have, as a Markdown table.
std::string quantities_as_markdown();
/// Compiles what the run of a spec needs, so that it is in the cache.
int compile_spec(const std::string& spec, const Overrides& overrides);
/// Lists what was compiled on first use, or removes it.
int cache(bool clear);
int info(const std::string& file, const std::vector<Threshold>& thresholds);
int merge(const std::vector<std::string>& parts, const std::string& output);
int failures(const std::string& file, const std::string& output);

}  // namespace livens::host
