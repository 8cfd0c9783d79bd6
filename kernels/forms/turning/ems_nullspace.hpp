#pragma once
// The GGL energy-momentum scheme (ems.hpp) in local coordinates: equations (a)-(c) of end_velocity.hpp with F
// the discrete gradient; ems_reduced.hpp does vectors in space, ems_frame.hpp a single frame.

#include "kernels/forms/turning/end_velocity.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

struct EmsNullspaceRule {
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }
  static constexpr bool at_stage = false, tangential_end = true;
  template <class System>
  using Equations = EndVelocityEquations<System, true>;
  template <class System, class Scalar, int D>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const NodeState<Scalar, D>& n0,
                                    const NodeState<Scalar, D>& n1) {
    return ems_multipliers(system, h, n0, n1);
  }
};

template <TurningSystem System>
requires(!FrameSystem<System>) using EmsNullspace = NullspaceForm<System, EmsNullspaceRule>;

}  // namespace livens::inline LIVENS_ISA
