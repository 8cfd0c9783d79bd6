#pragma once
// One-stage GGL variational integrator VI-B, ggl-structure-preserving-integrators (14)-(16), (18)-(20);
// equations/holonomic.md, section 2. With F = -DV(q_a) - W(gamma) v - C Dq/h, Dq = q1 - q0 and
// q_a = q0 + alpha Dq:
//   (a) q1 = q0 + h v + h M^-1 G(q_a)^T gamma
//   (b) M v = p0 + (1 - alpha) h F - (1 - theta) h G(q0)^T lambda
//   (c) p1 = M v + alpha h F - theta h G(q1)^T lambda
//   (d) g(q1) = 0
//   (e) G(q_a) v = 0
// alpha = 1, theta = 0: order 1, both constraints exact at the nodes, the velocity's in terms of v; p carries
// a normal part. The energy is H(q, p), which stays closer to its start than T(q, v) + V (on the top by
// 1700). (q, v, gamma) do not depend on theta, which from 1/2 on makes lambda oscillate or explode. alpha =
// 1/2 is of order 2 with gamma = 0. Full form: full_form.hpp with y = h v, phi = 2 (1 - alpha), mu = 2 (1 -
// theta).

#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct ViBDescription {
  static constexpr NumberOption alpha = {
      {.name = "alpha",
       .place = 0,
       .meaning = "where in the step forces and the velocity constraint are taken",
       .standard = 1.0,
       .expected = "a number from 0 to 1",
       .accepts = [](double a) { return a >= 0.0 && a <= 1.0; }}};
  static constexpr NumberOption theta = {
      {.name = "theta",
       .place = 1,
       .meaning = "part of the constraint's impulse at the end of the step",
       .standard = 0.0,
       .expected = "a number from 0 to 1, 1 excluded",
       .accepts = [](double t) { return t >= 0.0 && t < 1.0; }}};
  static constexpr SchemeOption options[] = {alpha, theta};
  static constexpr SchemeInfo info = {
      .name = "vi_b",
      .meaning = "one-stage GGL variational integrator, constraints at the nodes",
      .paper = "ggl-structure-preserving-integrators, (14)-(16), (18)-(20)",
      .needs = "holonomic constraints and a constant regular mass matrix",
      .order = 1,
      .options = options,
      .runs_on = on_unloaded_quadratic,
      .composable = [](const Settings&, bool) -> Composable {
        return {0,
                "it is not its own adjoint: the constraint's impulse is that of the start of a step; ems and "
                "rattle are"};
      }};
};

/// Damped: with C. A system that has none is compiled without.
template <bool Damped>
struct ViBRule {
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }
  static constexpr bool velocity_level = true, has_gamma = true, curvature = true, kinematic_mass = true,
                        damped = Damped, own_velocity = true;
  static constexpr Force force = Force::gradient;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::start, position_at = Place::end,
                         velocity_at = Place::stage;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings& settings) {
    const double alpha = settings.value<ViBDescription::alpha>();
    const double theta = settings.value<ViBDescription::theta>();
    return {Scalar(alpha), Scalar(2.0 * (1.0 - alpha)), Scalar(2.0 * (1.0 - theta))};
  }
  /// (c).
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried&, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    using System = typename Problem::System;
    const Scalar per_step = problem.unit().per_step;
    const Scalar theta = fnma(Scalar(0.5), problem.weights().multiplier, Scalar(1.0));
    const auto normal = transpose_times<System>(problem.system().constraint_jacobian(next.q), x.lambda);
    next.v = (Scalar(1.0) / problem.unit().h) * x.a;
    next.tau_p = fnma(per_step, fma(problem.weights().alpha, problem.stage_forces(x), theta * normal),
                      problem.system().inertia.times(per_step * x.a));
  }
};

template <HolonomicSystem System>
requires QuadraticConstraints<System> && UnloadedSystem<System>
using ViB = FullForm<System, ViBRule<System::damped>>;

}  // namespace livens::inline LIVENS_ISA
