#pragma once
// A step of a unit vector in closed form, and its multipliers: (b) and (c) of ggl_vi_reduced.hpp, which vi_b
// takes as well (vi_b_reduced.hpp). equations/reduced.md, section 2.

#include "kernels/forms/vectors/vector_motion.hpp"

// A call on a processor: the step of two vectors in one function would take the registers from each other.
#if defined(__CUDACC__)
#define LIVENS_UNIT_STEP LIVENS_HD
#else
#define LIVENS_UNIT_STEP LIVENS_HD_COLD
#endif

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
    const Scalar hnu = dot(hn, u0), hnn = dot(hn, hn);
    const Scalar discriminant = fma(hnu, hnu, Scalar(0.25)) - hnn;
    solvable = discriminant >= Scalar(0.0);
    // But for rounding |ub|^2, and what l divides by: one division for 1/|ub| and l.
    const Scalar square = Scalar(0.5) + sqrt(discriminant), divisor = square + hnu;
    const Scalar length = sqrt(square), reciprocal = Scalar(1.0) / (square * divisor);
    l = (hnu + hnn) * (reciprocal * square);
    const Scalar per_length = length * (reciprocal * divisor);
    // By increments: in steady motion |ub| is the same in every step, and what rounds it would add up;
    // l - h n.u0 is |h v|^2.
    const Scalar beyond = dot_near(u0, u0, Scalar(-1.0)) - (l - hnu), first = length - Scalar(1.0);
    excess = fma(Scalar(0.5) * per_length, beyond - fma(first, first, first + first), first);
    shortage = -(excess * per_length);
    hv = fnma(l, u0, hn);
    u1 = u0 + fma(shortage, u0 + hv, hv);
    gain = fnma(l, u0, excess * hv);
  }
};

template <class Scalar, int Dimension>
LIVENS_UNIT_STEP ClosedUnitStep<Scalar, Dimension> unit_step_apart(const Vec<Scalar, Dimension>& u0,
                                                                   const Vec<Scalar, Dimension>& hn) {
  return {u0, hn};
}
#undef LIVENS_UNIT_STEP

/// The step of one of the vectors of a form.
template <class Form, class Vector>
LIVENS_HD ClosedUnitStep<typename Form::Scalar, Form::dimension> closed_unit_step(const Vector& u0,
                                                                                  const Vector& hn) {
  if constexpr (Form::unit > 1)
    return unit_step_apart(u0, hn);
  else
    return {u0, hn};
}

/// (I/h)/s of unit vector B.
template <int B, class Form, class Scalar>
LIVENS_HD Scalar unit_multiplier(const Form& form, const Scalar& h) {
  return form.inertia.value[B] / form.constraint_scale[B] / h;
}

/// lambda of every unit vector from the step at z0 solved again, moves(vector) being its h n; each(u, step)
/// for each of them.
template <class Form, class Flat, class Moves, class Scalar, class Each>
LIVENS_HD void closed_multipliers(const Form& form, const Flat& z0, Moves&& moves, const Scalar& h,
                                  Vec<Scalar, Form::unit>& lambda, Each&& each) {
  unroll<Form::unit>([&](auto u) {
    constexpr int b = Form::first_unit + u.value;
    const auto hn = moves(std::integral_constant<int, b>{});
    const auto step = closed_unit_step<Form>(Form::template at<b>(z0), hn);
    lambda[u] = unit_multiplier<b>(form, h) * step.l / h;
    each(u, step);
  });
}

}  // namespace livens::inline LIVENS_ISA
