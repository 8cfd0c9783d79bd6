#pragma once
// A few instances of a run, integrated for a moment on its own backend: how long a step takes, and how many
// bins its statistics have.

#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/range.hpp"
#include "ensembles/request.hpp"

namespace livens::host {

/// The bins that occur among n values. A next value is in a bin of its own with a probability of about
/// (bins with one value)/n (I. J. Good, The population frequencies of species, 1953). Their number stays as n
/// grows where a law has no end towards zero, as that of errors: bins(N) = bins(n) + single log(N/n).
struct OccurringBins {
  double values = 0.0, bins = 0.0, single = 0.0;
  double of(double count) const;
};

struct Pilot {
  double instances;       ///< that were integrated
  double seconds_before;  ///< to the first step, of these instances
  double seconds_unit;    ///< of them and a unit (schedule.hpp) with its share of the samples
  std::vector<OccurringBins> at_a_sample, at_all_samples;  ///< by observable

  /// s that `count` instances take through `units`.
  double seconds(double count, double units) const;
};

/// `threads`: of the processor. Throws as ensembles::integrate().
Pilot pilot_run(const ensembles::Request& request, ensembles::Backend& backend, ensembles::Range range,
                int threads);

}  // namespace livens::host
