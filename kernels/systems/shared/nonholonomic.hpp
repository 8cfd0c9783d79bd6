#pragma once
// Velocities under nonholonomic constraints A(q) v + b(q) = 0, m rows.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// A v + r, given A(q).
template <ContactSystem System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> along_rows(
    const Mat<Scalar, System::constraints, System::coordinates>& A, const Vec<Scalar, System::coordinates>& v,
    Vec<Scalar, System::constraints> r) {
  constexpr int m = System::constraints, leading = ChaplyginSystem<System> ? m : 0;
  if constexpr (leading > 0) r = r + part<0, m>(v);
  unroll<m>([&](auto k) {
    unroll<System::coordinates - leading>(
        [&](auto i) { r[k] = fma(A(k, leading + i), v[leading + i], r[k]); });
  });
  return r;
}
/// A(q) v + b(q); b = 0 where a system has none.
template <ContactSystem System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> constraint_rates(const System& system,
                                                            const Vec<Scalar, System::coordinates>& q,
                                                            const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::constraints> b = zero_vector<Scalar, System::constraints>();
  if constexpr (AffineConstraints<System>) b = system.constraint_offset(q);
  return along_rows<System>(system.constraint_matrix(q), v, b);
}

/// Row K of A.
template <int K, class Scalar, int M, int D>
LIVENS_HD Vec<Scalar, D> row_of(const Mat<Scalar, M, D>& A) {
  Vec<Scalar, D> r;
  unroll<D>([&](auto i) { r[i] = A(K, i); });
  return r;
}
/// mu with A W A^T mu = A x for a positive definite W, given as the rows of A W: no pivots are needed.
template <class Scalar, int M, int D>
LIVENS_HD Vec<Scalar, M> weighted_multiplier(const Mat<Scalar, M, D>& A, const Vec<Scalar, D> (&AW)[M],
                                             Vec<Scalar, M> rates) {
  DenseMatrix<Scalar, M> S;
  unroll<M>([&](auto k) { unroll<M>([&](auto l) { S.at(k, l) = dot(row_of<k.value>(A), AW[l]); }); });
  solve_unpivoted(S, rates);
  return rates;
}

/// A velocity on the constraint, and the impulse A^T mu that brought it there.
template <class Scalar, int D, int M>
struct ConstrainedVelocity {
  Vec<Scalar, D> v;
  Vec<Scalar, M> mu;
};

/// The velocity nearest to v in the metric M with A v + b = 0: v - M^-1 A^T mu.
template <ContactSystem System, class Scalar = typename System::Scalar>
LIVENS_HD ConstrainedVelocity<Scalar, System::coordinates, System::constraints> onto_constraint(
    const System& system, const Vec<Scalar, System::coordinates>& q,
    const Vec<Scalar, System::coordinates>& v) {
  constexpr int d = System::coordinates, m = System::constraints;
  const auto A = system.constraint_matrix(q);
  const auto M = inertia_at(system, q);
  Vec<Scalar, d> mobile[m];
  unroll<m>([&](auto k) { mobile[k] = M.solve(row_of<k.value>(A)); });
  const Vec<Scalar, m> mu = weighted_multiplier(A, mobile, constraint_rates(system, q, v));
  Vec<Scalar, d> on = v;
  unroll<m>([&](auto k) { on = fnma(mu[k], mobile[k], on); });
  return {on, mu};
}

}  // namespace livens::inline LIVENS_ISA
