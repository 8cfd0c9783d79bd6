#pragma once
// The columns of the records that become datasets of /instances.

#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/population.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// What is kept of every instance of a population that has been integrated. Takes the initial states and the
/// varied values out of it. What is measured on an instance that could not start is not a number.
Instances collect_instances(Population& population, Backend& backend);

}  // namespace livens::ensembles
