#pragma once
// The initial state of a system with its default parameters.

#include <vector>

#include "kernels/description/interface.hpp"

namespace livens::host {

struct InitialState {
  std::vector<double> q, v;
};

InitialState default_initial_state(const SystemKernels& system);
/// With these values of all parameters, one after another.
InitialState initial_state(const SystemKernels& system, std::vector<double> parameters);

}  // namespace livens::host
