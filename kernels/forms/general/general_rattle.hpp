#pragma once
// RATTLE for any mechanism with a constant regular M: equations/general.md, section 6.
//   (a) p_m = [L_v(q0, w, t0) + L_v(q1, w, t1)]/2 = M w + (a0 + a1)/2
//   (b) p_m = p0 + h/2 [L_q(q0, w, t0) + Q(q0, w, t0) - G(q0, t0)^T lambda],      g(q1, t1) = 0
//   (c) p1 = p_m + h/2 [L_q(q1, w, t1) + Q(q1, w, t1) - G(q1, t1)^T mu],           G(q1, t1) v1 + g_t(q1, t1) = 0
// Unknowns Dq, h^2 lambda; (c) is one linear solve, and mu is stored as gamma.

#include "kernels/forms/general/general_form.hpp"
#include "kernels/schemes/rattle.hpp"

namespace livens::inline LIVENS_ISA {

/// p - G^T nu with G M^-1 (p - a) + g_t = 0, and nu.
template <class Scalar, int D, int M>
struct OntoRows {
  Vec<Scalar, D> p;
  Vec<Scalar, M> nu;
};
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD OntoRows<Scalar, System::coordinates, System::position_rows> onto_rows(
    const GeneralStep<System>& at, const Vec<Scalar, System::coordinates>& q, const Scalar& t,
    Vec<Scalar, System::coordinates> p) {
  constexpr int d = System::coordinates, m = System::position_rows;
  Vec<Scalar, m> nu = zero_vector<Scalar, m>();
  if constexpr (m > 0) {
    const auto G = at.rows(q, t);
    nu = rows_times(G, velocity_at(at.system, q, p, t)) + at.row_rates(q, t);
    DenseMatrix<Scalar, m> S;
    for (int l = 0; l < m; ++l) {
      Vec<Scalar, d> row;
      for (int i = 0; i < d; ++i) row[i] = G(l, i);
      const Vec<Scalar, m> column = rows_times(G, at.system.inertia.solve(row));
      for (int k = 0; k < m; ++k) S.at(k, l) = column[k];
    }
    if constexpr (requires { at.system.touches; }) {
      constexpr int first = m - System::walls;
      for (int k = first; k < m; ++k) S.at(k, k) = S.at(k, k) + (Scalar(1.0) - at.system.touches[k - first]);
    }
    solve_unpivoted(S, nu);
    add_transposed(G, Scalar(-1.0) * nu, p);
  }
  return {p, nu};
}

template <class System>
struct GeneralRattleRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, unknowns = d + m, momentum_rows = d;
  static constexpr bool has_gamma = true, alternating = false;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }

  LIVENS_HD explicit GeneralRattleRule(const Settings&) {}

  template <class Node>
  static LIVENS_HD Unknowns guess(const Step& at, const Node& now) {
    Unknowns x;
    set_part<0>(x, at.h * at.v0);
    set_part<d>(x, (at.h * at.h) * part<0, m>(now.multipliers));
    return x;
  }

  /// h (p_m - p0) of (a).
  template <class Q>
  static LIVENS_HD Vec<Q, d> change(const Step& at, const Vec<Q, d>& q1, const Vec<Q, d>& Dq) {
    const auto mean = Scalar(0.5) * (shift_at(at.system, at.q0, at.t0) + shift_at(at.system, q1, at.t1));
    return at.system.inertia.times(Dq) + at.h * (mean - at.p0);
  }
  /// L_q + Q.
  template <class Q, class V>
  static LIVENS_HD auto force(const Step& at, const Vec<Q, d>& q, const Vec<V, d>& w, const Scalar& t) {
    return at.system.lagrangian_gradient(q, w, t) + at.load_and_loss(q, w, t);
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Vec<Number, d> Dq = part<0, d>(x), q1 = at.q0 + Dq, w = at.velocity(Dq);
    const Scalar &h = at.h, half = Scalar(0.5);
    Vec<Number, d> balance = fnma(half * h * h, force(at, at.q0, w, at.t0), change(at, q1, Dq));
    add_transposed(at.rows(at.q0, at.t0), half * part<d, m>(x), balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);  // (b)
    set_part<d>(r, positions_at(at.system, q1, at.t1));
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Position Dq = part<0, d>(x), w = at.velocity(Dq);
    const Scalar &h = at.h, half = Scalar(0.5), half_h = half * h, per_h = Scalar(1.0) / h;
    next.q = at.q0 + Dq;
    const Position p_m = at.p0 + over_step(change(at, next.q, Dq), h),
                   without = fma(half_h, force(at, next.q, w, at.t1), p_m);
    const auto end = onto_rows(at, next.q, at.t1, without);  // (c)
    next.p = end.p;
    next.v = velocity_at(at.system, next.q, next.p, at.t1);
    const auto lambda = (per_h * per_h) * part<d, m>(x), mu = (Scalar(2.0) * per_h) * end.nu;
    next.multipliers = stored(lambda, mu);
    at.count_loss(at.q0, w, at.t0, half * Dq, exchange);
    at.count_loss(next.q, w, at.t1, half * Dq, exchange);
    const Scalar of_loads = half * dot(Dq, at.loaded(at.q0, w, at.t0) + at.loaded(next.q, w, at.t1));
    const Scalar of_time =
        at.system.lagrangian_rate(at.q0, w, at.t0) + at.system.lagrangian_rate(next.q, w, at.t1);
    const Scalar of_rows = inner(lambda, at.row_rates(at.q0, at.t0)) + inner(mu, at.row_rates(next.q, at.t1));
    exchange.work = exchange.work + of_loads + half_h * (of_rows - of_time);
  }
};

template <GeneralHolonomic System>
using GeneralRattle = GeneralForm<System, GeneralRattleRule>;

}  // namespace livens::inline LIVENS_ISA
