#pragma once
// The classical GGL formulation (ggl_mp.hpp) with the fewest unknowns, for unit vectors in space under their
// weights, of which each has coordinates of its own.

#include "kernels/forms/spheres/sphere_form.hpp"
#include "kernels/schemes/ggl_mp.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpSphereRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr bool at_stage = false;
  static constexpr Slip slip = Slip::own;
  template <class System, class Scalar, class Node>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const Node& n0, const Node& n1) {
    return ggl_mp_multipliers(system, h, n0, n1);
  }
};

template <SphereSystem System>
requires(!decltype(std::declval<const System&>().coordinate_metric())::coupled) using GglMpSphere =
    SphereForm<System, GglMpSphereRule>;

}  // namespace livens::inline LIVENS_ISA
