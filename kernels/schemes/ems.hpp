#pragma once
// GGL energy-momentum scheme (EMS), ggl-structure-preserving-integrators (21)-(24); equations/holonomic.md,
// section 3.
//   (a) Dq = h M^-1 p_m + h M^-1 G(q_m)^T gamma
//   (b) Dp = -h DbarV(q0, q1) - h G(q_m)^T lambda - h W(gamma) M^-1 p_m - C Dq
//   (c) g(q1) = 0
//   (d) G(q1) M^-1 p1 = 0,      p_m = (p0 + p1)/2, q_m = (q0 + q1)/2, Dq = q1 - q0, and C the viscous damping
//   (section 10)
// In the full form (full_form.hpp) y = h M^-1 p_m, so that p1 = 2 M y/h - p0.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/midpoint_rule.hpp"

namespace livens::inline LIVENS_ISA {

struct EmsDescription {
  static constexpr SchemeInfo info = {.name = "ems",
                                      .meaning = "GGL energy-momentum scheme, exact energy and momentum",
                                      .paper = "ggl-structure-preserving-integrators, (21)-(24)",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 2,
                                      .runs_on = on_quadratic,
                                      .composable = to_any_order,
                                      .exact_energy = true,
                                      .no_impacts = nullptr};
};

struct EmsRule : MidpointRule {
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }
  static constexpr bool curvature = true, kinematic_mass = true;
  static constexpr Force force = Force::equivariant;
};

template <HolonomicSystem System>
requires QuadraticConstraints<System>
using Ems = FullForm<System, EmsRule>;

/// lambda, gamma of the step n0 -> n1 from (a) and (b), by their components along M^-1 G(q_m)^T.
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> ems_multipliers(const System& system, const Scalar& h,
                                                                   const NodeState<Scalar, D>& n0,
                                                                   const NodeState<Scalar, D>& n1) {
  const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h;
  const Vec<Scalar, D> v_m = per_h * (n1.q - n0.q);
  const auto G = system.constraint_jacobian(half * (n0.q + n1.q));
  const Vec<Scalar, D> velocity = system.inertia.solve(half * (n0.p + n1.p));
  Multipliers<Scalar, System::constraints> r;
  r.gamma = constraint_multiplier(system, G, v_m - velocity);
  const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - discrete_force(system, n0.q, n1.q) -
                               viscous_force(system, v_m) -
                               weighted_curvature_times(system, r.gamma, velocity);
  r.lambda = constraint_multiplier(system, G, system.inertia.solve(force));
  return r;
}

}  // namespace livens::inline LIVENS_ISA
