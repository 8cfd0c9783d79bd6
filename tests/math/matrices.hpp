#pragma once
// Random matrices, and the size of a solution's error as the backward analysis bounds it.

#include <Eigen/LU>
#include <random>

#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

using Quick = std::mt19937_64;

inline double entry(Quick& random) { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }

/// Entries in [-1, 1] and `diagonal` added on the diagonal.
template <int N>
DenseMatrix<double, N> random_matrix(Quick& random, double diagonal) {
  DenseMatrix<double, N> A;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) A.at(i, j) = entry(random) + (i == j ? diagonal : 0.0);
  return A;
}
template <int N>
Vec<double, N> random_vector(Quick& random) {
  Vec<double, N> b;
  for (int i = 0; i < N; ++i) b[i] = entry(random);
  return b;
}

/// max_i |A x - b|_i / (|A| |x| + |b|)_i in units of eps, in long double: the smallest relative change of A
/// and b for which x would be exact (Oettli and Prager).
template <int N, class Matrix>
double backward_error(const Matrix& A, const Vec<double, N>& x, const Vec<double, N>& b) {
  double worst = 0.0;
  for (int i = 0; i < N; ++i) {
    long double residual = -static_cast<long double>(b[i]), size = std::abs(b[i]);
    for (int j = 0; j < N; ++j) {
      residual += static_cast<long double>(A.get(i, j)) * x[j];
      size += std::abs(static_cast<long double>(A.get(i, j)) * x[j]);
    }
    const double error = static_cast<double>(std::abs(residual) / size);
    if (!(error <= worst)) worst = error;
  }
  return worst / 2.220446049250313e-16;
}

/// x by Eigen in long double, with full pivoting.
template <int N, class Matrix>
Eigen::Matrix<long double, N, 1> exact_solution(const Matrix& A, const Vec<double, N>& b) {
  Eigen::Matrix<long double, N, N> M;
  Eigen::Matrix<long double, N, 1> r;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) M(i, j) = A.get(i, j);
    r[i] = b[i];
  }
  return M.fullPivLu().solve(r);
}

}  // namespace livens::inline LIVENS_ISA
