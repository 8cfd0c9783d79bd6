#pragma once
// The Livens scheme (livens.hpp) with the fewest unknowns, for unit vectors in space under their weights, so
// that every discrete gradient is DV.

#include "kernels/forms/spheres/sphere_form.hpp"
#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

struct LivensSphereRule {
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }
  static constexpr bool at_stage = false;
  static constexpr Slip slip = Slip::none;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return livens_multipliers(system, h, n0, n1);
  }
};

template <SphereSystem System>
using LivensSphere = SphereForm<System, LivensSphereRule>;

}  // namespace livens::inline LIVENS_ISA
