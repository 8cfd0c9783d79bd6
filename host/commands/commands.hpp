#pragma once
// The subcommands: each prints on the standard output and returns the exit status, or throws (errors.hpp).

#include <optional>
#include <string>
#include <vector>

#include "host/commands/share.hpp"
#include "host/livens.hpp"
#include "host/spec/spec.hpp"
#include "host/terminal/progress.hpp"

namespace livens::host {

struct RunArguments {
  std::string spec;
  Overrides overrides;
  RunOptions options;
  FileOptions to;  ///< without a shard that of SLURM_ARRAY_TASK_ID, where it is set; its path is an override
  bool quiet = false, dry = false;
  std::string json;  ///< file for the summary; "-": the standard output in place of the text; empty: none
  ProgressStyle progress = ProgressStyle::automatic;
};
int run(const RunArguments& arguments);

int list(bool json, bool pairs);
/// Says in which forms a scheme runs a system, or why it does not.
int why(const std::string& system, const std::string& scheme);
/// One system, one scheme, or one status of an instance.
int show(const std::string& name, bool json, bool expanded = false);
/// Tables of docs/contract.md: the quantities that a result may have, the options of all schemes that were
/// compiled, the statuses of an instance.
std::string quantities_as_markdown();
std::string options_as_markdown();
std::string statuses_as_markdown();
/// What show() knows by name, a line each.
std::string names_of_all();
/// What `livens compile` compiles for: the processor, and a GPU as well where it is asked for one.
struct CompilationTarget {
  std::string backend = "cpu";      ///< or "cuda"
  std::optional<int> architecture;  ///< compute capability, 10 major + minor; none: that of the first device
};
/// Compiles what the run of a spec needs, so that it is in the cache.
int compile_spec(const std::string& spec, const Overrides& overrides, const CompilationTarget& target);
/// Lists what was compiled on first use, or removes it.
int cache(bool clear);
/// What of this machine livens can use; exit_bound_broken where it lacks something that runs need.
int doctor();
int info(const std::string& file, const std::vector<Threshold>& thresholds);
int info_as_json(const std::string& file);
int merge(const std::vector<std::string>& parts, const std::string& output);
int failures(const std::string& file, const std::string& output);

}  // namespace livens::host
