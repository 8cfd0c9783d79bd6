#pragma once
// The entries of a matrix that may not be zero as a list the compiler knows: loops over them cost what the entries
// cost, not what the matrix would.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// Positions (i, j) of a Rows x Columns matrix for which Declared{}(i, j), row by row.
template <int Rows, int Columns, class Declared>
struct Entries {
  static constexpr int count = [] {
    int n = 0;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) n += Declared{}(i, j);
    return n;
  }();
  struct Table {
    short row[count + 1] = {}, column[count + 1] = {};
  };
  static constexpr Table table = [] {
    Table t;
    int n = 0;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j)
        if (Declared{}(i, j)) {
          t.row[n] = static_cast<short>(i);
          t.column[n++] = static_cast<short>(j);
        }
    return t;
  }();
};

/// Calls body(i, j), as integral constants, for every declared entry.
template <int Rows, int Columns, class Declared, class Body>
LIVENS_HD constexpr void for_each_entry(Body&& body) {
  using List = Entries<Rows, Columns, Declared>;
  unroll<List::count>([&](auto n) {
    body(std::integral_constant<int, List::table.row[n.value]>{},
         std::integral_constant<int, List::table.column[n.value]>{});
  });
}

/// Entries (i, k) of a product of two patterns, term by term: i, the j they meet in, k.
template <int Rows, int Inner, int Columns, class A, class B>
struct Products {
  static constexpr int count = [] {
    int n = 0;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Inner; ++j)
        if (A{}(i, j))
          for (int k = 0; k < Columns; ++k) n += B{}(j, k);
    return n;
  }();
  struct Table {
    short row[count + 1] = {}, inner[count + 1] = {}, column[count + 1] = {};
  };
  static constexpr Table table = [] {
    Table t;
    int n = 0;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Inner; ++j)
        if (A{}(i, j))
          for (int k = 0; k < Columns; ++k)
            if (B{}(j, k)) {
              t.row[n] = static_cast<short>(i);
              t.inner[n] = static_cast<short>(j);
              t.column[n++] = static_cast<short>(k);
            }
    return t;
  }();
};
/// Calls body(i, j, k), as integral constants, for every term A_ij B_jk that may not be zero.
template <int Rows, int Inner, int Columns, class A, class B, class Body>
LIVENS_HD constexpr void for_each_product(Body&& body) {
  using List = Products<Rows, Inner, Columns, A, B>;
  unroll<List::count>([&](auto n) {
    body(std::integral_constant<int, List::table.row[n.value]>{},
         std::integral_constant<int, List::table.inner[n.value]>{},
         std::integral_constant<int, List::table.column[n.value]>{});
  });
}

}  // namespace livens::inline LIVENS_ISA
