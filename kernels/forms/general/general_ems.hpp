#pragma once
// The energy-momentum scheme for any mechanism with a constant regular M: equations/general.md, section 2.
//   (a) Dq = h (v0 + v1)/2 + h M^-1 G_m^T gamma,         v_i = M^-1 (p_i - a(q_i, t_i))
//   (b) p1 - p0 = h Dbar_q L(., w) - h G_m^T lambda - h G_m'^T gamma - h D_v R(q_m, w, t_m) + h F_m
//   (c) g(q1, t1) = 0           (d) G(q1, t1) v1 + g_t(q1, t1) = 0
//   (f) E1 - E0 = - h w.D_v R + Dq.F_m + h [lambda.Dbar_t g + gamma.(Dbar_t g)'] - h Dbar_t L(., w)
// Unknowns Dq, h^2 lambda, h gamma; v1 is what (a) makes of them.

#include "kernels/forms/general/general_form.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct GeneralEmsRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, unknowns = d + 2 * m, momentum_rows = d;
  static constexpr bool has_gamma = true, alternating = false;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }

  LIVENS_HD explicit GeneralEmsRule(const Settings&) {}

  template <class Node>
  static LIVENS_HD Unknowns guess(const Step& at, const Node& now) {
    Unknowns x = zero_vector<Scalar, unknowns>();
    set_part<0>(x, at.h * at.v0);
    set_part<d>(x, (at.h * at.h) * part<0, m>(now.multipliers));
    set_part<d + m>(x, at.h * part<System::constraints, m>(now.multipliers));
    return x;
  }

  /// v1 of (a).
  template <class Rows, class Number>
  static LIVENS_HD Vec<Number, d> last_velocity(const Step& at, const Rows& G_m,
                                                const Vec<Number, unknowns>& x) {
    auto slip = zero_vector<Number, d>();
    add_transposed(G_m, part<d + m, m>(x), slip);
    return Scalar(2.0) * at.velocity(part<0, d>(x) - at.system.inertia.solve(slip)) - at.v0;
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Vec<Number, d> Dq = part<0, d>(x), q1 = at.q0 + Dq, q_m = fma(Scalar(0.5), Dq, at.q0),
                         w = at.velocity(Dq);
    const Scalar& h = at.h;
    const auto G_m = at.mean_rows(q1);
    const Vec<Number, d> v1 = last_velocity(at, G_m, x), y1 = h * v1;
    const auto Dbar = at.system.discrete_lagrangian_gradient(at.q0, at.t0, q1, at.t1, w);
    const auto change = momentum_at(at.system, q1, v1, at.t1) - at.p0;
    const auto force = part<0, d>(Dbar) + at.mean_load(q_m, w) - at.lost(q_m, w, at.time(Scalar(0.5)));
    Vec<Number, d> balance = fnma(h * h, force, h * change);
    add_transposed(G_m, part<d, m>(x), balance);
    add_transposed(at.mean_rows_change(q1, h * at.v0, y1), part<d + m, m>(x), balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);                             // (b)
    set_part<d>(r, positions_at(at.system, q1, at.t1));  // (c)
    set_part<d + m>(r, at.rates(q1, at.t1, y1));         // (d)
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Position Dq = part<0, d>(x), q_m = fma(Scalar(0.5), Dq, at.q0), w = at.velocity(Dq);
    const Scalar& h = at.h;
    const Scalar per_h = Scalar(1.0) / h;
    next.q = at.q0 + Dq;
    const auto G_m = at.mean_rows(next.q);
    next.v = last_velocity(at, G_m, x);
    next.p = momentum_at(at.system, next.q, next.v, at.t1);
    const auto lambda = (per_h * per_h) * part<d, m>(x), gamma = per_h * part<d + m, m>(x);
    next.multipliers = stored(lambda, gamma);
    at.count_loss(q_m, w, at.time(Scalar(0.5)), Dq, exchange);  // (f)
    const auto Dbar = at.system.discrete_lagrangian_gradient(at.q0, at.t0, next.q, at.t1, w);
    const auto moved = at.mean_rows_change(next.q, h * at.v0, h * next.v);
    exchange.work = exchange.work + dot(Dq, at.mean_load(q_m, w)) +
                    h * (inner(lambda, Step::of_time(G_m)) - Dbar[d]) + inner(gamma, Step::of_time(moved));
  }
};

template <GeneralHolonomic System>
using GeneralEms = GeneralForm<System, GeneralEmsRule>;

}  // namespace livens::inline LIVENS_ISA
