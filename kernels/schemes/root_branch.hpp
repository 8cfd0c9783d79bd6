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

/// The pattern of S, and of the two factors of its products.
template <class System>
struct BranchPattern {
  using Curved = CurvedConstraints<System>;
  using Normal = NormalPattern<System, DeclaredMobility<System>>;
  static constexpr int size = Curved::count;
  static constexpr bool nonzero(int a, int b) {
    return Normal::coupled(Curved::number(a), Curved::number(b));
  }

  struct Rows {
    constexpr bool operator()(int a, int i) const { return System::constrains(Curved::number(a), i); }
  };
  struct MovedTransposed {
    constexpr bool operator()(int i, int b) const { return Normal::moved(Curved::number(b), i); }
  };
};

template <class System, class Scalar, int D>
LIVENS_HD Mask<Scalar> right_branch(const System& system, const Vec<Scalar, D>& q0,
                                    const Vec<Scalar, D>& q1) {
  using Pattern = BranchPattern<System>;
  using Curved = CurvedConstraints<System>;
  constexpr int n = Curved::count;
  const auto G0 = system.constraint_jacobian(q0), G1 = system.constraint_jacobian(q1);
  const auto moved = moved_rows<System, DeclaredMobility<System>>(
      [&](int i, int j) { return system.inertia.inverse_entry(i, j); }, G0);
  // S = 1/2 (T + T^T), T = G1 M^-1 G0^T.
  const auto add_to = [&](auto&& entry) {
    for_each_product<n, D, n, typename Pattern::Rows, typename Pattern::MovedTransposed>(
        [&](auto a, auto i, auto b) {
          const Scalar half = Scalar(0.5) * G1(Curved::number(a.value), i),
                       &m = moved(Curved::number(b.value), i);
          entry(a, b) = fma(half, m, entry(a, b));
          entry(b, a) = fma(half, m, entry(b, a));
        });
  };
  if constexpr (n <= largest_unrolled) {
    Mat<Scalar, n, n> S;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) S(a, b) = Scalar(0.0);
    add_to([&](int a, int b) -> Scalar& { return S(a, b); });
    return positive_definite(S);
  } else {  // elimination leaves the pivots on the diagonal
    SparseMatrix<Scalar, Pattern> S;
    S.clear();
    add_to([&](auto a, auto b) -> Scalar& { return S.template at<a.value, b.value>(); });
    auto none = zero_vector<Scalar, n>();
    solve_unpivoted(S, none);
    Mask<Scalar> definite(true);
    unroll<n>([&](auto k) { definite = definite & (S.template at<k.value, k.value>() > Scalar(0.0)); });
    return definite;
  }
}

}  // namespace livens::inline LIVENS_ISA
