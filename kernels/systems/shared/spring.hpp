#pragma once
// Springs between two ends, V = f(sigma) with sigma = |s|^2 of the vector s from end to end, each with a viscous element
// beside it. A law is f with its slope f' and curvature f'', and its difference quotient
//   Dbar f(sigma0, sigma1) = (f(sigma1) - f(sigma0))/(sigma1 - sigma0),  Dbar f(sigma, sigma) = f'(sigma),
// in closed form, with the mean curvature 2 d Dbar f/d sigma1. Through the invariant sigma the discrete gradient of V is
// Dbar f (s0 + s1).

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

template <class Law>
struct Spring {
  using Scalar = typename Law::Scalar;
  using Vector = Vec3<Scalar>;

  Law law;
  Scalar viscosity;  ///< eta, N s/m

  LIVENS_HD Scalar potential(const Vector& s) const { return law.energy(dot(s, s)); }
  /// f' at the square of s.
  LIVENS_HD Scalar slope(const Vector& s) const { return law.slope(dot(s, s)); }
  /// f'' there.
  LIVENS_HD Scalar curvature(const Vector& s) const { return law.curvature(dot(s, s)); }
  /// Dbar f between the squares of s0 and s1.
  LIVENS_HD Scalar mean_slope(const Vector& s0, const Vector& s1) const {
    return law.quotient(dot(s0, s0), dot(s1, s1));
  }
  /// Twice its derivative by sigma1.
  LIVENS_HD Scalar mean_curvature(const Vector& s0, const Vector& s1) const {
    return law.mean_curvature(dot(s0, s0), dot(s1, s1));
  }
  /// DV(s) = 2 f' s.
  LIVENS_HD Vector gradient(const Vector& s) const { return (Scalar(2.0) * slope(s)) * s; }
  /// 2 f' I + 4 f'' s (x) s.
  LIVENS_HD Mat<Scalar, 3, 3> hessian(const Vector& s) const {
    return isotropic_plus_product(Scalar(2.0) * slope(s), (Scalar(4.0) * curvature(s)) * s, s);
  }
  /// Dbar V(s0, s1).
  LIVENS_HD Vector discrete_gradient(const Vector& s0, const Vector& s1) const {
    return mean_slope(s0, s1) * (s0 + s1);
  }
  /// Its derivative by s1: Dbar f I + 2 (d Dbar f/d sigma1) (s0 + s1) (x) s1.
  LIVENS_HD Mat<Scalar, 3, 3> discrete_gradient_jacobian(const Vector& s0, const Vector& s1) const {
    return isotropic_plus_product(mean_slope(s0, s1), mean_curvature(s0, s1) * (s0 + s1), s1);
  }

 private:
  static LIVENS_HD Mat<Scalar, 3, 3> isotropic_plus_product(const Scalar& diagonal, const Vector& a,
                                                            const Vector& b) {
    Mat<Scalar, 3, 3> r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r(i, j) = i == j ? fma(a[i], b[j], diagonal) : a[i] * b[j];
    return r;
  }
};

/// The spring of the papers, f = 1/2 k (sigma - l^2)^2 (ggl-structure-preserving-integrators, section 5; no factor 1/4).
template <class Scalar_>
struct QuarticLaw {
  using Scalar = Scalar_;
  Scalar stiffness;       ///< k, N/m^3
  Scalar length_squared;  ///< l^2, m^2

  LIVENS_HD Scalar energy(const Scalar& sigma) const {
    const Scalar e = sigma - length_squared;
    return Scalar(0.5) * stiffness * e * e;
  }
  LIVENS_HD Scalar slope(const Scalar& sigma) const { return stiffness * (sigma - length_squared); }
  LIVENS_HD Scalar curvature(const Scalar&) const { return stiffness; }
  /// k ((sigma0 + sigma1)/2 - l^2): never 0/0.
  LIVENS_HD Scalar quotient(const Scalar& sigma0, const Scalar& sigma1) const {
    return stiffness * fma(Scalar(0.5), sigma0 + sigma1, -length_squared);
  }
  LIVENS_HD Scalar mean_curvature(const Scalar&, const Scalar&) const { return stiffness; }
};

/// Springs, each of a law of its own, by their places: list[std::integral_constant<int, 1>{}] is the second.
template <class... Springs>
struct SpringList {
  static constexpr int count = 0;
};
template <class First, class... Rest>
struct SpringList<First, Rest...> {
  static constexpr int count = 1 + sizeof...(Rest);
  First first;
  [[no_unique_address]] SpringList<Rest...> rest;

  template <int K>
  LIVENS_HD const auto& operator[](std::integral_constant<int, K>) const {
    if constexpr (K == 0)
      return first;
    else
      return rest[std::integral_constant<int, K - 1>{}];
  }
};

}  // namespace livens::inline LIVENS_ISA
