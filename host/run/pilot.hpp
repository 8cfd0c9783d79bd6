#pragma once
// A few instances of a run, integrated for a moment on its own backend: how long a step takes, and how many
// points and bins its statistics have.

#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/range.hpp"
#include "ensembles/request.hpp"

namespace livens::host {

/// Of an observable, at the sample that has the most. Many instances have hardly more than some thousand: a
/// distribution is condensed.
struct SampleSize {
  double points = 0.0, bins = 0.0;
  /// Points of so many instances.
  double points_of(double instances) const { return instances < points ? instances : points; }
};

struct Pilot {
  double instances;                 ///< that were integrated
  double seconds_before;            ///< to the first step, of these instances
  double seconds_beat;              ///< of them and a beat (schedule.hpp) with its share of the samples
  std::vector<SampleSize> samples;  ///< by observable

  /// s that `count` instances take through `beats`.
  double seconds(double count, double beats) const;
};

/// `threads`: of the processor. Throws as ensembles::integrate().
Pilot pilot_run(const ensembles::Request& request, ensembles::Backend& backend, ensembles::Range range,
                int threads);

}  // namespace livens::host
