#pragma once
// A x = b for band matrices: LU without pivoting inside the band, in loops, for the sizes that are too large to
// unroll.

#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Entries (i, j) with |i - j| <= Half, row by row.
template <class Scalar, int N, int Half>
struct BandMatrix {
  template <class Other>
  using Over = BandMatrix<Other, N, Half>;
  static constexpr int size = N, width = 2 * Half + 1, stored = N * width;
  Scalar entries[stored];

  LIVENS_HD void clear() {
    for (int e = 0; e < stored; ++e) entries[e] = Scalar(0.0);
  }
  LIVENS_HD Scalar& at(int i, int j) { return entries[i * width + j - i + Half]; }
  LIVENS_HD const Scalar& at(int i, int j) const { return entries[i * width + j - i + Half]; }
  LIVENS_HD Scalar get(int i, int j) const {
    const int off = j - i;
    return off > Half || off < -Half ? Scalar(0.0) : at(i, j);
  }
  LIVENS_HD void scale_row(int i, const Scalar& factor) {
    for (int e = i * width; e < (i + 1) * width; ++e) entries[e] = factor * entries[e];
  }
  /// The stored entries, in whatever order; those beyond the corners count as well.
  LIVENS_HD Scalar& value(int e) { return entries[e]; }
  LIVENS_HD const Scalar& value(int e) const { return entries[e]; }
};

/// As solve_unpivoted for a DenseMatrix, for matrices near symmetric positive definite ones, whose elimination takes
/// from a diagonal entry a_ii no more than it is. True where it takes more than growth_limit times that, or
/// what is not a number: no scale of rows or columns changes this.
template <class Scalar, int N, int Half>
LIVENS_HD_COLD Mask<Scalar> solve_unpivoted(BandMatrix<Scalar, N, Half>& A, Vec<Scalar, N>& b) {
  Vec<Scalar, N> reciprocal, limit;
  for (int i = 0; i < N; ++i) limit[i] = Scalar(growth_limit) * abs(A.at(i, i));
  Mask<Scalar> grown(false);
  for (int k = 0; k < N; ++k) {
    reciprocal[k] = Scalar(1.0) / A.at(k, k);
    const int end = k + Half < N ? k + Half + 1 : N;
    const Scalar* const pivot_row = &A.at(k, k);
    for (int i = k + 1; i < end; ++i) {
      Scalar* const row = &A.at(i, k);
      const Scalar multiplier = row[0] * reciprocal[k];
      grown = grown | !(abs(multiplier * pivot_row[i - k]) <= limit[i]);
      for (int j = 1; j < end - k; ++j) row[j] = fnma(multiplier, pivot_row[j], row[j]);
      b[i] = fnma(multiplier, b[k], b[i]);
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    const int end = k + Half < N ? k + Half + 1 : N;
    for (int j = end - 1; j > k; --j) b[k] = fnma(A.at(k, j), b[j], b[k]);
    b[k] = b[k] * reciprocal[k];
  }
  return grown;
}

}  // namespace livens::inline LIVENS_ISA
