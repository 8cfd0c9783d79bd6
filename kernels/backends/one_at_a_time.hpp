#pragma once
// How the pairs of an instruction set take their difficult steps: one instance at a time. Tests compare lanes with it.

#include "kernels/backends/registry.hpp"

namespace livens {

/// In full precision.
std::span<const PairKernels> pairs_one_at_a_time(Isa);

}  // namespace livens
