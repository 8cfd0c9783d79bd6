#pragma once
// VI-A with alpha = 1/2 (vi_a.hpp) with the fewest unknowns, for unit vectors in space under their weights:
// u_m is on g = 0, the ends are not.

#include "kernels/forms/spheres/sphere_form.hpp"
#include "kernels/schemes/vi_a.hpp"

namespace livens::inline LIVENS_ISA {

struct ViASphereRule {
  static constexpr const SchemeInfo& info() { return ViADescription::info; }
  static constexpr bool at_stage = true;
  static constexpr Slip slip = Slip::coupled;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return vi_a_multipliers(system, h, n0, n1);
  }
};

template <SphereSystem System>
using ViASphere = SphereForm<System, ViASphereRule>;

}  // namespace livens::inline LIVENS_ISA
