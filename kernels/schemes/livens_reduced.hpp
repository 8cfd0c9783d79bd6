#pragma once
// The Livens scheme (livens.hpp) with the fewest unknowns, for uncoupled vectors in space and derivative =
// "invariants".

#include "kernels/schemes/vector_midpoint.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System>
using LivensReduced = VectorMidpoint<System, EndVelocity::free>;

}  // namespace livens::inline LIVENS_ISA
