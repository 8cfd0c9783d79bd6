#pragma once
// The GGL energy-momentum scheme (ems.hpp) with the fewest unknowns, for unit vectors in space under their
// weights.

#include "kernels/forms/spheres/sphere_form.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

struct EmsSphereRule {
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }
  static constexpr bool at_stage = false;
  static constexpr Slip slip = Slip::coupled;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return ems_multipliers(system, h, n0, n1);
  }
};

template <SphereSystem System>
using EmsSphere = SphereForm<System, EmsSphereRule>;

}  // namespace livens::inline LIVENS_ISA
