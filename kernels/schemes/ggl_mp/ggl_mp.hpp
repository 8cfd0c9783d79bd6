#pragma once
// The classical GGL formulation with the midpoint rule and constraints at the end of the step,
// ggl-structure-preserving-integrators (8); equations/holonomic.md, section 4.
//   (a) Dq = h M^-1 p_m + h G(q_m)^T gamma                        (no M^-1 before G^T gamma, as printed)
//   (b) Dp = -h DV(q_m) - h G(q_m)^T lambda - C Dq                (G^T lambda is missing in (8b))
//   (c) g(q1) = 0
//   (d) G(q1) M^-1 p1 = 0
// No W-term, and not symplectic; angular momentum drifts. Full form: full_form.hpp with y = h M^-1 p_m.

#include "kernels/schemes/shared/constraint_multiplier.hpp"
#include "kernels/schemes/shared/midpoint_rule.hpp"

namespace livens::inline LIVENS_ISA {

struct GglMpDescription {
  static constexpr SchemeInfo info = {.name = "ggl_mp",
                                      .meaning = "classical GGL formulation, midpoint rule",
                                      .paper = "ggl-structure-preserving-integrators, (8)",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 2,
                                      .runs_on = on_quadratic,
                                      .composable = to_any_order};
};

struct GglMpRule : MidpointRule {
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }
  static constexpr bool curvature = false, kinematic_mass = false;
  static constexpr Force force = Force::gradient;
};

template <HolonomicSystem System>
requires QuadraticConstraints<System>
using GglMp = FullForm<System, GglMpRule>;

}  // namespace livens::inline LIVENS_ISA
