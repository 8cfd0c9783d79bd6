#pragma once
// The Livens scheme for any mechanism, also with rows of velocities: equations/general.md, section 8.
//   (a) Dq = h (v0 + v1)/2,    (p0 + p1)/2 = [L_v(q0, w, t0) + L_v(q1, w, t1)]/2
//   (b) p1 - p0 = h/2 [Dbar_q L(., v0) + Dbar_q L(., v1)] - h G_m^T lambda - h A_m^T kappa
//                 - h D_v R(q_m, w, t_m) + h F_m
//   (c) g(q1, t1) = 0,          A_m w + b(q_m, t_m) = 0,   A_m = A(q_m, t_m)
//   (d) E1 - E0 = -h w.D_v R + Dq.F_m + h [lambda.Dbar_t g + kappa.b(q_m, t_m)]
//                 - h/2 [Dbar_t L(., v0) + Dbar_t L(., v1)],   E = p.v - L
// Unknowns Dq, h^2 lambda, h^2 kappa. kappa is stored behind lambda.

#include "kernels/forms/general/general_form.hpp"
#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct GeneralLivensRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, a = Step::a, unknowns = d + m + a, momentum_rows = d;
  static constexpr bool has_gamma = false, alternating = false;
  static constexpr bool fixed_options = true;  ///< its discrete gradients are the system's
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }

  LIVENS_HD explicit GeneralLivensRule(const Settings&) {}

  template <class Node>
  static LIVENS_HD Unknowns guess(const Step& at, const Node& now) {
    Unknowns x;
    set_part<0>(x, at.h * at.v0);
    set_part<d>(x, (at.h * at.h) * part<0, m + a>(now.multipliers));
    return x;
  }
  /// (d): p.v - L, with the p and v that are carried.
  template <class Node, class Measured>
  static LIVENS_HD Scalar energy(const System& system, const Node& n, const Measured& measured) {
    const Position Mv = inertia_at(system, n.q, n.time).times(n.v);
    const Position off = n.p - (Mv + shift_at(system, n.q, n.time));
    return measured.energy + dot(off, n.v);
  }

  /// (a): p0 + p1.
  template <class Q>
  static LIVENS_HD auto momenta(const Step& at, const Vec<Q, d>& q1, const Vec<Q, d>& w) {
    return momentum_at(at.system, at.q0, w, at.t0) + momentum_at(at.system, q1, w, at.t1);
  }
  /// The mean of Dbar L.
  template <class Q>
  static LIVENS_HD auto discrete_gradients(const Step& at, const Vec<Q, d>& q1, const Vec<Q, d>& w) {
    const Vec<Q, d> v1 = Scalar(2.0) * w - at.v0;
    return at.system.mean_discrete_gradient(at.q0, at.t0, q1, at.t1, at.v0, v1);
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Vec<Number, d> Dq = part<0, d>(x), q1 = at.q0 + Dq, q_m = fma(Scalar(0.5), Dq, at.q0),
                         w = at.velocity(Dq);
    const Scalar &h = at.h, half = Scalar(0.5), t_m = at.time(half);
    const auto force =
        part<0, d>(discrete_gradients(at, q1, w)) + at.mean_load(q_m, w) - at.lost(q_m, w, t_m);
    Vec<Number, d> balance = fnma(h * h, force, h * (momenta(at, q1, w) - Scalar(2.0) * at.p0));
    const auto A_m = at.velocity_rows(q_m, t_m);
    add_transposed(at.mean_rows(q1), part<d, m>(x), balance);
    add_transposed(A_m, part<d + m, a>(x), balance);
    const auto off = positions_at(at.system, q1, at.t1);                              // (c)
    const auto sliding = fma(h, at.velocity_offsets(q_m, t_m), rows_times(A_m, Dq));  // (c)
    at.regularize(at.rows(at.q0, at.t0), off, balance);
    at.regularize(at.velocity_rows(at.q0, at.t0), sliding, balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);  // (b)
    set_part<d>(r, off);
    set_part<d + m>(r, sliding);
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Position Dq = part<0, d>(x), q_m = fma(Scalar(0.5), Dq, at.q0), w = at.velocity(Dq);
    const Scalar &h = at.h, half = Scalar(0.5), t_m = at.time(half);
    const Scalar per_h = Scalar(1.0) / h;
    next.q = at.q0 + Dq;
    next.v = Scalar(2.0) * w - at.v0;
    next.p = momenta(at, next.q, w) - at.p0;
    const auto multipliers = (per_h * per_h) * part<d, m + a>(x);
    next.multipliers = stored(multipliers, zero_vector<Scalar, m + a>());
    at.count_loss(q_m, w, t_m, Dq, exchange);  // (d)
    const Scalar of_rows = inner(part<0, m>(multipliers), Step::of_time(at.mean_rows(next.q))) +
                           inner(part<m, a>(multipliers), at.velocity_offsets(q_m, t_m));
    exchange.work =
        exchange.work + dot(Dq, at.mean_load(q_m, w)) + h * (of_rows - discrete_gradients(at, next.q, w)[d]);
  }
};

template <GeneralTerms System>
using GeneralLivens = GeneralForm<System, GeneralLivensRule>;

}  // namespace livens::inline LIVENS_ISA
