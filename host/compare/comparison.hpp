#pragma once
// A comparison: runs of one spec with other values for some of its keys, into one directory.

#include <string>
#include <vector>

#include "host/compare/orders.hpp"
#include "host/livens.hpp"
#include "host/run/run_on_disk.hpp"
#include "host/terminal/progress.hpp"

namespace livens::host {

struct ComparisonOptions {
  std::string spec;       ///< its file
  std::string directory;  ///< of the results and of table.csv
  Overrides overrides;    ///< that hold for all runs
  RunOptions run;
  bool resume = false, overwrite = false;
  bool skip_absent = false;  ///< combinations whose pair is not there
  bool quiet = false;
  ProgressStyle progress = ProgressStyle::automatic;
};

class Comparison {
 public:
  /// Reads every combination, and compiles what runs of them need. Throws RequestError, with the combination
  /// in front of what is wrong in some of them alone, AbsentPair where only pairs are missing; and where
  /// results stand in the directory that are not to be replaced or gone on from. Nothing is written.
  Comparison(ComparisonOptions options, std::vector<Sweep> sweeps);

  /// Runs what is not finished, one after the other. table.csv is that of the finished runs, at any time.
  /// Returns the exit status. Throws as RunOnDisk::run() does.
  int run();

  const std::vector<Sweep>& sweeps() const { return sweeps_; }
  /// The finished runs, in the order of the product.
  const std::vector<ComparedRun>& runs() const { return runs_; }

 private:
  void read_all();
  void refuse_directory() const;
  Spec spec_of(const Combination& combination) const;
  std::string file_of(const Combination& combination) const;
  bool finished(const Combination& combination) const;
  void integrate(const Combination& combination, Spec spec) const;
  void keep(const Combination& combination, const Spec& spec);

  ComparisonOptions options_;
  std::vector<Sweep> sweeps_;
  std::string text_;  // of the spec
  std::vector<Combination> combinations_;
  std::vector<ComparedRun> runs_;
};

}  // namespace livens::host
