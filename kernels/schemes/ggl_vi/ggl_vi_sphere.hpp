#pragma once
// The GGL variational integrator (ggl_vi.hpp) with the fewest unknowns, for unit vectors in space under their
// weights whose inertias couple them.

#include "kernels/schemes/ggl_vi/ggl_vi.hpp"
#include "kernels/schemes/shared/variational_sphere.hpp"

namespace livens::inline LIVENS_ISA {

struct GglViSphereRule {
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }
  static constexpr bool kick_first = true;
};

template <SphereSystem System>
using GglViSphere = VariationalSphere<System, GglViSphereRule>;

}  // namespace livens::inline LIVENS_ISA
