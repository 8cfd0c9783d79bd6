#pragma once
// The first R instances of an ensemble in full at the sample times.

#include <cstdint>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// Fills a Trajectories. A node's multipliers are those of the step that ends there, so the records one step
/// earlier are needed: approach() takes them when the ensemble stands one unit before a sample, sample() uses
/// them.
class TrajectoryRecorder {
 public:
  /// Follows the instances 0 .. count-1 of the batch over `samples` samples; count is at most the batch's
  /// size.
  TrajectoryRecorder(const SystemInfo& system, std::int64_t count, std::size_t samples);

  bool empty() const { return trajectories_.instance.empty(); }

  /// The batch stands at `unit`, one unit before the next sample. Where a unit is one step its records are
  /// copied. Otherwise the tiles followed are integrated, in a copy, to one step before the end of the unit:
  /// once for every number of steps per unit that occurs among a tile's instances followed.
  void approach(Backend& backend, const Batch& batch, const Settings& settings, std::int64_t unit);

  /// The batch stands at sample number `sample`. Instances that have failed keep NaN.
  void sample(Backend& backend, const Batch& batch, std::size_t sample);

  Trajectories finish();

 private:
  std::int64_t d_, m_, s_, samples_;
  Trajectories trajectories_;
  std::vector<double>
      before_;  // records of the tiles followed, one step before the next sample; empty at the first
};

}  // namespace livens::ensembles
