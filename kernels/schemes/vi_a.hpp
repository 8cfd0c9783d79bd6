#pragma once
// One-stage GGL variational integrator VI-A, ggl-structure-preserving-integrators (14)-(17);
// equations/holonomic.md, section 2. With F = -DV(q_a) - W(gamma) v and q_a = (1 - alpha) q0 + alpha q1:
//   (a) q1 = q0 + h v + h M^-1 G(q_a)^T gamma
//   (b) M v = p0 + (1 - alpha) h [F - G(q_a)^T lambda - C Dq/h]
//   (c) p1 = M v + alpha h [F - G(q_a)^T lambda - C Dq/h]
//   (d) g(q_a) = 0
//   (e) G(q_a) v = 0
// alpha = 1/2 is the implicit midpoint rule of H_GGL, symplectic and of order 2; for other alpha the
// constraint errors grow by (1 - alpha)/alpha or its reciprocal a step and the motion soon breaks down.
// Full form: full_form.hpp with y = h v, phi = mu = 2 (1 - alpha); (b) and (c) give p1 without F.

#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct ViADescription {
  static constexpr NumberOption alpha = {{.name = "alpha",
                                          .place = 0,
                                          .meaning = "where in the step forces and constraints are taken",
                                          .standard = 0.5,
                                          .expected = "a number between 0 and 1, both excluded",
                                          .accepts = [](double a) { return a > 0.0 && a < 1.0; }}};
  static constexpr SchemeOption options[] = {alpha};
  static constexpr SchemeInfo info = {
      .name = "vi_a",
      .meaning = "one-stage GGL variational integrator, constraints at the stage",
      .paper = "ggl-structure-preserving-integrators, (14)-(17)",
      .needs = "holonomic constraints and a constant regular mass matrix",
      .order = 2,
      .options = options,
      .runs_on = on_unloaded_quadratic,
      .composable = [](const Settings&, bool) -> Composable {
        return {
            0,
            "it keeps its constraints at the middle of a step: nodes are off them by O(h^2), with the other "
            "sign after each step, whatever is composed of them; ems and rattle are not"};
      },
      .no_impacts =
          "its nodes leave g(q) = 0, and so would a body that rests on a wall; ems, ggl_mp, rattle and "
          "livens take impacts"};
};

struct ViARule {
  static constexpr const SchemeInfo& info() { return ViADescription::info; }
  static constexpr bool velocity_level = true, has_gamma = true, curvature = true, kinematic_mass = true,
                        damped = true, own_velocity = false;
  static constexpr Force force = Force::gradient;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::stage, position_at = Place::stage,
                         velocity_at = Place::stage;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings& settings) {
    const double alpha = settings.value<ViADescription::alpha>(), phi = 2.0 * (1.0 - alpha);
    return {Scalar(alpha), Scalar(phi), Scalar(phi)};
  }
  /// p1 = p0 + (M v - p0)/(1 - alpha).
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried& now, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    const Scalar weight = Scalar(2.0) / problem.weights().force;
    const auto tau_Mv = problem.system().inertia.times(problem.unit().per_step * x.a);
    next.tau_p = fma(weight, tau_Mv, (Scalar(1.0) - weight) * now.tau_p);
  }
};

template <HolonomicSystem System>
requires QuadraticConstraints<System> && UnloadedSystem<System>
using ViA = FullForm<System, ViARule>;

/// For alpha = 1/2: gamma from Dq = h v + h M^-1 G_m^T gamma with M v = (p0 + p1)/2, lambda from the momentum
/// balance.
template <class System, class Scalar, int D>
LIVENS_HD Multipliers<Scalar, System::constraints> vi_a_multipliers(const System& system, const Scalar& h,
                                                                    const NodeState<Scalar, D>& n0,
                                                                    const NodeState<Scalar, D>& n1) {
  const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h;
  const Vec<Scalar, D> u = per_h * (n1.q - n0.q), v = half * (n0.v + n1.v), q_m = half * (n0.q + n1.q);
  const auto G = system.constraint_jacobian(q_m);
  Multipliers<Scalar, System::constraints> r;
  r.gamma = constraint_multiplier(system, G, u - v);
  const Vec<Scalar, D> force = per_h * (n0.p - n1.p) - system.gradient(q_m) - viscous_force(system, u) -
                               weighted_curvature_times(system, r.gamma, v);
  r.lambda = constraint_multiplier(system, G, system.inertia.solve(force));
  return r;
}

}  // namespace livens::inline LIVENS_ISA
