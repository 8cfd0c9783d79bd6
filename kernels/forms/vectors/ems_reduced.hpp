#pragma once
// The GGL energy-momentum scheme (ems.hpp) with the fewest unknowns, for uncoupled vectors in space.

#include "kernels/forms/vectors/vector_midpoint.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

struct EmsReducedRule {
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }
  static constexpr VectorScheme scheme = VectorScheme::ems;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return ems_multipliers(system, h, n0, n1);
  }
};

template <UncoupledVectorSystem System>
using EmsReduced = VectorMidpoint<System, EmsReducedRule>;

}  // namespace livens::inline LIVENS_ISA
