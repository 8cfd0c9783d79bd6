#pragma once
// Which entries of a matrix may be non-zero, and what products and eliminations make of that; all of it in
// constant expressions. A row is a set of columns, 64 to a word.

#include <cstdint>

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

template <int Rows, int Columns>
struct BitMatrix {
  static constexpr int words = (Columns + 63) / 64;
  std::uint64_t row[Rows + 1][words + 1] = {};  // either may be 0

  constexpr bool operator()(int i, int j) const { return (row[i][j / 64] >> (j % 64) & 1) != 0; }
  constexpr void set(int i, int j) { row[i][j / 64] |= std::uint64_t{1} << (j % 64); }
  constexpr void clear(int i, int j) { row[i][j / 64] &= ~(std::uint64_t{1} << (j % 64)); }
  /// Adds row `from` of `other` to row i.
  template <int OtherRows>
  constexpr void add(int i, const BitMatrix<OtherRows, Columns>& other, int from) {
    for (int w = 0; w < words; ++w) row[i][w] |= other.row[from][w];
  }
  /// Rows i of this one and k of `other` have a column in common.
  constexpr bool meets(int i, const BitMatrix& other, int k) const {
    for (int w = 0; w < words; ++w)
      if ((row[i][w] & other.row[k][w]) != 0) return true;
    return false;
  }
  constexpr int count(int i) const {
    int n = 0;
    for (int w = 0; w < words; ++w)
      for (std::uint64_t left = row[i][w]; left != 0; left &= left - 1) ++n;
    return n;
  }

  template <class Declared>
  static constexpr BitMatrix of(Declared&& declared) {
    BitMatrix r;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j)
        if (declared(i, j)) r.set(i, j);
    return r;
  }
  constexpr BitMatrix<Columns, Rows> transposed() const {
    return BitMatrix<Columns, Rows>::of([this](int i, int j) { return (*this)(j, i); });
  }
};

template <int Rows, int Columns>
constexpr BitMatrix<Rows, Columns> operator|(BitMatrix<Rows, Columns> a, const BitMatrix<Rows, Columns>& b) {
  for (int i = 0; i < Rows; ++i) a.add(i, b, i);
  return a;
}
/// Of a product of matrices.
template <int Rows, int Inner, int Columns>
constexpr BitMatrix<Rows, Columns> operator*(const BitMatrix<Rows, Inner>& a,
                                             const BitMatrix<Inner, Columns>& b) {
  BitMatrix<Rows, Columns> r;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Inner; ++j)
      if (a(i, j)) r.add(i, b, j);
  return r;
}

}  // namespace livens::inline LIVENS_ISA
