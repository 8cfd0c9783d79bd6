#pragma once
// A x = b for matrices whose zeros are known to the compiler. A Pattern says where A may be non-zero; fill-in
// and the list of operations follow from it at compile time, and only the entries that can be non-zero are
// stored.

#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Symbolic factorization of a Pattern: `static constexpr int size; static constexpr bool nonzero(int i, int
/// j)`.
template <class Pattern>
struct Symbolic {
  static constexpr int n = Pattern::size;

  struct Table {
    short slot[n][n] = {};  ///< where entry (i, j) is stored; -1 where it is always zero
    int count = 0;          ///< entries stored
  };
  static constexpr Table make() {
    bool filled[n][n] = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) filled[i][j] = i == j || Pattern::nonzero(i, j);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        if (filled[i][k])
          for (int j = k + 1; j < n; ++j) filled[i][j] = filled[i][j] || filled[k][j];
    Table table;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        table.slot[i][j] = filled[i][j] ? static_cast<short>(table.count++) : short(-1);
    return table;
  }
  static constexpr Table table = make();
  static constexpr int slot(int i, int j) { return table.slot[i][j]; }
  static constexpr bool stored(int i, int j) { return table.slot[i][j] >= 0; }
};

template <class Scalar, class Pattern>
struct SparseMatrix {
  static constexpr int size = Pattern::size;
  using Structure = Symbolic<Pattern>;
  Scalar entries[Structure::table.count];

  LIVENS_HD void clear() {
    for (int e = 0; e < Structure::table.count; ++e) entries[e] = Scalar(0.0);
  }
  /// Entry (I, J), which the pattern must allow.
  template <int I, int J>
  LIVENS_HD Scalar& at() {
    static_assert(Structure::stored(I, J));
    return entries[Structure::slot(I, J)];
  }
  /// Entry (i, j), zero where nothing is stored; not for the stepping core.
  LIVENS_HD Scalar get(int i, int j) const {
    static constexpr auto table =
        Structure::table;  // a copy: device code cannot index a static member at run time
    return table.slot[i][j] >= 0 ? entries[table.slot[i][j]] : Scalar(0.0);
  }
};

/// As solve_unpivoted for a DenseMatrix: the same chains of fma, less those whose factors are always zero.
template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_unpivoted(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  constexpr int n = Pattern::size;
  using Structure = Symbolic<Pattern>;
  Vec<Scalar, n> reciprocal;
  Scalar growth = Scalar(0.0);
  unroll<n>([&](auto k) {
    reciprocal[k] = Scalar(1.0) / A.template at<k.value, k.value>();
    unroll<n - 1 - k.value>([&](auto below) {
      constexpr int i = k.value + 1 + below.value;
      if constexpr (Structure::stored(i, k.value)) {
        const Scalar multiplier = A.template at<i, k.value>() * reciprocal[k];
        growth = max(growth, abs(multiplier));
        unroll<n - 1 - k.value>([&](auto right) {
          constexpr int j = k.value + 1 + right.value;
          if constexpr (Structure::stored(k.value, j))
            A.template at<i, j>() = fnma(multiplier, A.template at<k.value, j>(), A.template at<i, j>());
        });
        b[i] = fnma(multiplier, b[k], b[i]);
      }
    });
  });
  unroll<n>([&](auto reversed) {
    constexpr int k = n - 1 - reversed.value;
    b[k] = b[k] * reciprocal[k];
    unroll<k>([&](auto i) {
      if constexpr (Structure::stored(i.value, k)) b[i] = fnma(A.template at<i.value, k>(), b[k], b[i]);
    });
  });
  return !(growth <= Scalar(growth_limit));
}

}  // namespace livens::inline LIVENS_ISA
