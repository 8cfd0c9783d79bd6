#pragma once
// The implicit midpoint rule with the constraints at the end of the step: neither symplectic nor
// energy-conserving where there are constraints or the potential is not quadratic. With q_m = (q0 + q1)/2 and
// Dq = q1 - q0:
//   (a) Dq = h (v0 + v1)/2,   p = M v
//   (b) Dp = -h DV(q_m) - h G(q_m)^T lambda - C Dq
//   (c) g(q1) = 0
// Full form: full_form.hpp without a velocity level, p1 = 2 M Dq/h - p0.

#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

struct MidpointDescription {
  static constexpr SchemeInfo info = {.name = "midpoint",
                                      .meaning = "implicit midpoint rule, constraints at the end of the step",
                                      .paper = "an example of a scheme from outside",
                                      .needs = "holonomic constraints and a constant regular mass matrix",
                                      .order = 2,
                                      .runs_on = on_holonomic};
};

/// As livens, but for the force (b).
struct PlainMidpointRule : LivensRule {
  static constexpr const SchemeInfo& info() { return MidpointDescription::info; }
  static constexpr Force force = Force::gradient;
};

template <HolonomicSystem System>
using Midpoint = FullForm<System, PlainMidpointRule>;

}  // namespace livens::inline LIVENS_ISA
