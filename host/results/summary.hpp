#pragma once
// A result in a dozen lines, for `run`, `merge` and `info`; or as JSON.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ensembles/result.hpp"
#include "ensembles/statistics.hpp"
#include "host/results/identity.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {

/// The summary's figures of the instances, taken from them portion by portion, so that an ensemble need not
/// be in memory.
class Figures {
 public:
  void add(const ensembles::Instances& instances);

  std::int64_t failed() const;
  /// Instances by status.
  const std::array<std::int64_t, status_count>& statuses() const { return ended_; }
  /// Steps at which the instances of a status ended; empty for what is no failure.
  const ensembles::Summary& failed_steps(Status status) const {
    return failed_steps_[static_cast<std::size_t>(status)];
  }
  /// False where output.columns leaves out what it cost.
  bool costs_kept() const { return costs_kept_; }
  std::int64_t retried_steps() const { return retried_steps_; }
  double newton_iterations_per_step() const {
    return steps_ > 0.0 ? static_cast<double>(newton_iterations_) / steps_ : 0.0;
  }

  /// The largest of each instance, over those that have not failed.
  struct Largest {
    std::string key, label;
    const ensembles::Summary* summary;
  };
  std::vector<Largest> largest(int constraints, int momentum_maps) const;

  /// The table of errors, failures by reason and time, and the cost. `samples`: the rest of the result.
  std::string text(const ensembles::Result& samples) const;

 private:
  std::string failures(std::int64_t size) const;
  std::int64_t ended(Status status) const { return ended_[static_cast<std::size_t>(status)]; }

  // Over the instances that have not failed, relative to the energy scale where it is an energy.
  ensembles::Summary energy_, momentum_, constraint_, velocity_constraint_;
  struct Own {
    std::string name, unit;
    ensembles::Summary summary;
  };
  std::vector<Own> own_;                                       // of the system
  std::array<std::int64_t, status_count> ended_{};             // by status
  std::array<ensembles::Summary, status_count> failed_steps_;  // the same
  std::int64_t newton_iterations_ = 0, retried_steps_ = 0;
  bool costs_kept_ = true;  // output.columns may leave them out
  double steps_ = 0.0;
};

/// The step by which half of the instances that ended so had ended.
double median(const ensembles::Summary& failed_steps);

/// The run in two lines: system, scheme, form and ensemble, then backend and device.
std::string headline(const ensembles::Result& result, const Provenance& provenance);

/// A line for every quantity whose statistics are at some sample without instances that are ok, as its values are not
/// finite.
std::vector<std::string> notes_of_statistics(const ensembles::Result& result);

/// All of it for programs (contract, `info --json`). `result`: without its instances; `left_out`: as of a
/// ResultFile; `varied`: the names of /instances/parameters.
std::string summary_as_json(const std::string& file, const ensembles::Result& result,
                            const Provenance& provenance, const std::optional<Shard>& shard,
                            std::span<const std::string> left_out, const Figures& figures,
                            std::vector<std::string> varied);

}  // namespace livens::host
