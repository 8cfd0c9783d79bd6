#pragma once
// The entries of a Newton matrix that a warp copies before it eliminates it: those that are not zero before
// fill-in.

#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// The pattern and the entries of a matrix, by slot.
template <class Matrix>
struct Slots;
template <class Scalar, int N>
struct Slots<DenseMatrix<Scalar, N>> {
  struct Pattern {
    static constexpr int size = N;
    static constexpr bool nonzero(int, int) { return true; }
  };
  static LIVENS_HD const Scalar* of(const DenseMatrix<Scalar, N>& A) { return A.entries.data; }
};
template <class Scalar, class Pattern_>
struct Slots<SparseMatrix<Scalar, Pattern_>> {
  using Pattern = Pattern_;
  static LIVENS_HD const Scalar* of(const SparseMatrix<Scalar, Pattern>& A) { return A.entries; }
};

/// The slots that are not zero before fill-in, row by row.
template <class Pattern>
struct GivenSlots {
  static constexpr int n = Pattern::size;
  static constexpr bool given(int i, int j) { return i == j || Pattern::nonzero(i, j); }
  static constexpr int count = [] {
    int c = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) c += given(i, j);
    return c;
  }();
  struct List {
    Slot<n> slot[count] = {};
  };
  static constexpr List make() {
    List list;
    int next = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (given(i, j)) list.slot[next++] = static_cast<Slot<n>>(Symbolic<Pattern>::slot(i, j));
    return list;
  }
};

}  // namespace livens::inline LIVENS_ISA
