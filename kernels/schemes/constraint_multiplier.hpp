#pragma once
// The multiplier that takes a velocity's part normal to the constraints away: (G M^-1 G^T) mu = G v, so that
// v - M^-1 G^T mu is tangential. The matrix couples only constraints that share inertia.

#include "kernels/math/bit_matrix.hpp"
#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

/// Where the rows of G B, and G B G^T, may be non-zero, for a mobility B that couples what it declares.
template <class System, class Mobility>
struct NormalPattern {
  static constexpr int d = System::coordinates, size = System::constraints;
  static constexpr auto rows = BitMatrix<size, d>::of([](int k, int i) { return System::constrains(k, i); });
  static constexpr auto moved = rows * BitMatrix<d, d>::of(Mobility{});
  static constexpr auto coupled = moved * rows.transposed();
  static constexpr bool nonzero(int k, int l) { return coupled(k, l); }

  // As types, for lists of entries.
  struct Moved {
    constexpr bool operator()(int k, int i) const { return moved(k, i); }
  };
  struct MovedTransposed {
    constexpr bool operator()(int i, int k) const { return moved(k, i); }
  };
};

/// G B for the mobility B with the entries mobility(i, j); what is not declared is unspecified.
template <class System, class Declared, class Mobility, class Scalar = typename System::Scalar>
LIVENS_HD Mat<Scalar, System::constraints, System::coordinates> moved_rows(
    const Mobility& mobility, const Mat<Scalar, System::constraints, System::coordinates>& G) {
  constexpr int d = System::coordinates, m = System::constraints;
  Mat<Scalar, m, d> moved;
  for_each_entry<m, d, typename NormalPattern<System, Declared>::Moved>(
      [&](auto l, auto i) { moved(l, i) = Scalar(0.0); });
  for_each_product<m, d, d, DeclaredConstraints<System>, Declared>(
      [&](auto l, auto j, auto i) { moved(l, i) = fma(mobility(i, j), G(l, j), moved(l, i)); });
  return moved;
}
/// (G B G^T) mu = G v.
template <class System, class Declared, class Mobility, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> solve_normal_equations(
    const Mobility& mobility, const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  constexpr int d = System::coordinates, m = System::constraints;
  using Pattern = NormalPattern<System, Declared>;
  const Mat<Scalar, m, d> moved = moved_rows<System, Declared>(mobility, G);
  SparseMatrix<Scalar, Pattern> S;
  S.clear();
  for_each_product<m, d, m, DeclaredConstraints<System>, typename Pattern::MovedTransposed>(
      [&](auto k, auto i, auto l) {
        Scalar& entry = S.template at<k.value, l.value>();
        entry = fma(G(k, i), moved(l, i), entry);
      });
  Vec<Scalar, m> multiplier = times<System>(G, v);
  if constexpr (m > 0) solve_unpivoted(S, multiplier);
  return multiplier;
}

template <class System>
struct DeclaredMobility {
  constexpr bool operator()(int i, int j) const { return System::Inertia::nonzero(i, j); }
};
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> constraint_multiplier(
    const System& system, const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  return solve_normal_equations<System, DeclaredMobility<System>>(
      [&](int i, int j) { return system.inertia.inverse_entry(i, j); }, G, v);
}
/// The same without M^-1: v - G^T mu is tangential.
struct OnDiagonal {
  constexpr bool operator()(int i, int j) const { return i == j; }
};
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> unweighted_multiplier(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  return solve_normal_equations<System, OnDiagonal>([](int, int) { return Scalar(1.0); }, G, v);
}

}  // namespace livens::inline LIVENS_ISA
