#pragma once
// The classical GGL formulation (ggl_mp.hpp) with the fewest unknowns, for uncoupled vectors in space.

#include "kernels/forms/vectors/vector_midpoint.hpp"
#include "kernels/schemes/ggl_mp.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpReducedRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr VectorScheme scheme = VectorScheme::ggl_mp;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return ggl_mp_multipliers(system, h, n0, n1);
  }
};

template <UncoupledVectorSystem System>
requires(requires(const System& system) {
  system.coordinate_slip();
}) using GglMpReduced = VectorMidpoint<System, GglMpReducedRule>;

}  // namespace livens::inline LIVENS_ISA
