#pragma once
// The GGL energy-momentum scheme (ems.hpp) with the fewest unknowns, for uncoupled vectors in space.

#include "kernels/schemes/vector_midpoint.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System>
using EmsReduced = VectorMidpoint<System, EndVelocity::tangent>;

}  // namespace livens::inline LIVENS_ISA
