#pragma once
// A x = b for band matrices: LU without pivoting inside the band, in loops over the rows, for the sizes that
// are too large to unroll.

#include "kernels/math/lu.hpp"
#include "kernels/math/shared_storage.hpp"

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

/// The rows of the upper factor that the next row of an elimination needs, right of their diagonals: row k in
/// place k mod Half.
template <class Scalar, int Half>
struct BandWindow {
  static constexpr int places = Half > 0 ? Half : 1;
  Scalar rows[places][places];
  LIVENS_HD Scalar* row(int k) { return rows[k % places]; }
};

/// Overwrites b with the solution of A x = b, and of A the diagonal and what is right of it with the upper
/// factor. For matrices near symmetric positive definite ones, whose elimination takes from a diagonal entry
/// a_ii no more than it is. True where it takes more than growth_limit times that, or what is not a number:
/// no scale of rows or columns changes this.
///
/// Row after row: one lies in registers while those above act on it, which come from the window. An entry's
/// updates are in ascending order of the pivots, as in any other arrangement.
template <class Scalar, int N, int Half>
LIVENS_HD Mask<Scalar> solve_by_rows(BandMatrix<Scalar, N, Half>& A, Vec<Scalar, N>& b,
                                     BandWindow<Scalar, Half>& window) {
  Vec<Scalar, N> reciprocal;
  Mask<Scalar> grown(false);
  for (int i = 0; i < N; ++i) {
    Scalar* const entries = &A.at(i, i) - Half;
    Vec<Scalar, 2 * Half + 1> row;
    unroll<2 * Half + 1>([&](auto e) { row[e] = entries[e]; });
    Scalar right = b[i];
    const Scalar limit = Scalar(growth_limit) * abs(row[Half]);
    unroll<Half>([&](auto e) {
      const int k = i - Half + e;
      if (k < 0) return;
      const Scalar multiplier = row[e] * reciprocal[k];
      const Scalar* const above = window.row(k);
      grown = grown | !(abs(multiplier * above[Half - 1 - e]) <= limit);
      unroll<Half>([&](auto j) { row[e + 1 + j] = fnma(multiplier, above[j], row[e + 1 + j]); });
      right = fnma(multiplier, b[k], right);
    });
    reciprocal[i] = Scalar(1.0) / row[Half];
    entries[Half] = row[Half];
    Scalar* const kept = window.row(i);
    unroll<Half>([&](auto j) { kept[j] = entries[Half + 1 + j] = row[Half + 1 + j]; });
    b[i] = right;
  }
  for (int k = N - 1; k >= 0; --k) {
    const int end = k + Half < N ? k + Half + 1 : N;
    for (int j = end - 1; j > k; --j) b[k] = fnma(A.at(k, j), b[j], b[k]);
    b[k] = b[k] * reciprocal[k];
  }
  return grown;
}

/// As solve_by_rows().
template <class Scalar, int N, int Half>
LIVENS_HD_COLD Mask<Scalar> solve_unpivoted(BandMatrix<Scalar, N, Half>& A, Vec<Scalar, N>& b) {
  BandWindow<Scalar, Half> window;
  return solve_by_rows(A, b, window);
}

#if defined(__CUDA_ARCH__)
/// By a thread in a block of one warp, as steps under register pressure are: the window in shared memory,
/// since the windows of all threads of a multiprocessor are more than its cache.
template <int N, int Half>
LIVENS_HD_COLD bool solve_unpivoted(BandMatrix<double, N, Half>& A, Vec<double, N>& b,
                                    const Mask<double>& active) {
  SharedStorage<BandWindow<double, Half>, true> window;
  return solve_by_rows(A, b, *window) & active;
}
#endif

}  // namespace livens::inline LIVENS_ISA
