#pragma once
// The midpoint rule with constraints at the end of the step, as a rule of the full form: what the schemes
// have in common whose y is h M^-1 p_m, so that p1 = 2 M y/h - p0 (equations/holonomic.md, sections 3 and 4).

#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

struct MidpointRule {
  static constexpr bool velocity_level = true, has_gamma = true, damped = true, own_velocity = false;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::stage, position_at = Place::end,
                         velocity_at = Place::end;
  template <class Scalar>
  static LIVENS_HD StageWeights<Scalar> weights(const Settings&) {
    return {Scalar(0.5), Scalar(1.0), Scalar(1.0)};
  }
  template <class Problem, class Carried, class Unpacked>
  static LIVENS_HD void finish(const Problem& problem, const Carried& now, const Unpacked& x, Carried& next) {
    using Scalar = typename Problem::Scalar;
    next.tau_p = problem.system().inertia.times((Scalar(2.0) * problem.unit().per_step) * x.a) - now.tau_p;
  }
};

}  // namespace livens::inline LIVENS_ISA
