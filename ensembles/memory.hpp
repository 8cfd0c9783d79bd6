#pragma once
// The memory that an ensemble takes, in bytes, by the arrays that its parts keep: what is allocated anew
// there is added here. Nothing is allocated to find out, so that sizes are doubles.

#include <functional>

#include "ensembles/backend.hpp"
#include "ensembles/range.hpp"
#include "ensembles/request.hpp"

namespace livens::ensembles {

/// An instance, in the order of its life.
struct InstanceMemory {
  double moving;      ///< in a Chunk: parameters, states, records, extremes
  double sampling;    ///< beside that, while a sample is taken
  double summaries;   ///< beside that: statistics of its block, in small pieces
  double collected;   ///< in Instances, once it is done
  double handed;      ///< of `moving`, what goes over to `collected` as it is
  double collecting;  ///< beside that, while it is collected
  double standing;    ///< in a Standing
};
/// `bins`: that a block of a summary has.
InstanceMemory instance_memory(const Request& request, const Backend& backend, double bins);

/// Trajectories: one instance at one sample.
double node_memory(const Request& request, const SystemInfo& system);

/// The number of bins that occur among the values of so many instances.
using BinsOf = std::function<double(double instances)>;
/// The nodes of one observable at one sample, of a range of instances.
double statistics_memory(Range range, const BinsOf& bins);

}  // namespace livens::ensembles
