#pragma once
// A step of a unit vector in closed form, and its multipliers: (b) and (c) of ggl_vi_reduced.hpp, which vi_b
// takes as well (vi_b_reduced.hpp). equations/reduced.md, section 2.

#include "kernels/schemes/shared/vector_motion.hpp"

namespace livens::inline LIVENS_ISA {

/// (b) of ggl_vi_reduced.hpp for one unit vector of inertia I: from u0 and h n.
template <class Scalar>
struct ClosedUnitStep {
  Vec3<Scalar> hv, u1;
  Scalar l, stretch;      ///< stretch: |ub|
  Mask<Scalar> solvable;  ///< false where there is no real root

  LIVENS_HD ClosedUnitStep(const Vec3<Scalar>& u0, const Vec3<Scalar>& hn) : solvable(true) {
    const Scalar hnu = dot(hn, u0), squared = dot(u0, u0);
    const Scalar half_b = fma(Scalar(0.5), squared, hnu);
    const Scalar c = hnu + dot(hn, hn);
    const Scalar discriminant = fnma(squared, c, half_b * half_b);
    solvable = discriminant >= Scalar(0.0);
    l = c / (half_b + sqrt(discriminant));
    hv = fnma(l, u0, hn);
    const Vec3<Scalar> ub = u0 + hv;
    stretch = sqrt(dot(ub, ub));
    u1 = (Scalar(1.0) / stretch) * ub;
  }
};

/// (I/h)/s of unit vector B.
template <int B, class Form, class Scalar>
LIVENS_HD Scalar unit_multiplier(const Form& form, const Scalar& h) {
  return form.inertia.value[B] / form.constraint_scale[B] / h;
}

/// lambda of every unit vector, and |ub|, from the step at z0 with h n solved again.
template <class Form, class Flat, class Scalar>
LIVENS_HD void closed_multipliers(const Form& form, const Flat& z0, const Flat& hn, const Scalar& h,
                                  Vec<Scalar, Form::unit>& lambda, Vec<Scalar, Form::unit>& stretch) {
  unroll<Form::unit>([&](auto u) {
    constexpr int b = Form::first_unit + u.value;
    const ClosedUnitStep<Scalar> step(block<b>(z0), block<b>(hn));
    lambda[u] = unit_multiplier<b>(form, h) * step.l / h;
    stretch[u] = step.stretch;
  });
}

}  // namespace livens::inline LIVENS_ISA
