#pragma once
// The removal of what rounding leaves of |u|^2 - 1 and d_i.d_j after a step; measured with two-product dots.

#include "kernels/math/exact.hpp"
#include "kernels/newton/scheme.hpp"
#include "kernels/systems/shared/vector_null_space.hpp"

namespace livens::inline LIVENS_ISA {

/// Block B, a unit vector of the given dimension.
template <int B, int Dimension, class Scalar, int N>
LIVENS_HD void restore_length(Vec<Scalar, N>& z) {
  const auto u = block<B, Dimension>(z);
  set_block<B>(z, fma(Scalar(-0.5) * accurate_dot(u, u, Scalar(-1.0)), u, u));
}
/// Blocks B, B + 1, B + 2, a frame: D - D (D^T D - I)/2.
template <int B, class Scalar, int N>
LIVENS_HD void restore_frame(Vec<Scalar, N>& z) {
  const Vec3<Scalar> d1 = block<B>(z), d2 = block<B + 1>(z), d3 = block<B + 2>(z);
  const Scalar half = Scalar(-0.5), o = Scalar(0.0), one = Scalar(-1.0);
  const Scalar s1 = half * accurate_dot(d1, d1, one), s2 = half * accurate_dot(d2, d2, one),
               s3 = half * accurate_dot(d3, d3, one);
  const Scalar c12 = half * accurate_dot(d1, d2, o), c13 = half * accurate_dot(d1, d3, o),
               c23 = half * accurate_dot(d2, d3, o);
  set_block<B>(z, d1 + fma(s1, d1, fma(c12, d2, c13 * d3)));
  set_block<B + 1>(z, d2 + fma(c12, d1, fma(s2, d2, c23 * d3)));
  set_block<B + 2>(z, d3 + fma(c13, d1, fma(c23, d2, s3 * d3)));
}
/// Every unit vector and frame of a vector form.
template <class Form, class Scalar, int N>
LIVENS_HD void restore_vectors(Vec<Scalar, N>& z) {
  unroll<Form::unit>([&](auto u) { restore_length<Form::first_unit + u.value, Form::dimension>(z); });
  unroll<Form::frames>([&](auto f) { restore_frame<Form::first_frame + 3 * f.value>(z); });
}

}  // namespace livens::inline LIVENS_ISA
