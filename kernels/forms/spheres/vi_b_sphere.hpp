#pragma once
// VI-B with alpha = 1, theta = 0 (vi_b.hpp) with the fewest unknowns, for unit vectors in space under their
// weights whose inertias couple them.

#include "kernels/forms/spheres/variational_sphere.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

struct ViBSphereRule {
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }
  static constexpr bool kick_first = false;
};

template <SphereSystem System>
using ViBSphere = VariationalSphere<System, ViBSphereRule>;

}  // namespace livens::inline LIVENS_ISA
