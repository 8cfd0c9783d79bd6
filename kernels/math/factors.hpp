#pragma once
// L and U of a matrix in its own place, for several right-hand sides at a time: the columns of a Vec of
// dual numbers' partial derivatives; and for one of the transposed matrix. Loops over what is stored, small to compile.

#include "kernels/math/dual.hpp"
#include "kernels/math/ordered_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// Of what solve_unpivoted() eliminates without shared work.
template <class Matrix>
struct Factors;

template <class Scalar, int N>
struct Factors<DenseMatrix<Scalar, N>> {
  /// Multipliers below the diagonal, reciprocals on it. True where a multiplier exceeds growth_limit or is
  /// not a number.
  static LIVENS_HD_COLD Mask<Scalar> factorize(Scalar* entry) {
    Scalar growth = Scalar(0.0);
    for (int k = 0; k < N; ++k) {
      const Scalar reciprocal = Scalar(1.0) / entry[k * N + k];
      entry[k * N + k] = reciprocal;
      for (int i = k + 1; i < N; ++i) {
        const Scalar multiplier = entry[i * N + k] * reciprocal;
        entry[i * N + k] = multiplier;
        growth = max(growth, abs(multiplier));
        for (int j = k + 1; j < N; ++j)
          entry[i * N + j] = fnma(multiplier, entry[k * N + j], entry[i * N + j]);
      }
    }
    return !(growth <= Scalar(growth_limit));
  }
  /// Overwrites the partials of b with those of A^-1 b.
  template <int K>
  static LIVENS_HD_COLD void substitute(const Scalar* entry, Vec<Dual<K, Scalar>, N>& b) {
    for (int k = 0; k < N; ++k)
      for (int i = k + 1; i < N; ++i) subtract(entry[i * N + k], b[k], b[i]);
    for (int k = N - 1; k >= 0; --k) {
      for (int j = k + 1; j < N; ++j) subtract(entry[k * N + j], b[j], b[k]);
      for (int c = 0; c < K; ++c) b[k].partial[c] = entry[k * N + k] * b[k].partial[c];
    }
  }
  /// Overwrites b with A^-T b.
  static LIVENS_HD_COLD void substitute_transposed(const Scalar* entry, Scalar* b) {
    for (int k = 0; k < N; ++k) {
      b[k] = entry[k * N + k] * b[k];
      for (int j = k + 1; j < N; ++j) b[j] = fnma(entry[k * N + j], b[k], b[j]);
    }
    for (int k = N - 1; k >= 0; --k)
      for (int i = k + 1; i < N; ++i) b[k] = fnma(entry[i * N + k], b[i], b[k]);
  }
  /// b - a x, of the partials.
  template <int K>
  static LIVENS_HD void subtract(const Scalar& a, const Dual<K, Scalar>& x, Dual<K, Scalar>& b) {
    for (int c = 0; c < K; ++c) b.partial[c] = fnma(a, x.partial[c], b.partial[c]);
  }
};

template <class Scalar, class Pattern>
struct Factors<SparseMatrix<Scalar, Pattern>> {
  static constexpr int n = Pattern::size;

  static LIVENS_HD_COLD Mask<Scalar> factorize(Scalar* entry) {
    static constexpr auto list = Operations<Pattern>::make();
    Scalar growth = Scalar(0.0);
    const Slot<n>* target = list.target;
    for (int k = 0; k < n; ++k) {
      const Scalar reciprocal = Scalar(1.0) / entry[list.diagonal[k]];
      entry[list.diagonal[k]] = reciprocal;
      const int right_first = list.right_first[k], right_count = list.right_first[k + 1] - right_first;
      for (int l = list.first[k]; l < list.first[k + 1]; ++l) {
        const Scalar multiplier = entry[list.lower[l]] * reciprocal;
        entry[list.lower[l]] = multiplier;
        growth = max(growth, abs(multiplier));
        for (int r = 0; r < right_count; ++r) {
          Scalar& updated = entry[target[r]];
          updated = fnma(multiplier, entry[list.right[right_first + r]], updated);
        }
        target += right_count;
      }
    }
    return !(growth <= Scalar(growth_limit));
  }
  template <int K>
  static LIVENS_HD_COLD void substitute(const Scalar* entry, Vec<Dual<K, Scalar>, n>& b) {
    static constexpr auto list = Operations<Pattern>::make();
    using Dense = Factors<DenseMatrix<Scalar, n>>;
    for (int k = 0; k < n; ++k)
      for (int l = list.first[k]; l < list.first[k + 1]; ++l)
        Dense::subtract(entry[list.lower[l]], b[k], b[list.row[l]]);
    for (int k = n - 1; k >= 0; --k) {
      for (int r = list.right_first[k]; r < list.right_first[k + 1]; ++r)
        Dense::subtract(entry[list.right[r]], b[list.column[r]], b[k]);
      for (int c = 0; c < K; ++c) b[k].partial[c] = entry[list.diagonal[k]] * b[k].partial[c];
    }
  }
  static LIVENS_HD_COLD void substitute_transposed(const Scalar* entry, Scalar* b) {
    static constexpr auto list = Operations<Pattern>::make();
    for (int k = 0; k < n; ++k) {
      b[k] = entry[list.diagonal[k]] * b[k];
      for (int r = list.right_first[k]; r < list.right_first[k + 1]; ++r)
        b[list.column[r]] = fnma(entry[list.right[r]], b[k], b[list.column[r]]);
    }
    for (int k = n - 1; k >= 0; --k)
      for (int l = list.first[k]; l < list.first[k + 1]; ++l)
        b[k] = fnma(entry[list.lower[l]], b[list.row[l]], b[k]);
  }
};

template <class Scalar, class Unordered>
struct Factors<OrderedMatrix<Scalar, Unordered>> {
  using Matrix = OrderedMatrix<Scalar, Unordered>;
  using Ordered = Factors<typename Matrix::Ordered>;

  static LIVENS_HD Mask<Scalar> factorize(Scalar* entry) { return Ordered::factorize(entry); }
  template <int K>
  static LIVENS_HD void substitute(const Scalar* entry, Vec<Dual<K, Scalar>, Unordered::size>& b) {
    auto ordered = Matrix::into_order(b);
    Ordered::substitute(entry, ordered);
    b = Matrix::out_of_order(ordered);
  }
  static LIVENS_HD void substitute_transposed(const Scalar* entry, Scalar* b) {
    Vec<Scalar, Unordered::size> x;
    for (int i = 0; i < Unordered::size; ++i) x[i] = b[i];
    auto ordered = Matrix::into_order(x);
    Ordered::substitute_transposed(entry, &ordered[0]);
    x = Matrix::out_of_order(ordered);
    for (int i = 0; i < Unordered::size; ++i) b[i] = x[i];
  }
};

}  // namespace livens::inline LIVENS_ISA
