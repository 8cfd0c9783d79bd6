#pragma once
// The GGL variational integrator (ggl_vi.hpp) with the fewest unknowns, for unit vectors in space under their
// weights whose inertias couple them.

#include "kernels/forms/spheres/variational_sphere.hpp"
#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

struct GglViSphereRule {
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }
  static constexpr bool kick_first = true;
};

template <SphereSystem System>
using GglViSphere = VariationalSphere<System, GglViSphereRule>;

}  // namespace livens::inline LIVENS_ISA
