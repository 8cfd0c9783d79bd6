#pragma once
// The classical GGL formulation (ggl_mp.hpp) in local coordinates: see end_velocity.hpp. The metric S^T S of
// the coordinates q = S z + constant is what the system calls coordinate_metric().

#include "kernels/schemes/ggl_mp/ggl_mp.hpp"
#include "kernels/schemes/shared/end_velocity.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpNullspaceRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr bool at_stage = false;
  template <class System>
  using Equations = EndVelocityEquations<System, false>;
  /// gamma from Dq/h - M^-1 p_m = G_m^T gamma, lambda from the momentum balance.
  template <class System, class Scalar, int D>
  static LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const System& system, const Scalar& h,
                                                                        const NodeState<Scalar, D>& n0,
                                                                        const NodeState<Scalar, D>& n1) {
    const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h;
    const Vec<Scalar, D> v_m = per_h * (n1.q - n0.q), q_m = half * (n0.q + n1.q);
    const auto G = system.constraint_jacobian(q_m);
    const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - system.gradient(q_m) - viscous_force(system, v_m);
    return {constraint_multiplier(system, G, system.inertia.solve(force)),
            unweighted_multiplier<System>(G, v_m - half * (n0.v + n1.v))};
  }
};

template <TurningSystem System>
using GglMpNullspace = NullspaceForm<System, GglMpNullspaceRule>;

}  // namespace livens::inline LIVENS_ISA
