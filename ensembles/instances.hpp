#pragma once
// The columns of the records that become datasets of /instances.

#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/observables.hpp"
#include "ensembles/population.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// The values kept of every instance of a population that has been integrated to these nodes: the state at
/// the end, the quantities of the records, the system's own, and final_<name> of what is observed, then
/// `more`. Takes the initial states and the varied values out of the population. Quantities measured on an
/// instance that could not start are not a number.
Instances collect_instances(const Request& request, Population& population, const Nodes& nodes,
                            std::vector<Quantity> more);

/// The same without values: names, units and widths of all that will be collected.
Instances instances_to_collect(const Request& request, const SystemInfo& system);

}  // namespace livens::ensembles
