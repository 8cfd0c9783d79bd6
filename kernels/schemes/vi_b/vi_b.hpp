#pragma once
// One-stage GGL variational integrator VI-B, ggl-structure-preserving-integrators (14)-(16), (18)-(20);
// equations/holonomic.md, section 2. With F = -DV(q_a) - W(gamma) v and q_a = (1 - alpha) q0 + alpha q1:
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

#include "kernels/schemes/shared/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct ViBDescription {
  static constexpr SchemeOption options[] = {
      {"alpha", "a number from 0 to 1", &Settings::alpha, 1.0, [](double a) { return a >= 0.0 && a <= 1.0; }},
      {"theta", "a number from 0 to 1, 1 excluded", &Settings::theta, 0.0,
       [](double t) { return t >= 0.0 && t < 1.0; }}};
  static constexpr SchemeInfo info = {"vi_b",
                                      "one-stage GGL variational integrator, constraints at the nodes",
                                      "ggl-structure-preserving-integrators, (14)-(16), (18)-(20)",
                                      "holonomic constraints and a constant regular mass matrix",
                                      1,
                                      options};
};

struct ViBRule {
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }
  static constexpr bool velocity_level = true, has_gamma = true, curvature = true, kinematic_mass = true,
                        damped = false, own_velocity = true;
  static constexpr Force force = Force::gradient;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::start, position_at = Place::end,
                         velocity_at = Place::stage;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings& settings) {
    return {Scalar(settings.alpha), Scalar(2.0 * (1.0 - settings.alpha)),
            Scalar(2.0 * (1.0 - settings.theta))};
  }
  /// (c).
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried&, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    using System = typename Problem::System;
    const Scalar per_h = Scalar(1.0) / problem.step();
    const Scalar theta = fnma(Scalar(0.5), problem.weights().multiplier, Scalar(1.0));
    const auto normal = transpose_times<System>(problem.system().constraint_jacobian(x.b), x.lambda);
    next.v = per_h * x.a;
    next.p = fnma(per_h, fma(problem.weights().alpha, problem.stage_forces(x), theta * normal),
                  problem.system().inertia.times(next.v));
  }
};

template <HolonomicSystem System>
using ViB = FullForm<System, ViBRule>;

}  // namespace livens::inline LIVENS_ISA
