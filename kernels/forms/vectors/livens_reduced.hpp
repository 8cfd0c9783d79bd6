#pragma once
// The Livens scheme (livens.hpp) with the fewest unknowns, for uncoupled vectors in space and derivative =
// "invariants".

#include "kernels/forms/vectors/vector_midpoint.hpp"
#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

struct LivensReducedRule {
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }
  static constexpr VectorScheme scheme = VectorScheme::livens;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return livens_multipliers(system, h, n0, n1);
  }
};

template <UncoupledVectorSystem System>
using LivensReduced = VectorMidpoint<System, LivensReducedRule>;

}  // namespace livens::inline LIVENS_ISA
