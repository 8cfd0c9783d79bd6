#pragma once
// A step of a unit vector in closed form, and its multipliers: (b) and (c) of ggl_vi_reduced.hpp, which vi_b
// takes as well (vi_b_reduced.hpp). equations/reduced.md, section 2.

#include "kernels/schemes/shared/vector_motion.hpp"

namespace livens::inline LIVENS_ISA {

/// (b) of ggl_vi_reduced.hpp for one unit vector of inertia I: from u0 and h n.
template <class Scalar, int Dimension>
struct ClosedUnitStep {
  using Vector = Vec<Scalar, Dimension>;
  Vector hv, u1;
  Vector gain;            ///< |ub| h v - h n, what the step adds to h p/I
  Scalar l, excess;       ///< excess: |ub| - 1
  Scalar shortage;        ///< 1/|ub| - 1
  Mask<Scalar> solvable;  ///< false where there is no real root

  LIVENS_HD ClosedUnitStep(const Vector& u0, const Vector& hn) : solvable(true) {
    const Scalar hnu = dot(hn, u0), near = dot_near(u0, u0, Scalar(-1.0)), squared = Scalar(1.0) + near;
    const Scalar half_b = fma(Scalar(0.5), squared, hnu);
    const Scalar c = hnu + dot(hn, hn);
    const Scalar discriminant = fnma(squared, c, half_b * half_b);
    solvable = discriminant >= Scalar(0.0);
    l = c / (half_b + sqrt(discriminant));
    hv = fnma(l, u0, hn);
    const Vector ub = u0 + hv;
    // By increments: in steady motion |ub| is the same in every step, and what rounds it would add up.
    const Scalar beyond = fma(Scalar(2.0), dot(u0, hv), dot(hv, hv)) + near;
    const Scalar length = sqrt(Scalar(1.0) + beyond);
    const Scalar share = beyond / fma(length, length, length);
    excess = length * share;
    shortage = -share;
    u1 = u0 + fma(shortage, ub, hv);
    gain = fnma(l, u0, excess * hv);
  }
};

/// (I/h)/s of unit vector B.
template <int B, class Form, class Scalar>
LIVENS_HD Scalar unit_multiplier(const Form& form, const Scalar& h) {
  return form.inertia.value[B] / form.constraint_scale[B] / h;
}

/// lambda of every unit vector from the step at z0 with h n solved again; each(u, step) for each of them.
template <class Form, class Flat, class Scalar, class Each>
LIVENS_HD void closed_multipliers(const Form& form, const Flat& z0, const Flat& hn, const Scalar& h,
                                  Vec<Scalar, Form::unit>& lambda, Each&& each) {
  unroll<Form::unit>([&](auto u) {
    constexpr int b = Form::first_unit + u.value;
    const ClosedUnitStep<Scalar, Form::dimension> step(Form::template at<b>(z0), Form::template at<b>(hn));
    lambda[u] = unit_multiplier<b>(form, h) * step.l / h;
    each(u, step);
  });
}

}  // namespace livens::inline LIVENS_ISA
