#pragma once
// Constant mass matrices A (x) I: a small matrix A over blocks that are vectors in R^3 or, for planar
// systems, R^2. The structure is a type, so that a scheme on a diagonal one never pays for coupling. And
// matrices of a known pattern, which depend on q or have no inverse.

#include "kernels/math/lu.hpp"
#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Block b, of Dimension entries, of a flat vector of blocks.
template <int B, int Dimension = 3, class Scalar, int N>
LIVENS_HD Vec<Scalar, Dimension> block(const Vec<Scalar, N>& x) {
  return part<Dimension * B, Dimension>(x);
}
template <int B, class Scalar, int N, int Dimension>
LIVENS_HD void set_block(Vec<Scalar, N>& x, const Vec<Scalar, Dimension>& value) {
  set_part<Dimension * B>(x, value);
}

template <class Scalar, int Blocks, int Dimension = 3>
struct DiagonalInertia {
  static constexpr bool coupled = false;
  static constexpr int size = Dimension * Blocks;
  Vec<Scalar, Blocks> value, reciprocal;

  DiagonalInertia() = default;
  LIVENS_HD explicit DiagonalInertia(const Vec<Scalar, Blocks>& masses) : value(masses) {
    for (int b = 0; b < Blocks; ++b) reciprocal[b] = Scalar(1.0) / value[b];
  }
  static constexpr bool nonzero(int i, int j) { return i == j; }
  LIVENS_HD Scalar entry(int i, int j) const { return i == j ? value[i / Dimension] : Scalar(0.0); }
  LIVENS_HD Scalar inverse(int a, int b) const { return a == b ? reciprocal[a] : Scalar(0.0); }
  /// Entry (i, j) of M^-1, where that of M may be non-zero.
  LIVENS_HD const Scalar& inverse_entry(int i, int) const { return reciprocal[i / Dimension]; }
  LIVENS_HD Scalar mass(int a, int b) const { return a == b ? value[a] : Scalar(0.0); }
  /// M v.
  template <class V>
  LIVENS_HD Vec<V, size> times(const Vec<V, size>& v) const {
    Vec<V, size> r;
    unroll<size>([&](auto i) { r[i] = value[i / Dimension] * v[i]; });
    return r;
  }
  /// M^-1 p.
  template <class P>
  LIVENS_HD Vec<P, size> solve(const Vec<P, size>& p) const {
    Vec<P, size> r;
    unroll<size>([&](auto i) { r[i] = reciprocal[i / Dimension] * p[i]; });
    return r;
  }
};

template <class Scalar, int Blocks, int Dimension = 3>
struct CoupledInertia {
  static constexpr bool coupled = true;
  static constexpr int size = Dimension * Blocks;
  Mat<Scalar, Blocks, Blocks> value, reciprocal;

  CoupledInertia() = default;
  /// A, symmetric positive definite.
  LIVENS_HD explicit CoupledInertia(const Mat<Scalar, Blocks, Blocks>& masses) : value(masses) {
    unroll<Blocks>([&](auto column) {
      DenseMatrix<Scalar, Blocks> A{value};
      Vec<Scalar, Blocks> x = zero_vector<Scalar, Blocks>();
      x[column] = Scalar(1.0);
      solve_unpivoted(A, x);
      for (int row = 0; row < Blocks; ++row) reciprocal(row, column) = x[row];
    });
  }
  static constexpr bool nonzero(int i, int j) { return i % Dimension == j % Dimension; }
  LIVENS_HD Scalar entry(int i, int j) const {
    return nonzero(i, j) ? value(i / Dimension, j / Dimension) : Scalar(0.0);
  }
  LIVENS_HD Scalar inverse(int a, int b) const { return reciprocal(a, b); }
  /// Entry (i, j) of M^-1, where that of M may be non-zero.
  LIVENS_HD const Scalar& inverse_entry(int i, int j) const {
    return reciprocal(i / Dimension, j / Dimension);
  }
  LIVENS_HD Scalar mass(int a, int b) const { return value(a, b); }
  template <class V>
  LIVENS_HD Vec<V, size> times(const Vec<V, size>& v) const {
    return apply(value, v);
  }
  template <class P>
  LIVENS_HD Vec<P, size> solve(const Vec<P, size>& p) const {
    return apply(reciprocal, p);
  }

 private:
  template <class X>
  static LIVENS_HD Vec<X, size> apply(const Mat<Scalar, Blocks, Blocks>& A, const Vec<X, size>& x) {
    Vec<X, size> r;
    unroll<Blocks>([&](auto a) {
      unroll<Dimension>([&](auto i) {
        X sum = A(a, 0) * x[i];
        unroll<Blocks - 1>([&](auto b) { sum = fma(A(a, b + 1), x[Dimension * (b + 1) + i], sum); });
        r[Dimension * a + i] = sum;
      });
    });
    return r;
  }
};

/// M(q) at some q, or an M without an inverse. Pattern: size, and nonzero(i, j) where an entry may be
/// non-zero; the other entries of `value` are unspecified.
template <class Scalar, class Pattern>
struct PatternedInertia {
  static constexpr int size = Pattern::size;
  Mat<Scalar, size, size> value;

  static constexpr bool nonzero(int i, int j) { return Pattern::nonzero(i, j); }
  LIVENS_HD Scalar entry(int i, int j) const { return nonzero(i, j) ? value(i, j) : Scalar(0.0); }
  template <class V>
  LIVENS_HD Vec<Sum<Scalar, V>, size> times(const Vec<V, size>& v) const {
    auto r = zero_vector<Sum<Scalar, V>, size>();
    unroll<size>([&](auto i) {
      unroll<size>([&](auto j) {
        if constexpr (nonzero(i.value, j.value)) r[i] = fma(value(i, j), v[j], r[i]);
      });
    });
    return r;
  }
};
/// The same with an inverse: positive definite, so that no pivots are needed.
template <class Scalar, class Pattern>
struct RegularPatternedInertia : PatternedInertia<Scalar, Pattern> {
  static constexpr int size = Pattern::size;
  LIVENS_HD Vec<Scalar, size> solve(const Vec<Scalar, size>& p) const {
    SparseMatrix<Scalar, Pattern> M;
    M.clear();
    unroll<size>([&](auto i) {
      unroll<size>([&](auto j) {
        if constexpr (Pattern::nonzero(i.value, j.value))
          M.template at<i.value, j.value>() = this->value(i, j);
      });
    });
    Vec<Scalar, size> v = p;
    solve_unpivoted(M, v);
    return v;
  }
};

/// The largest M_ii, i = 0..d-1.
template <int d, class Inertia>
LIVENS_HD auto largest_mass(const Inertia& M) {
  auto largest = M.entry(0, 0);
  for (int i = 1; i < d; ++i) largest = max(M.entry(i, i), largest);
  return largest;
}

/// 1/2 p . M^-1 p.
template <class Inertia, class Scalar, int N>
LIVENS_HD Scalar kinetic_energy(const Inertia& inertia, const Vec<Scalar, N>& p) {
  return Scalar(0.5) * dot(p, inertia.solve(p));
}

}  // namespace livens::inline LIVENS_ISA
