#pragma once
// The right one of the roots of a discrete Euler-Lagrange step; equations/multibody.md, section 4. On the
// branch that h -> 0 leads to, S = sym(G(q1) M^-1 G(q0)^T) tends to G M^-1 G^T and is positive definite; on
// the spurious ones it is not (on the circle S = cos of the angle between the ends, with either sign). Linear
// constraints have no second root and are left out of S: closing a loop they make G M^-1 G^T singular where
// the loop is stretched, and a step across that would be refused.

#include "kernels/newton/scheme.hpp"
#include "kernels/schemes/constraint_multiplier.hpp"

namespace livens::inline LIVENS_ISA {

/// True if every pivot of a Cholesky factorization of S is positive; overwrites S.
template <class Scalar, int N>
LIVENS_HD Mask<Scalar> positive_definite(Mat<Scalar, N, N>& S) {
  Mask<Scalar> definite(true);
  for (int k = 0; k < N; ++k) {
    definite = definite & (S(k, k) > Scalar(0.0));
    const Scalar reciprocal = Scalar(1.0) / S(k, k);
    for (int i = k + 1; i < N; ++i) {
      const Scalar multiplier = S(i, k) * reciprocal;
      for (int j = k + 1; j < N; ++j) S(i, j) = fnma(multiplier, S(k, j), S(i, j));
    }
  }
  return definite;
}

template <class System>
struct CurvedConstraints {
  static constexpr bool curved(int k) {
    for (int i = 0; i < System::coordinates; ++i)
      for (int j = 0; j < System::coordinates; ++j)
        if (System::curved(k, i, j)) return true;
    return false;
  }
  static constexpr int count = [] {
    int n = 0;
    for (int k = 0; k < System::constraints; ++k) n += curved(k);
    return n;
  }();
  /// The number of the n-th of them.
  static constexpr int number(int n) {
    int k = 0;
    for (; !curved(k) || n-- > 0; ++k) {
    }
    return k;
  }
};

template <class System, class Scalar, int D>
LIVENS_HD Mask<Scalar> right_branch(const System& system, const Vec<Scalar, D>& q0,
                                    const Vec<Scalar, D>& q1) {
  using Curved = CurvedConstraints<System>;
  constexpr int n = Curved::count;
  const auto G0 = system.constraint_jacobian(q0), G1 = system.constraint_jacobian(q1);
  Mat<Scalar, n, n> S;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) S(a, b) = Scalar(0.0);
  unroll<n>([&](auto b) {
    constexpr int l = Curved::number(b.value);
    const Vec<Scalar, D> mobility = system.inertia.solve(constraint_row<System, l>(G0));
    unroll<n>([&](auto a) {
      constexpr int k = Curved::number(a.value);
      if constexpr (NormalPattern<System>::nonzero(k, l)) {
        Scalar sum = Scalar(0.0);
        unroll<D>([&](auto i) {
          if constexpr (System::constrains(k, i.value)) sum = fma(G1(k, i), mobility[i], sum);
        });
        S(a, b) = fma(Scalar(0.5), sum, S(a, b));
        S(b, a) = fma(Scalar(0.5), sum, S(b, a));
      }
    });
  });
  return positive_definite(S);
}

}  // namespace livens::inline LIVENS_ISA
