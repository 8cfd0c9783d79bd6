#pragma once
// The entries of a matrix that a system declares to be possibly non-zero, as a list the compiler knows: loops
// over them cost what the entries cost, not what the matrix would.

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

template <class System>
struct DeclaredConstraints {
  constexpr bool operator()(int k, int i) const { return System::constrains(k, i); }
};
template <class System, int K>
struct DeclaredCurvature {
  constexpr bool operator()(int i, int j) const { return System::curved(K, i, j); }
};
/// The constraints whose second derivatives have an entry (I, J), as a column.
template <class System, int I, int J>
struct DeclaredCurving {
  constexpr bool operator()(int k, int) const { return System::curved(k, I, J); }
};
/// True if any constraint's second derivative couples coordinates i and j.
template <class System>
constexpr bool any_curvature(int i, int j) {
  for (int k = 0; k < System::constraints; ++k)
    if (System::curved(k, i, j)) return true;
  return false;
}
template <class System>
struct DeclaredAnyCurvature {
  constexpr bool operator()(int i, int j) const { return any_curvature<System>(i, j); }
};
template <class System>
struct DeclaredStiffness {
  constexpr bool operator()(int i, int j) const { return System::stiff(i, j); }
};

/// Calls body(k, i) for every entry of G.
template <class System, class Body>
LIVENS_HD constexpr void for_each_constraint_entry(Body&& body) {
  for_each_entry<System::constraints, System::coordinates, DeclaredConstraints<System>>(body);
}
/// Calls body(i, j) for every entry of D^2 g_K.
template <class System, int K, class Body>
LIVENS_HD constexpr void for_each_curvature_entry(Body&& body) {
  for_each_entry<System::coordinates, System::coordinates, DeclaredCurvature<System, K>>(body);
}

/// Row K of G as a vector.
template <class System, int K, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> constraint_row(
    const Mat<Scalar, System::constraints, System::coordinates>& G) {
  Vec<Scalar, System::coordinates> row = zero_vector<Scalar, System::coordinates>();
  unroll<System::coordinates>([&](auto i) {
    if constexpr (System::constrains(K, i.value)) row[i] = G(K, i);
  });
  return row;
}
/// G v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::constraints> r = zero_vector<Scalar, System::constraints>();
  for_each_constraint_entry<System>([&](auto k, auto i) { r[k] = fma(G(k, i), v[i], r[k]); });
  return r;
}
/// G^T multiplier.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> transpose_times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::constraints>& multiplier) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_constraint_entry<System>([&](auto k, auto i) { r[i] = fma(G(k, i), multiplier[k], r[i]); });
  return r;
}
/// A_K v with A_K = D^2 g_K.
template <class System, int K, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> curvature_times(const System& system,
                                                           const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_curvature_entry<System, K>(
      [&](auto i, auto j) { r[i] = fma(system.curvature(K, i, j), v[j], r[i]); });
  return r;
}
/// W(multiplier) v = sum_k multiplier_k A_k v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> weighted_curvature_times(
    const System& system, const Vec<Scalar, System::constraints>& multiplier,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::constraints>([&](auto k) {
    for_each_curvature_entry<System, k.value>(
        [&](auto i, auto j) { r[i] = fma(multiplier[k] * system.curvature(k, i, j), v[j], r[i]); });
  });
  return r;
}
/// Entry (I, J) of W(multiplier).
template <class System, int I, int J, class Scalar = typename System::Scalar>
LIVENS_HD Scalar weighted_curvature(const System& system,
                                    const Vec<Scalar, System::constraints>& multiplier) {
  Scalar r = Scalar(0.0);
  for_each_entry<System::constraints, 1, DeclaredCurving<System, I, J>>(
      [&](auto k, auto) { r = fma(multiplier[k], system.curvature(k, I, J), r); });
  return r;
}
/// C v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> viscous_force(const System& system,
                                                         const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_entry<System::coordinates, System::coordinates, DeclaredStiffness<System>>(
      [&](auto i, auto j) { r[i] = fma(system.damping(i, j), v[j], r[i]); });
  return r;
}

}  // namespace livens::inline LIVENS_ISA
