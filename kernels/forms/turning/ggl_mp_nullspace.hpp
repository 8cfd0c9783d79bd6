#pragma once
// The classical GGL formulation (ggl_mp.hpp) in local coordinates: see end_velocity.hpp. The metric S^T S of
// the coordinates q = S z + constant is what the system calls coordinate_metric().

#include "kernels/forms/turning/end_velocity.hpp"
#include "kernels/schemes/ggl_mp.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpNullspaceRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr bool at_stage = false, tangential_end = true;
  template <class System>
  using Equations = EndVelocityEquations<System, false>;
  template <class System, class Scalar, int D>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const NodeState<Scalar, D>& n0,
                                    const NodeState<Scalar, D>& n1) {
    return ggl_mp_multipliers(system, h, n0, n1);
  }
};

template <TurningSystem System>
using GglMpNullspace = NullspaceForm<System, GglMpNullspaceRule>;

}  // namespace livens::inline LIVENS_ISA
