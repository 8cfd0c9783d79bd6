#pragma once
// Livens energy-consistent scheme, livens-energy-consistent (28), (30); equations/holonomic.md, section 5,
// for a constant regular mass matrix:
//   (a) Dq = h (v0 + v1)/2,   p1 = M v1
//   (b) Dp = -h Dbar V(q0, q1) - h G(q_m)^T lambda - C Dq
//   (c) g(q1) = 0
// Dbar V is Gonzalez' discrete gradient, or the one through invariants, which conserves momentum maps too.
// No velocity constraint: G v vanishes at the midpoint. Full form: full_form.hpp without a velocity level,
// p1 = 2 M Dq/h - p0.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct LivensDescription {
  enum class Derivative { plain, invariants };
  static constexpr const char* derivatives[] = {"plain", "invariants"};
  static constexpr WordOption<Derivative> derivative = {
      {.name = "derivative",
       .place = 0,
       .meaning = "the discrete gradient: Gonzalez' on R^d, or through the system's invariants",
       .standard = static_cast<double>(Derivative::invariants),
       .words = derivatives}};
  static constexpr SchemeOption options[] = {derivative};
  /// p, and where M is not constant v, are twice a mean less that of the node before: what is off changes its
  /// sign with each step, and does not become less than O(h^2).
  static constexpr Composable composable(const Settings&, bool regular_mass) {
    if (regular_mass)
      return {4,
              "the momenta of its steps are off their tangents by O(h^2), which limits q to order 4; ems has "
              "any order"};
    return {0,
            "velocities and momenta of its steps are off each other by O(h^2) where M has no inverse or "
            "depends on q, which no composition mends"};
  }
  static constexpr SchemeInfo info = {.name = "livens",
                                      .meaning = "Livens energy-consistent scheme",
                                      .paper = "livens-energy-consistent, (28)-(30)",
                                      .needs = "holonomic constraints",
                                      .order = 2,
                                      .options = options,
                                      .runs_on = on_any_mass,
                                      .composable = composable,
                                      .exact_energy = true,
                                      .no_impacts = nullptr};

  static constexpr bool plain(const Settings& settings) {
    return settings.value<derivative>() == Derivative::plain;
  }
};

struct LivensRule {
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }
  static constexpr bool velocity_level = false, has_gamma = false, curvature = false, kinematic_mass = true,
                        damped = true, own_velocity = false;
  static constexpr Force force = Force::chosen;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::stage, position_at = Place::end,
                         velocity_at = Place::end;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings& settings) {
    return {Scalar(0.5), Scalar(1.0), Scalar(1.0), LivensDescription::plain(settings)};
  }
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried& now, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    next.tau_p = problem.system().inertia.times((Scalar(2.0) * problem.unit().per_step) * x.b) - now.tau_p;
  }
};

template <HolonomicSystem System>
requires QuadraticConstraints<System>
using Livens = FullForm<System, LivensRule>;

/// lambda of the step n0 -> n1 from (b), with Dbar V through invariants; the scheme has no gamma.
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> livens_multipliers(const System& system, const Scalar& h,
                                                                      const NodeState<Scalar, D>& n0,
                                                                      const NodeState<Scalar, D>& n1) {
  const Scalar per_h = Scalar(1.0) / h;
  const auto G = system.constraint_jacobian(Scalar(0.5) * (n0.q + n1.q));
  const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - discrete_force(system, n0.q, n1.q) -
                               viscous_force(system, per_h * (n1.q - n0.q));
  return {constraint_multiplier(system, G, system.inertia.solve(force)),
          not_a_number_vector<Scalar, System::constraints>()};
}

}  // namespace livens::inline LIVENS_ISA
