#pragma once
// The midpoint scheme of the GGL principle for any mechanism with a constant regular M: equations/general.md,
// section 3.
//   (a) Dq = h (v0 + v1)/2 + h G(q_m, t_m)^T gamma
//   (b) p1 - p0 = h L_q(q_m, w, t_m) - h G(q_m, t_m)^T lambda - h D_v R(q_m, w, t_m) + h F_m
//   (c) g(q1, t1) = 0           (d) G(q1, t1) v1 + g_t(q1, t1) = 0
// Unknowns Dq, h^2 lambda, h gamma.

#include "kernels/forms/general/general_ems.hpp"
#include "kernels/schemes/ggl_mp.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct GeneralGglMpRule : GeneralEmsRule<System> {
  using Base = GeneralEmsRule<System>;
  using Scalar = typename System::Scalar;
  using typename Base::Position;
  using typename Base::Step;
  using typename Base::Unknowns;
  static constexpr int d = Base::d, m = Base::m, unknowns = Base::unknowns;
  static constexpr const SchemeInfo& info() { return GglMpDescription::info; }

  LIVENS_HD explicit GeneralGglMpRule(const Settings& settings) : Base(settings) {}

  /// v1 of (a).
  template <class Rows, class Number>
  static LIVENS_HD Vec<Number, d> last_velocity(const Step& at, const Rows& G_m,
                                                const Vec<Number, unknowns>& x) {
    auto slip = zero_vector<Number, d>();
    add_transposed(G_m, part<d + m, m>(x), slip);
    return Scalar(2.0) * at.velocity(part<0, d>(x) - slip) - at.v0;
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Vec<Number, d> Dq = part<0, d>(x), q1 = at.q0 + Dq, q_m = fma(Scalar(0.5), Dq, at.q0),
                         w = at.velocity(Dq);
    const Scalar &h = at.h, t_m = at.time(Scalar(0.5));
    const auto G_m = at.rows(q_m, t_m);
    const Vec<Number, d> v1 = last_velocity(at, G_m, x), y1 = h * v1;
    const auto change = momentum_at(at.system, q1, v1, at.t1) - at.p0;
    const auto force =
        at.system.lagrangian_gradient(q_m, w, t_m) + at.mean_load(q_m, w) - at.lost(q_m, w, t_m);
    Vec<Number, d> balance = fnma(h * h, force, h * change);
    add_transposed(G_m, part<d, m>(x), balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);                             // (b)
    set_part<d>(r, positions_at(at.system, q1, at.t1));  // (c)
    set_part<d + m>(r, at.rates(q1, at.t1, y1));         // (d)
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Position Dq = part<0, d>(x), q_m = fma(Scalar(0.5), Dq, at.q0), w = at.velocity(Dq);
    const Scalar &h = at.h, t_m = at.time(Scalar(0.5));
    const Scalar per_h = Scalar(1.0) / h;
    next.q = at.q0 + Dq;
    next.v = last_velocity(at, at.rows(q_m, t_m), x);
    next.p = momentum_at(at.system, next.q, next.v, at.t1);
    const auto lambda = (per_h * per_h) * part<d, m>(x);
    next.multipliers = stored(lambda, per_h * part<d + m, m>(x));
    at.count_loss(q_m, w, t_m, Dq, exchange);
    exchange.work = exchange.work + dot(Dq, at.mean_load(q_m, w)) +
                    h * (inner(lambda, at.row_rates(q_m, t_m)) - at.system.lagrangian_rate(q_m, w, t_m));
  }
};

template <GeneralHolonomic System>
using GeneralGglMp = GeneralForm<System, GeneralGglMpRule>;

}  // namespace livens::inline LIVENS_ISA
