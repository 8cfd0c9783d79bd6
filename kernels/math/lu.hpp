#pragma once
// A x = b for small dense A: LU without pivoting, unrolled, with a growth check; and the pivoted LU that
// solves again what the check flags. One elimination order, one reciprocal rule: every entry is an
// ascending-k chain of fma from the original, so any arrangement of the loops (a register column, a tile of
// threads) gives the same bits.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// A multiplier above this loses more than three digits against partial pivoting, whose multipliers stay
/// below one.
inline constexpr double growth_limit = 1024.0;

template <class Scalar, int N>
struct DenseMatrix {
  template <class Other>
  using Over = DenseMatrix<Other, N>;
  static constexpr int size = N, stored = N * N;
  Mat<Scalar, N, N> entries;

  LIVENS_HD Scalar& at(int i, int j) { return entries(i, j); }
  LIVENS_HD const Scalar& at(int i, int j) const { return entries(i, j); }
  LIVENS_HD Scalar get(int i, int j) const { return entries(i, j); }
  /// The stored entries, in whatever order.
  LIVENS_HD Scalar& value(int e) { return entries.data[e]; }
  LIVENS_HD const Scalar& value(int e) const { return entries.data[e]; }
};

/// Above that many unknowns an elimination is a loop: unrolled its N^3/3 operations take minutes and gigabytes to
/// compile, and its columns have no place in registers anyway.
inline constexpr int largest_unrolled_elimination = 24;

/// Overwrites b with the solution of A x = b, A being what solve_unpivoted() has left.
template <class Scalar, int N>
LIVENS_HD void solve_factored(const DenseMatrix<Scalar, N>& A, Vec<Scalar, N>& b) {
  if constexpr (N > largest_unrolled_elimination) {
    for (int k = 0; k < N; ++k)
      for (int i = k + 1; i < N; ++i) b[i] = fnma(A.at(i, k), b[k], b[i]);
    for (int k = N - 1; k >= 0; --k) {
      b[k] = b[k] * A.at(k, k);
      for (int i = 0; i < k; ++i) b[i] = fnma(A.at(i, k), b[k], b[i]);
    }
  } else {
    unroll<N>([&](auto k) {
      unroll<N>([&](auto i) {
        if constexpr (i.value > k.value) b[i] = fnma(A.at(i, k), b[k], b[i]);
      });
    });
    unroll<N>([&](auto reversed) {
      constexpr int k = N - 1 - reversed.value;
      b[k] = b[k] * A.at(k, k);
      unroll<k>([&](auto i) { b[i] = fnma(A.at(i, k), b[k], b[i]); });
    });
  }
}

/// Overwrites b with the solution of A x = b and A with its factors, with reciprocals on the diagonal. True
/// where a multiplier exceeds growth_limit or is not a number: there the result must not be used.
template <class Scalar, int N>
LIVENS_HD Mask<Scalar> solve_unpivoted(DenseMatrix<Scalar, N>& A, Vec<Scalar, N>& b) {
  Scalar growth = Scalar(0.0);
  if constexpr (N > largest_unrolled_elimination) {
    for (int k = 0; k < N; ++k) {
      const Scalar reciprocal = Scalar(1.0) / A.at(k, k);
      A.at(k, k) = reciprocal;
      for (int i = k + 1; i < N; ++i) {
        const Scalar multiplier = A.at(i, k) * reciprocal;
        A.at(i, k) = multiplier;
        growth = max(growth, abs(multiplier));
        for (int j = k + 1; j < N; ++j) A.at(i, j) = fnma(multiplier, A.at(k, j), A.at(i, j));
      }
    }
  } else {
    unroll<N>([&](auto j) {
      // Left-looking: column j stays in registers while the finished columns k < j act on it.
      Vec<Scalar, N> column;
      unroll<N>([&](auto i) { column[i] = A.at(i, j); });
      unroll<j.value>([&](auto k) {
        unroll<N>([&](auto i) {
          if constexpr (i.value > k.value) column[i] = fnma(A.at(i, k), column[k], column[i]);
        });
      });
      const Scalar reciprocal = Scalar(1.0) / column[j];
      unroll<N>([&](auto i) {
        if constexpr (i.value > j.value) {
          column[i] = column[i] * reciprocal;
          growth = max(growth, abs(column[i]));
        }
      });
      column[j] = reciprocal;
      unroll<N>([&](auto i) { A.at(i, j) = column[i]; });
    });
  }
  solve_factored(A, b);
  return !(growth <= Scalar(growth_limit));
}

