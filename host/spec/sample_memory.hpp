#pragma once
// The memory that the samples of a run take, before any is taken.

#include "ensembles/request.hpp"
#include "kernels/description/interface.hpp"

namespace livens::host {

/// The samples of a request and the memory that they take.
struct SampleMemory {
  double samples;  ///< K
  double bytes;    ///< statistics and trajectories of all samples, which are written at the end
};
SampleMemory sample_memory(const ensembles::Request& request, const SystemInfo& system);

/// Bytes that this machine has.
double machine_memory();

}  // namespace livens::host
