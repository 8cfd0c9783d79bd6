#pragma once
// The GGL variational integrator for any mechanism with a constant regular M: equations/general.md, section 5.
//   (a) q_b = q0 + h v,   q1 = q_b + h M^-1 G_b^T gamma,    G_b = G(q_b, t1),   u = M^-1 (p1 - a(q_b, t1))
//   (b) M v + a(q0, t0) = p0 + h L_q(q0, v, t0) - h G(q0, t0)^T lambda + h Q(q0, v, t0)
//   (c) M v + a(q0, t0) = p1 + h Y,   Y = G'(u)(q_b, t1)^T gamma - Da(q_b, t1)^T M^-1 G_b^T gamma
//   (d) g(q1, t1) = 0           (e) G_b u + g_t(q_b, t1) = 0
// Unknowns h v, h u, h^2 lambda, h gamma.

#include "kernels/forms/general/general_form.hpp"
#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct GeneralGglViRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, unknowns = 2 * (d + m), momentum_rows = 2 * d;
  static constexpr bool has_gamma = true, alternating = false;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }

  LIVENS_HD explicit GeneralGglViRule(const Settings&) {}

  template <class Node>
  static LIVENS_HD Unknowns guess(const Step& at, const Node& now) {
    Unknowns x;
    set_part<0>(x, at.h * at.v0);
    set_part<d>(x, at.h * at.v0);
    set_part<2 * d>(x, (at.h * at.h) * part<0, m>(now.multipliers));
    set_part<2 * d + m>(x, at.h * part<m, m>(now.multipliers));
    return x;
  }

  template <class Number>
  struct Stage {
    Vec<Number, d> y, z, q_b, slip, q1;
  };
  template <class Number>
  static LIVENS_HD Stage<Number> stage(const Step& at, const Vec<Number, unknowns>& x) {
    Stage<Number> s;
    s.y = part<0, d>(x);
    s.z = part<d, d>(x);
    s.q_b = at.q0 + s.y;
    auto normal = zero_vector<Number, d>();
    add_transposed(at.rows(s.q_b, at.t1), part<2 * d + m, m>(x), normal);
    s.slip = at.system.inertia.solve(normal);
    s.q1 = s.q_b + s.slip;  // (a)
    return s;
  }

  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Stage<Number> s = stage(at, x);
    const Scalar& h = at.h;
    const auto v = at.velocity(s.y);
    const Vec<Number, d> begin = at.momentum_change(at.q0, s.y, at.t0);
    const auto force = at.system.lagrangian_gradient(at.q0, v, at.t0) + at.load_and_loss(at.q0, v, at.t0);
    Vec<Number, d> balance = fnma(h * h, force, begin);
    add_transposed(at.rows(at.q0, at.t0), part<2 * d, m>(x), balance);
    Vec<Number, d> turned = at.momentum_change(s.q_b, s.z, at.t1) - begin;  // h (p1 - M v - a0), and + h^2 Y
    add_transposed(at.rows_change(s.q_b, at.t1, s.z), part<2 * d + m, m>(x), turned);
    if constexpr (requires { at.system.shift_gradient(s.q_b, s.slip, at.t1); })
      turned = fnma(h, at.system.shift_gradient(s.q_b, s.slip, at.t1), turned);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);                                   // (b)
    set_part<d>(r, turned);                                    // (c)
    set_part<2 * d>(r, positions_at(at.system, s.q1, at.t1));  // (d)
    set_part<2 * d + m>(r, at.rates(s.q_b, at.t1, s.z));       // (e)
    return r;
  }

  template <class Node>
  LIVENS_HD void finish(const Step& at, const Unknowns& x, Node& next, Exchange<Scalar>& exchange) const {
    const Stage<Scalar> s = stage(at, x);
    const Scalar &h = at.h, per_h = Scalar(1.0) / h;
    const Position v = at.velocity(s.y);
    next.q = s.q1;
    next.p = at.p0 + over_step(at.momentum_change(s.q_b, s.z, at.t1), h);
    next.v = velocity_at(at.system, next.q, next.p, at.t1);
    const auto lambda = (per_h * per_h) * part<2 * d, m>(x);
    next.multipliers = stored(lambda, per_h * part<2 * d + m, m>(x));
    at.count_loss(at.q0, v, at.t0, s.y, exchange);
    exchange.work =
        exchange.work + dot(s.y, at.loaded(at.q0, v, at.t0)) +
        h * (inner(lambda, at.row_rates(at.q0, at.t0)) - at.system.lagrangian_rate(at.q0, v, at.t0));
  }
};

template <GeneralHolonomic System>
using GeneralGglVi = GeneralForm<System, GeneralGglViRule>;

}  // namespace livens::inline LIVENS_ISA
