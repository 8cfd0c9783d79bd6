#pragma once
// The spring of the papers, V = 1/2 k (|s|^2 - l^2)^2 (ggl-structure-preserving-integrators, section 5; no
// factor 1/4), with a viscous element beside it, and its discrete gradient through the invariant s.s.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// Potential and forces as functions of the vector s between the ends.
template <class Scalar>
struct Spring {
  Scalar stiffness;       ///< k, N/m^3
  Scalar length_squared;  ///< l^2, m^2
  Scalar viscosity;       ///< eta, N s/m

  /// |s|^2 - l^2.
  LIVENS_HD Scalar stretch(const Vec3<Scalar>& s) const { return dot(s, s) - length_squared; }
  LIVENS_HD Scalar potential(const Vec3<Scalar>& s) const {
    const Scalar e = stretch(s);
    return Scalar(0.5) * stiffness * e * e;
  }
  /// DV(s) = 2 k (|s|^2 - l^2) s.
  LIVENS_HD Vec3<Scalar> gradient(const Vec3<Scalar>& s) const {
    return (Scalar(2.0) * stiffness * stretch(s)) * s;
  }
  /// 2 k (|s|^2 - l^2) I + 4 k s (x) s.
  LIVENS_HD Mat<Scalar, 3, 3> hessian(const Vec3<Scalar>& s) const {
    return isotropic_plus_product(Scalar(2.0) * stiffness * stretch(s), (Scalar(4.0) * stiffness) * s, s);
  }
  /// Mean of the stretches at both ends of a step.
  LIVENS_HD Scalar mean_stretch(const Vec3<Scalar>& s0, const Vec3<Scalar>& s1) const {
    return fma(Scalar(0.5), dot(s0, s0) + dot(s1, s1), -length_squared);
  }
  /// Dbar V(s0, s1) = k ((|s0|^2 + |s1|^2)/2 - l^2) (s0 + s1): exact for energy, never 0/0.
  LIVENS_HD Vec3<Scalar> discrete_gradient(const Vec3<Scalar>& s0, const Vec3<Scalar>& s1) const {
    return (stiffness * mean_stretch(s0, s1)) * (s0 + s1);
  }
  /// Its derivative by s1: k sigma I + k (s0 + s1) (x) s1, sigma the mean stretch.
  LIVENS_HD Mat<Scalar, 3, 3> discrete_gradient_jacobian(const Vec3<Scalar>& s0,
                                                         const Vec3<Scalar>& s1) const {
    return isotropic_plus_product(stiffness * mean_stretch(s0, s1), stiffness * (s0 + s1), s1);
  }

 private:
  static LIVENS_HD Mat<Scalar, 3, 3> isotropic_plus_product(const Scalar& diagonal, const Vec3<Scalar>& a,
                                                            const Vec3<Scalar>& b) {
    Mat<Scalar, 3, 3> r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r(i, j) = i == j ? fma(a[i], b[j], diagonal) : a[i] * b[j];
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
