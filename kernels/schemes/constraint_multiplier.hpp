#pragma once
// The multiplier that takes a velocity's part normal to the constraints away: (G M^-1 G^T) mu = G v, so that
// v - M^-1 G^T mu is tangential. The matrix couples only constraints that share inertia.

#include "kernels/math/bit_matrix.hpp"
#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct NormalPattern {
  static constexpr int d = System::coordinates, size = System::constraints;
  static constexpr auto rows = BitMatrix<size, d>::of([](int k, int i) { return System::constrains(k, i); });
  static constexpr auto coupled =
      rows * BitMatrix<d, d>::of([](int i, int j) { return System::Inertia::nonzero(i, j); }) *
      rows.transposed();
  static constexpr bool nonzero(int k, int l) { return coupled(k, l); }
  constexpr bool operator()(int k, int l) const { return nonzero(k, l); }
};

/// (G B G^T) mu = G v for a mobility B that couples no more than M^-1 does.
template <class System, class Mobility, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> solve_normal_equations(
    const Mobility& mobility, const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  constexpr int d = System::coordinates, m = System::constraints;
  using Pattern = NormalPattern<System>;
  SparseMatrix<Scalar, Pattern> S;
  S.clear();
  unroll<m>([&](auto l) {
    const Vec<Scalar, d> moved = mobility(constraint_row<System, l.value>(G));
    unroll<m>([&](auto k) {
      if constexpr (Pattern::nonzero(k.value, l.value)) {
        Scalar sum = Scalar(0.0);
        unroll<d>([&](auto i) {
          if constexpr (System::constrains(k.value, i.value)) sum = fma(G(k, i), moved[i], sum);
        });
        S.template at<k.value, l.value>() = sum;
      }
    });
  });
  Vec<Scalar, m> multiplier = times<System>(G, v);
  if constexpr (m > 0) solve_unpivoted(S, multiplier);
  return multiplier;
}

template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> constraint_multiplier(
    const System& system, const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  return solve_normal_equations<System>([&](const auto& row) { return system.inertia.solve(row); }, G, v);
}
/// The same without M^-1: v - G^T mu is tangential.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> unweighted_multiplier(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  return solve_normal_equations<System>([](const auto& row) { return row; }, G, v);
}

}  // namespace livens::inline LIVENS_ISA
