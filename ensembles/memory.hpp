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
InstanceMemory instance_memory(const Request& request, const Backend& backend);

/// Trajectories: one instance at one sample.
double node_memory(const Request& request, const SystemInfo& system);

/// The number of points that so many instances have.
using PointsOf = std::function<double(double instances)>;
/// The nodes of one observable at one sample, of a range of instances.
double statistics_memory(Range range, const PointsOf& points);

/// All values of what is observed at the last sample, of a range of instances.
double exact_memory(const Request& request, Range range);

}  // namespace livens::ensembles
