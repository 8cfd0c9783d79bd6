#pragma once
// The initial state of a system with its default parameters.

#include <vector>

#include "kernels/description/interface.hpp"

namespace livens::host {

struct InitialState {
  std::vector<double> q, v;
};

InitialState default_initial_state(const SystemKernels& system);

}  // namespace livens::host
