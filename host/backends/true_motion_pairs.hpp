#pragma once
// reference_ode and reference_dae among the schemes of the catalogue. They have no compiled kernels: a pair
// of theirs is its descriptions and the functions of the system.

#include "host/spec/catalogue.hpp"

namespace livens::host {

/// True where the pair is integrated by SUNDIALS.
bool is_true_motion(const PairKernels& pair);

/// The pairs of these schemes on a system; none where built without SUNDIALS.
std::vector<PairKernels> true_motion_pairs(const SystemKernels& system);

/// The catalogue with these schemes on all systems they run; as it is where built without SUNDIALS. The
/// result lives as long as the program; every call must be given the same catalogue.
Catalogue with_true_motion(const Catalogue& compiled);

}  // namespace livens::host
