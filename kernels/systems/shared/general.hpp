#pragma once
// A mechanism with everything that a text can say (equations/general.md):
//   L = T - V,  T = 1/2 v.M(q, t) v + a(q, t).v + c(q, t),  p = M v + a,  forces F(q, v, t) - D_v R(q, v, t),
//   rows g(q, t) = 0 and A(q, t) v + b(q, t) = 0
// (stepping/general_nodes.hpp: how its states are measured and made consistent.)

#include "kernels/systems/shared/concept.hpp"
#include "kernels/systems/shared/patterned_mat.hpp"

namespace livens::inline LIVENS_ISA {

/// The terms that a form for any mechanism takes: L_q and L_t, their discrete gradient (d entries and the one
/// of t), the rows with theirs. A term that a system does not have is missing from its class: `shift` a,
/// `offset` c, `force` F, `resistance` D_v R. couples(i, j): one of these terms in the balance of coordinate i
/// depends on q_j or v_j; rows_couple(i, j): one of the entries of rows that stand in it depends on q_j;
/// rate_involves(k, j): row k of A v + b depends on q_j or v_j.
template <class System>
concept GeneralTerms = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& q,
             const typename System::Scalar& t) {
  system.potential(q, t);
  system.lagrangian_gradient(q, q, t);
  system.lagrangian_rate(q, q, t);
  system.discrete_lagrangian_gradient(q, t, q, t, q);
  { System::position_rows } -> std::convertible_to<int>;
  { System::velocity_rows } -> std::convertible_to<int>;
};
/// Nothing but a form for any mechanism runs it.
template <class System>
concept GeneralSystem = GeneralTerms<System> && !PositionConstraints<System> && !ContactSystem<System>;

/// M is constant and has an inverse, and there are no rows of velocities.
template <class System>
concept GeneralHolonomic = GeneralTerms<System> && ConstantRegularMass<System> && System::velocity_rows == 0;

/// M(q, t).
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD auto inertia_at(const System& system, const Position& q, const Scalar& t) {
  if constexpr (requires { system.inertia; })
    return system.inertia;
  else if constexpr (requires { system.inertia_of(q, t); })
    return system.inertia_of(q, t);
  else
    return system.inertia_of(q);
}
template <class System>
concept HasRegularMass = requires(const System& system,
                                  const Vec<typename System::Scalar, System::coordinates>& q,
                                  const typename System::Scalar& t) {
  inertia_at(system, q, t).solve(q);
};

/// M, of either kind of system, at the time t.
template <class System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD auto mass_at(const System& system, const Position& q, const Scalar& t = Scalar(0.0)) {
  if constexpr (GeneralSystem<System>)
    return inertia_at(system, q, t);
  else
    return inertia_at(system, q);
}

/// a(q, t).
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD auto shift_at(const System& system, const Position& q, const Scalar& t) {
  if constexpr (requires { system.shift(q, t); })
    return system.shift(q, t);
  else
    return zero_vector<Scalar, System::coordinates>();
}
/// L_v = M v + a.
template <GeneralTerms System, class Position, class Velocity, class Scalar = typename System::Scalar>
LIVENS_HD auto momentum_at(const System& system, const Position& q, const Velocity& v, const Scalar& t) {
  const auto mass_part = inertia_at(system, q, t).times(v);
  if constexpr (requires { system.shift(q, t); })
    return mass_part + system.shift(q, t);
  else
    return mass_part;
}
/// M^-1 (p - a); not a number where M has no inverse.
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD Position velocity_at(const System& system, const Position& q, const Position& p, const Scalar& t) {
  const auto M = inertia_at(system, q, t);
  if constexpr (!requires { M.solve(p); })
    return Scalar(__builtin_nan("")) * p;
  else if constexpr (requires { system.shift(q, t); })
    return M.solve(p - system.shift(q, t));
  else
    return M.solve(p);
}
/// 1/2 v.M v - c.
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD Scalar kinetic_at(const System& system, const Position& q, const Position& v, const Scalar& t) {
  const Scalar square = Scalar(0.5) * dot(v, inertia_at(system, q, t).times(v));
  if constexpr (requires { system.offset(q, t); })
    return square - system.offset(q, t);
  else
    return square;
}

/// T = 1/2 v.M v + a.v + c.
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD Scalar lagrangian_kinetic(const System& system, const Position& q, const Position& v,
                                    const Scalar& t) {
  Scalar T = Scalar(0.5) * dot(v, inertia_at(system, q, t).times(v));
  if constexpr (requires { system.shift(q, t); }) T = T + dot(v, system.shift(q, t));
  if constexpr (requires { system.offset(q, t); }) T = T + system.offset(q, t);
  return T;
}

/// A x, or A^T y, for rows of any entries.
template <class Entry, class X, int M, int D>
LIVENS_HD Vec<Sum<Entry, X>, M> rows_times(const Mat<Entry, M, D>& A, const Vec<X, D>& x) {
  auto r = zero_vector<Sum<Entry, X>, M>();
  if constexpr (M > 0)
    for (int k = 0; k < M; ++k)
      for (int i = 0; i < D; ++i) r[k] = fma(A(k, i), x[i], r[k]);
  return r;
}
template <class Entry, class X, int M, int Columns, class Pattern, int D>
LIVENS_HD Vec<Sum<Entry, X>, M> rows_times(const PatternedMat<Entry, M, Columns, Pattern>& A,
                                           const Vec<X, D>& x) {
  auto r = zero_vector<Sum<Entry, X>, M>();
  A.for_each([&](int k, int i, const Entry& entry) { r[k] = fma(entry, x[i], r[k]); });
  return r;
}
/// Of the first D columns.
template <class Entry, class Y, class S, int M, int Columns, int D>
LIVENS_HD void add_transposed(const Mat<Entry, M, Columns>& A, const Vec<Y, M>& y, Vec<S, D>& sum) {
  if constexpr (M > 0)
    for (int k = 0; k < M; ++k)
      for (int i = 0; i < D; ++i) sum[i] = fma(A(k, i), y[k], sum[i]);
}
template <class Entry, class Y, class S, int M, int Columns, class Pattern, int D>
LIVENS_HD void add_transposed(const PatternedMat<Entry, M, Columns, Pattern>& A, const Vec<Y, M>& y,
                              Vec<S, D>& sum) {
  A.for_each([&](int k, int i, const Entry& entry) {
    if (i < D) sum[i] = fma(entry, y[k], sum[i]);
  });
}

/// g(q, t).
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD auto positions_at(const System& system, const Position& q, const Scalar& t) {
  if constexpr (System::position_rows > 0)
    return system.constraints_at(q, t);
  else
    return Vec<Scalar, 0>{};
}
/// G v + g_t, and then A v + b.
template <GeneralTerms System, class Position, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> rates_at(const System& system, const Position& q,
                                                    const Position& v, const Scalar& t) {
  Vec<Scalar, System::constraints> r = zero_vector<Scalar, System::constraints>();
  if constexpr (System::position_rows > 0)
    set_part<0>(r, rows_times(system.constraint_jacobian(q, t), v) + system.constraint_rate(q, t));
  if constexpr (System::velocity_rows > 0)
    set_part<System::position_rows>(r, rows_times(system.rate_matrix(q, t), v) + system.rate_offset(q, t));
  return r;
}

}  // namespace livens::inline LIVENS_ISA
