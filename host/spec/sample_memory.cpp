#include "host/spec/sample_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "ensembles/memory.hpp"
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
  // Names alone: an expression is none of the system's.
  std::set<std::string> names(request.observe.begin(), request.observe.end());
  for (const ensembles::Observable& one : ensembles::observables_of(system)) names.insert(one.name);
  const auto observables = static_cast<double>(names.size()),
             observed = static_cast<double>(request.observe.size());
  const auto size = static_cast<double>(request.size);
  const bool varies = !request.variations.empty() || !request.taken_over.empty();
  // Of many instances that differ a distribution keeps some hundred points, and its histogram has 32 to 64
  // bins from 5 to 95 % and those of the tails.
  const double points = varies ? std::min(size, 256.0) : 1.0, bins = std::min(points, 64.0);
  const double numbers = 5.0 + static_cast<double>(request.quantiles.size());
  const double statistics =
      sizeof(ensembles::SummaryTree::Node) + points * sizeof(ensembles::Point) + 8.0 * (2.0 * bins + numbers);
  const double state = 3.0 * system.coordinates + observed,
               directions = request.tangent ? request.tangent->directions() : 0.0,
               own = static_cast<double>(system.sampled.size()),
               node =
                   state + directions * (state + own) + 2.0 * system.constraints + system.momentum_maps + 3.0;
  const double followed = static_cast<double>(std::min(request.trajectories, request.size));
  const double each = 16.0 + observables * statistics + 8.0 * followed * node;
  return {samples, samples * each + ensembles::exact_memory(request, {0, request.size})};
}

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace livens::host
