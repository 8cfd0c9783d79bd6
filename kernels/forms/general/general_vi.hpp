#pragma once
// The one-stage GGL variational integrators for any mechanism with a constant regular M: equations/general.md,
// section 4. q_a = q0 + alpha Dq, t_a = t0 + alpha h, G_a = G(q_a, t_a).
//   (a) q1 = q0 + h v + h M^-1 G_a^T gamma
//   (b) M v + a(q_a, t_a) = p0 + (1 - alpha) h f - l0
//   (c) p1 = M v + a(q_a, t_a) + alpha h f - l1
//   (d) f = L_q(q_a, w, t_a) - G'(v)(q_a, t_a)^T gamma + Q(q_a, w, t_a)
//   (e) G_a v + g_t(q_a, t_a) = 0
//   (f) vi_a: g(q_a, t_a) = 0, l0 = (1 - alpha) h G_a^T lambda, l1 = alpha h G_a^T lambda
//       vi_b: g(q1, t1) = 0,   l0 = (1 - theta) h G(q0, t0)^T lambda, l1 = theta h G(q1, t1)^T lambda
// Unknowns Dq, h^2 lambda, h gamma; v is what (a) makes of them.

#include <utility>

#include "kernels/forms/general/general_ems.hpp"

namespace livens::inline LIVENS_ISA {

/// Choice: info(), alpha(settings), theta(settings), and at_nodes: (f) of vi_b.
template <class System, class Choice>
struct GeneralViRule : GeneralEmsRule<System> {
  using Base = GeneralEmsRule<System>;
  using Scalar = typename System::Scalar;
  using typename Base::Position;
  using typename Base::Step;
  using typename Base::Unknowns;
  static constexpr int d = Base::d, m = Base::m, unknowns = Base::unknowns;
  static constexpr bool alternating = !Choice::at_nodes;
  static constexpr const SchemeInfo& info() { return Choice::info(); }

  LIVENS_HD explicit GeneralViRule(const Settings& settings)
      : Base(settings), alpha_(Choice::alpha(settings)), theta_(Choice::theta(settings)) {}

  /// H(q, p), or where the momentum is off the rows as the velocity is, the same.
  template <class Node, class Measured>
  static LIVENS_HD Scalar energy(const System& system, const Node& n, const Measured&) {
    const Position u = velocity_at(system, n.q, n.p, n.time);
    return kinetic_at(system, n.q, u, n.time) + system.potential(n.q, n.time);
  }

  template <class Number>
  struct Stage {
    Vec<Number, d> Dq, q1, q_a, y, w, change, hhf;  ///< h (M v + a - p0), h^2 f
    Scalar t_a;
    decltype(std::declval<Step>().rows(std::declval<Vec<Number, d>>(), std::declval<Scalar>())) G_a;
  };
  template <class Number>
  LIVENS_HD Stage<Number> stage(const Step& at, const Vec<Number, unknowns>& x) const {
    Stage<Number> s;
    s.Dq = part<0, d>(x);
    s.q1 = at.q0 + s.Dq;
    s.q_a = fma(alpha_, s.Dq, at.q0);
    s.t_a = at.time(alpha_);
    s.w = at.velocity(s.Dq);
    s.G_a = at.rows(s.q_a, s.t_a);
    auto slip = zero_vector<Number, d>();
    add_transposed(s.G_a, part<d + m, m>(x), slip);
    s.y = s.Dq - at.system.inertia.solve(slip);  // (a)
    s.change = at.momentum_change(s.q_a, s.y, s.t_a);
    const auto force = at.system.lagrangian_gradient(s.q_a, s.w, s.t_a) + at.load_and_loss(s.q_a, s.w, s.t_a);
    s.hhf = constants<Number>((at.h * at.h) * force);  // (d)
    add_transposed(at.rows_change(s.q_a, s.t_a, s.y), Scalar(-1.0) * part<d + m, m>(x), s.hhf);
    return s;
  }
  /// h l0, h l1 of (f).
  template <class Number>
  LIVENS_HD Vec<Number, d> impulse_before(const Step& at, const Stage<Number>& s,
                                          const Vec<Number, unknowns>& x) const {
    auto r = zero_vector<Number, d>();
    const Scalar weight = Scalar(1.0) - (Choice::at_nodes ? theta_ : alpha_);
    if constexpr (Choice::at_nodes)
      add_transposed(at.rows(at.q0, at.t0), weight * part<d, m>(x), r);
    else
      add_transposed(s.G_a, weight * part<d, m>(x), r);
    return r;
  }
  LIVENS_HD Position impulse_after(const Step& at, const Stage<Scalar>& s, const Unknowns& x) const {
    Position r = zero_vector<Scalar, d>();
    const Scalar weight = Choice::at_nodes ? theta_ : alpha_;
    add_transposed(Choice::at_nodes ? at.rows(s.q1, at.t1) : s.G_a, weight * part<d, m>(x), r);
    return r;
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Stage<Number> s = stage(at, x);
    const Vec<Number, d> before = s.change + impulse_before(at, s, x);
    Vec<Number, unknowns> r;
    set_part<0>(r, fnma(Scalar(1.0) - alpha_, s.hhf, before));  // (b)
    set_part<d>(
        r, Choice::at_nodes ? positions_at(at.system, s.q1, at.t1) : positions_at(at.system, s.q_a, s.t_a));
    set_part<d + m>(r, at.rates(s.q_a, s.t_a, s.y));  // (e)
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Stage<Scalar> s = stage(at, x);
    const Scalar &h = at.h, per_h = Scalar(1.0) / h;
    next.q = s.q1;
    next.p = at.p0 + over_step(fma(alpha_, s.hhf, s.change) - impulse_after(at, s, x), h);  // (c)
    next.v = Choice::at_nodes ? over_step(s.y, h) : velocity_at(at.system, next.q, next.p, at.t1);
    const auto lambda = (per_h * per_h) * part<d, m>(x);
    next.multipliers = stored(lambda, per_h * part<d + m, m>(x));
    at.count_loss(s.q_a, s.w, s.t_a, s.Dq, exchange);
    Scalar of_rows = inner(lambda, at.row_rates(s.q_a, s.t_a));
    if constexpr (Choice::at_nodes)
      of_rows = (Scalar(1.0) - theta_) * inner(lambda, at.row_rates(at.q0, at.t0)) +
                theta_ * inner(lambda, at.row_rates(next.q, at.t1));
    exchange.work = exchange.work + dot(s.Dq, at.loaded(s.q_a, s.w, s.t_a)) +
                    h * (of_rows - at.system.lagrangian_rate(s.q_a, s.w, s.t_a));
  }

 private:
  Scalar alpha_, theta_;
};

}  // namespace livens::inline LIVENS_ISA
