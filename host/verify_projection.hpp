#pragma once
// livens verify: the projection onto the constraints, of every backend against the reference.

#include <string>
#include <vector>

#include "ensembles/request.hpp"

namespace livens::host {

/// One backend; the largest figures of its instances.
struct ProjectionComparison {
  std::string backend;
  std::int64_t compared = 0;
  std::int64_t failed_alone = 0;  ///< on the backend or on the reference, but not on both
  double q = 0.0, q_bound = 0.0;  ///< distance in the infinity norm, and what round-off may make of it
  double v = 0.0, v_bound = 0.0;
  bool ok = true;  ///< every instance within its own bound
};

/// Displaces the states of a request whose own are consistent.
void displace(ensembles::Request& request, int coordinates);

/// What the backends present make of the initial states of (the first block of) an ensemble.
std::vector<ProjectionComparison> compare_projections(const PairKernels& pair, ensembles::Request request);

}  // namespace livens::host
