#pragma once
// RATTLE, Andersen 1983; equations/holonomic.md, section 9.
//   (a) p_m = p0 - h/2 [DV(q0) + C v_m + G(q0)^T lambda],   q1 = q0 + h v_m,   v_m = M^-1 p_m
//   (b) g(q1) = 0
//   (c) p1 = p_m - h/2 [DV(q1) + C v_m + G(q1)^T mu],   G(q1) M^-1 p1 = 0
// Order 2, its own adjoint with damping too, without it symplectic. gamma is stored as mu. (a), (b):
// full_form.hpp without a velocity level, everything at q0; (c) is one linear solve.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct RattleDescription {
  static constexpr SchemeInfo info = {.name = "rattle",
                                      .meaning = "RATTLE, the velocity form of SHAKE",
                                      .paper = "Andersen 1983",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 2,
                                      .runs_on = on_unloaded,
                                      .composable = to_any_order,
                                      .without_clones = true,
                                      .no_impacts = nullptr};
};

/// The end of (c): tau p1 and mu from q1 and what tau p1 would be without mu.
template <class System, class Carried, class Scalar = typename System::Scalar>
LIVENS_HD void make_tangential(const System& system, const TimeUnit<Scalar>& unit,
                               const Vec<Scalar, System::coordinates>& q1,
                               const Vec<Scalar, System::coordinates>& tau_p, Carried& next) {
  const auto G1 = system.constraint_jacobian(q1);
  const auto normal = constraint_multiplier(system, G1, system.inertia.solve(tau_p));  // tau h/2 mu
  next.tau_p = tau_p - transpose_times<System>(G1, normal);
  set_part<System::constraints>(next.multipliers, (Scalar(2.0) * unit.per_tau * unit.per_h) * normal);
}

/// Its multipliers have a closed form: those of unit vectors that stand for the coordinates, or turn in the
/// plane, and that their inertias do not couple.
template <class System>
concept ClosedRattleSystem = ClosedVectorSystem<System> ||
    (TurningSystem<System> && !System::Vectors::Inertia::coupled && System::Vectors::frames == 0);

/// Damped: with C. A system that has none is compiled without.
template <bool Damped>
struct RattleRule {
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }
  static constexpr bool velocity_level = false, has_gamma = true, curvature = false, kinematic_mass = true,
                        damped = Damped, own_velocity = false;
  static constexpr Force force = Force::gradient;
  static constexpr Place force_at = Place::start, multiplier_at = Place::start, position_at = Place::end,
                         velocity_at = Place::end;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings&) {
    return {Scalar(0.5), Scalar(1.0), Scalar(1.0)};
  }
  /// (c).
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried&, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    const auto& system = problem.system();
    const auto& unit = problem.unit();
    auto tau_p = fnma(Scalar(0.5) * unit.tau * unit.h, system.gradient(next.q),
                      system.inertia.times(unit.per_step * x.b));
    if constexpr (damped) tau_p = fnma(Scalar(0.5) * unit.tau, viscous_force(system, x.b), tau_p);
    make_tangential(system, unit, next.q, tau_p, next);
  }
};

template <HolonomicSystem System>
requires UnloadedSystem<System>
using Rattle = FullForm<System, RattleRule<System::damped>>;

/// lambda and mu of the step n0 -> n1 from (a) and (c).
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> rattle_multipliers(const System& system, const Scalar& h,
                                                                      const NodeState<Scalar, D>& n0,
                                                                      const NodeState<Scalar, D>& n1) {
  const Scalar half_h = Scalar(0.5) * h, per_h = Scalar(1.0) / h;
  const Vec<Scalar, D> v_m = per_h * (n1.q - n0.q);
  const Vec<Scalar, D> momentum = system.inertia.times(v_m), drag = viscous_force(system, v_m);
  const auto multiplier = [&](const Vec<Scalar, D>& q, const Vec<Scalar, D>& normal) {
    const Vec<Scalar, D> impulse = fnma(half_h, system.gradient(q) + drag, normal);
    return (Scalar(2.0) * per_h) *
           constraint_multiplier(system, system.constraint_jacobian(q), system.inertia.solve(impulse));
  };
  return {multiplier(n0.q, n0.p - momentum), multiplier(n1.q, momentum - n1.p)};
}

}  // namespace livens::inline LIVENS_ISA
