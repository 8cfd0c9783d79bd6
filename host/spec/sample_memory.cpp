#include "host/spec/sample_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "ensembles/observables.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/statistics.hpp"

namespace livens::host {

SampleMemory sample_memory(const ensembles::Request& request, const SystemInfo& system) {
  const bool intervals = ensembles::varies_step(request);
  // As doubles: what is asked for may be more than any integer.
  const double units = intervals ? request.end / request.interval : static_cast<double>(request.steps);
  const double every = intervals ? 1.0 : static_cast<double>(request.every);
  const double samples = request.sampling == ensembles::Sampling::log
                             ? 16.0 * std::log10(std::max(units, 1.0)) + 2.0
                             : std::ceil(units / every) + 1.0;
  const double observables = static_cast<double>(ensembles::observables_of(system).size());
  const double node = 3.0 * system.coordinates + 2.0 * system.constraints + system.momentum_maps + 3.0;
  const double followed = static_cast<double>(std::min(request.trajectories, request.size));
  const double each = 16.0 + observables * sizeof(ensembles::Summary) + 8.0 * followed * node;
  return {samples, samples * each};
}

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace livens::host
