#pragma once
// The classical GGL formulation with the midpoint rule and constraints at the end of the step,
// ggl-structure-preserving-integrators (8); equations/holonomic.md, section 4.
//   (a) Dq = h M^-1 p_m + h G(q_m)^T gamma                        (no M^-1 before G^T gamma, as printed)
//   (b) Dp = -h DV(q_m) - h G(q_m)^T lambda - C Dq                (G^T lambda is missing in (8b))
//   (c) g(q1) = 0
//   (d) G(q1) M^-1 p1 = 0
// No W-term, and not symplectic; angular momentum drifts. Full form: full_form.hpp with y = h M^-1 p_m.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/midpoint_rule.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpDescription {
  static constexpr SchemeInfo info = {.name = "ggl_mp",
                                      .meaning = "classical GGL formulation, midpoint rule",
                                      .paper = "ggl-structure-preserving-integrators, (8)",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 2,
                                      .runs_on = on_quadratic,
                                      .composable = to_any_order,
                                      .no_impacts = nullptr};
};

struct GglMpRule : MidpointRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr bool curvature = false, kinematic_mass = false;
  static constexpr Force force = Force::gradient;
};

template <HolonomicSystem System>
requires QuadraticConstraints<System>
using GglMp = FullForm<System, GglMpRule>;

/// gamma from Dq/h - M^-1 p_m = G_m^T gamma, lambda from the momentum balance.
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> ggl_mp_multipliers(const System& system, const Scalar& h,
                                                                      const NodeState<Scalar, D>& n0,
                                                                      const NodeState<Scalar, D>& n1) {
  const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h;
  const Vec<Scalar, D> v_m = per_h * (n1.q - n0.q), q_m = half * (n0.q + n1.q);
  const auto G = system.constraint_jacobian(q_m);
  const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - system.gradient(q_m) - viscous_force(system, v_m);
  return {constraint_multiplier(system, G, system.inertia.solve(force)),
          unweighted_multiplier<System>(G, v_m - half * (n0.v + n1.v))};
}

}  // namespace livens::inline LIVENS_ISA