/// The same as solve_unpivoted() for the lanes in `active`; what becomes of the others does not matter. A
/// warp of a GPU shares the work out (tile_lu.hpp).
template <class Matrix, class Scalar, int N>
LIVENS_HD Mask<Scalar> solve_unpivoted(Matrix& A, Vec<Scalar, N>& b, const Mask<Scalar>& active) {
  return solve_unpivoted(A, b) & active;
}

/// The factors of a symmetric-like A that needs no pivoting, for several right-hand sides.
template <class Scalar, int N>
class Factored {
 public:
  LIVENS_HD explicit Factored(const DenseMatrix<Scalar, N>& A) : A_(A) {
    for (int k = 0; k < N; ++k) {
      reciprocal_[k] = Scalar(1.0) / A_.at(k, k);
      for (int i = k + 1; i < N; ++i) {
        const Scalar multiplier = A_.at(i, k) * reciprocal_[k];
        A_.at(i, k) = multiplier;
        for (int j = k + 1; j < N; ++j) A_.at(i, j) = fnma(multiplier, A_.at(k, j), A_.at(i, j));
      }
    }
  }
  LIVENS_HD Vec<Scalar, N> solve(Vec<Scalar, N> b) const {
    for (int k = 0; k < N; ++k)
      for (int i = k + 1; i < N; ++i) b[i] = fnma(A_.at(i, k), b[k], b[i]);
    for (int k = N - 1; k >= 0; --k) {
      b[k] = b[k] * reciprocal_[k];
      for (int i = 0; i < k; ++i) b[i] = fnma(A_.at(i, k), b[k], b[i]);
    }
    return b;
  }

 private:
  DenseMatrix<Scalar, N> A_;
  Vec<Scalar, N> reciprocal_;
};

/// Solves A x = b with partial pivoting (the first of the largest candidates), for one instance; A is N x N,
/// row-major, and is overwritten, b becomes x. False when a pivot is zero or not a number.
template <int N>
LIVENS_HD_COLD bool solve_pivoted(double* A, double* b) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (abs(A[i * N + k]) > abs(A[pivot * N + k])) pivot = i;
    if (!(abs(A[pivot * N + k]) > 0.0)) return false;
    if (pivot != k) {
      for (int j = 0; j < N; ++j) {
        const double swapped = A[k * N + j];
        A[k * N + j] = A[pivot * N + j];
        A[pivot * N + j] = swapped;
      }
      const double swapped = b[k];
      b[k] = b[pivot];
      b[pivot] = swapped;
    }
    const double reciprocal = 1.0 / A[k * N + k];
    for (int i = k + 1; i < N; ++i) {
      const double multiplier = A[i * N + k] * reciprocal;
      if (multiplier == 0.0) continue;  // most rows below a mass matrix
      for (int j = k + 1; j < N; ++j) A[i * N + j] = fnma(multiplier, A[k * N + j], A[i * N + j]);
      b[i] = fnma(multiplier, b[k], b[i]);
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    b[k] = b[k] * (1.0 / A[k * N + k]);
    for (int i = 0; i < k; ++i) b[i] = fnma(A[i * N + k], b[k], b[i]);
  }
  return true;
}

}  // namespace livens::inline LIVENS_ISA
