#pragma once
// A result in a dozen lines, for `run`, `merge` and `info`.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "ensembles/result.hpp"
#include "ensembles/statistics.hpp"
#include "host/checkpoint/identity.hpp"

namespace livens::host {

/// The summary's figures of the instances, taken from them portion by portion, so that an ensemble need not
/// be in memory.
class Figures {
 public:
  void add(const ensembles::Instances& instances);

  std::int64_t failed() const;
  /// The table of errors, failures by reason and time, and the cost. `samples`: the rest of the result.
  std::string text(const ensembles::Result& samples) const;

 private:
  std::string failures(std::int64_t size) const;
  std::int64_t ended(Status status) const { return ended_[static_cast<std::size_t>(status)]; }

  // Over the instances that have not failed, relative to the energy scale where it is an energy.
  ensembles::Summary energy_, momentum_, constraint_, velocity_constraint_;
  std::vector<std::pair<std::string, ensembles::Summary>> own_;  // of the system, by name and unit
  std::array<std::int64_t, status_count> ended_{};               // by status
  std::array<ensembles::Summary, status_count> failed_steps_;    // the same
  std::int64_t newton_iterations_ = 0, retried_steps_ = 0;
  bool costs_kept_ = true;  // output.columns may leave them out
  double steps_ = 0.0;
};

/// The run in two lines: system, scheme, form and ensemble, then backend and device.
std::string headline(const ensembles::Result& result, const Provenance& provenance);

}  // namespace livens::host
