#pragma once
// The schemes for L = T - V - alpha z with rows A(q, t) v + b(q, t) = 0 and g(q, t) = 0, for any mechanism with
// a regular M: equations/general.md, section 9. As in contact_form.hpp a Rule chooses s, r and how alpha
// enters; x = Dq, w = x/h, q_s = q0 + s x, t_s = t0 + s h, T by its value there, V and Q by the trapezoidal
// rule with w.
//   (a) h D1 L_d = -left D_v T(q_s, w, t_s) + h (1 - s) D_q T + h/2 (Q(q0, w, t0) - V_q(q0, t0))
//   (b) h D2 L_d = right D_v T(q_s, w, t_s) + h s D_q T + h/2 (Q(q1, w, t1) - V_q(q1, t1))
//   (c) h D1 L_d + before P0 = h G(q0, t0)^T mu + h A(q0, t0)^T lambda
//   (d) g(q1, t1) = 0,          A(q_s, t_s) w + b(q_s, t_s) = 0
//   (e) P1 = h D2 L_d/after
//   (f) z1 = [before z0 + h L_d]/after, with F.q where F is of t alone, else without F
//   (g) node: v = M^-1 (P - a - J^T nu) with J v + j = 0, J = (G; A), j = (g_t; b);   p = M v + a
//   (h) W: h/2 w.(F0 + F1) - h L_t(q_m, w, t_m) + (h kappa - before nu0).j0 + after nu1.j1, kappa = (mu, lambda),
//       or, in equal steps with rows of velocities alone and none of t, (k) of contact_form.hpp
//   (i) D: h alpha w.D_v T(q_m, w, t_m) + h/2 w.(D_v R(q0, w, t0) + D_v R(q1, w, t1))
// Unknowns x, h^2 mu, h^2 lambda.

#include "kernels/forms/general/general_form.hpp"
#include "kernels/schemes/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

/// There is an alpha, which may be 0, and M has an inverse.
template <class System>
concept GeneralContactSystem = GeneralTerms<System> && System::velocity_rows >
0 && requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& q,
              const typename System::Scalar& t) {
  system.dissipation_rate();
  inertia_at(system, q, t).solve(q);
};

/// J and j of (g).
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Mat<Scalar, System::constraints, System::coordinates> all_rows(
    const System& system, const Vec<Scalar, System::coordinates>& q, const Scalar& t) {
  constexpr int d = System::coordinates, m = System::position_rows;
  Mat<Scalar, System::constraints, d> J;
  const auto copy = [&](const auto& rows, int first, int count) {
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < d; ++i) J(first + k, i) = rows(k, i);
  };
  if constexpr (m > 0) copy(system.constraint_jacobian(q, t), 0, m);
  if constexpr (System::velocity_rows > 0) copy(system.rate_matrix(q, t), m, System::velocity_rows);
  return J;
}
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> all_offsets(const System& system,
                                                       const Vec<Scalar, System::coordinates>& q,
                                                       const Scalar& t) {
  Vec<Scalar, System::constraints> j;
  if constexpr (System::position_rows > 0) set_part<0>(j, system.constraint_rate(q, t));
  if constexpr (System::velocity_rows > 0) set_part<System::position_rows>(j, system.rate_offset(q, t));
  return j;
}

template <class System, class Rule>
struct GeneralContactRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, a = Step::a, unknowns = d + m + a, momentum_rows = d;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;

  LIVENS_HD explicit GeneralContactRule(const Settings& settings) : settings_(settings) {}

  LIVENS_HD ContactWeights<Scalar> weights(const Step& at) const {
    return Rule::weights(settings_, !System::mass_of_position, at.system.dissipation_rate() * at.h);
  }
  /// The terms of (a) and (b).
  template <class Number>
  struct Middle {
    Vec<Number, d> q, w, change, gradient;  ///< q_s; h (D_v T - P) and D_q T there
    Scalar t;
  };
  template <class Number>
  static LIVENS_HD Middle<Number> middle(const Step& at, const ContactWeights<Scalar>& by,
                                         const Vec<Number, d>& x) {
    Middle<Number> s;
    s.q = fma(by.place, x, at.q0);
    s.t = at.time(by.place);
    s.w = at.velocity(x);
    s.change = at.momentum_change(s.q, x, s.t);
    s.gradient = constants<Number>(at.system.lagrangian_gradient(s.q, s.w, s.t) +
                                   at.system.potential_gradient(s.q, s.t));
    return s;
  }
  /// Q - V_q.
  template <class Q, class V>
  static LIVENS_HD auto force(const Step& at, const Vec<Q, d>& q, const Vec<V, d>& w, const Scalar& t) {
    return at.load_and_loss(q, w, t) - at.system.potential_gradient(q, t);
  }

  /// (c) and (d); the node's momentum is P.
  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const ContactWeights<Scalar> by = weights(at);
    const Vec<Number, d> Dq = part<0, d>(x);
    const Middle<Number> s = middle(at, by, Dq);
    const Scalar h2 = at.h * at.h;
    Vec<Number, d> balance = by.left * s.change + ((by.left - by.before) * at.h) * at.p0;
    balance = fnma((Scalar(1.0) - by.place) * h2, s.gradient, balance);
    balance = fnma(Scalar(0.5) * h2, force(at, at.q0, s.w, at.t0), balance);
    add_transposed(at.rows(at.q0, at.t0), part<d, m>(x), balance);
    add_transposed(at.velocity_rows(at.q0, at.t0), part<d + m, a>(x), balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);
    set_part<d>(r, positions_at(at.system, at.q0 + Dq, at.t1));
    set_part<d + m>(r, fma(at.h, at.velocity_offsets(s.q, s.t), rows_times(at.velocity_rows(s.q, s.t), Dq)));
    return r;
  }

 private:
  const Settings& settings_;
};

template <GeneralContactSystem System_, class ContactRule>
class GeneralContactForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GeneralContactForm<typename System::template Over<Other>, ContactRule>;
  using Rule = GeneralContactRule<System, ContactRule>;
  using Problem = GeneralProblem<System, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = Rule::unknowns;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false;
  using Position = Vec<Scalar, d>;
  static constexpr const SchemeInfo& info() { return ContactRule::info(); }

  struct Carried {
    Position q, momentum, v;  ///< P; the node's velocity
    Vec<Scalar, m> lambda;    ///< kappa of the step that led here
    Vec<Scalar, m> half;      ///< nu of (g)
    [[no_unique_address]] Vec<Scalar, ContactRule::has_action> z;
    Scalar time;
  };

  LIVENS_HD GeneralContactForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), h_(h), settings_(settings), rule_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.momentum = n.p;
    r.lambda = zero_vector<Scalar, m>();
    if constexpr (ContactRule::has_action) r.z[0] = Scalar(0.0);
    r.time = Scalar(0.0);
    settle(r);
    // A velocity that is to violate the constraint (consistency = "keep") stands at node 0 as it is given.
    const Mask<Scalar> off = norm_inf(rates_at(system_, n.q, n.v, r.time)) > Scalar(consistent_within);
    r.v = select<Scalar>(off, n.v, r.v);
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, momentum_at(system_, carried.q, carried.v, carried.time), carried.v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node_at(system_, node(carried), carried.time, what);
  }
  LIVENS_HD Scalar action(const Carried& carried) const {
    if constexpr (ContactRule::has_action) return carried.z[0];
    return not_a_number<Scalar>();
  }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda, not_a_number_vector<Scalar, m>()};
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const GeneralNode<System> node{now.q, now.momentum, now.v, zero_vector<Scalar, 2 * m>(), now.time};
    const Problem problem(system_, rule_, node, h_);
    const GeneralStep<System>& at = problem.step();
    const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h_;
    constexpr double never = -1.0;  // no node has this time
    const Mask<Scalar> naive =
        now.time == Scalar(settings_.value<start_option>() == Start::naive ? 0.0 : never);
    Vec<Scalar, unknowns> x;
    set_part<0>(x, h_ * now.v);
    set_part<d>(x, (h_ * h_) * now.lambda);
    Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active & !naive);
    outcome.status = select(naive, Scalar(0.0), outcome.status);
    const Position naive_x = h_ * velocity_at(system_, now.q, now.momentum, now.time);
    const Position Dq = select<Scalar>(naive, naive_x, part<0, d>(x));

    const ContactWeights<Scalar> by = rule_.weights(at);
    const auto s = Rule::middle(at, by, Dq);
    next.q = now.q + Dq;
    next.time = at.t1;
    const Position middle = at.p0 + over_step(s.change, h_);
    Position hD2 = fma(half * h_, Rule::force(at, next.q, s.w, at.t1), by.right * middle);  // (b)
    hD2 = fma(by.place * h_, s.gradient, hD2);
    const Scalar per_after = Scalar(1.0) / by.after;
    next.momentum = per_after * hD2;  // (e)
    settle(next);
    const Vec<Scalar, m> kappa = (per_h * per_h) * part<d, m>(x);
    next.lambda = select<Scalar>(naive, not_a_number_vector<Scalar, m>(), kappa);
    const Position F0 = at.loaded(now.q, s.w, at.t0), F1 = at.loaded(next.q, s.w, at.t1);
    if constexpr (ContactRule::has_action) {
      const Scalar kinetic = lagrangian_kinetic(system_, s.q, s.w, s.t);
      Scalar others = system_.potential(now.q, at.t0) + system_.potential(next.q, at.t1);
      if constexpr (System::loads_of_time) others = others - (dot(F0, now.q) + dot(F1, next.q));
      next.z[0] = per_after * fma(by.before, now.z[0], h_ * fnma(half, others, kinetic));  // (f)
    }

    StepReport<Scalar> report{outcome, Scalar(0.0), Scalar(0.0)};
    Exchange<Scalar> exchange;
    at.count_loss(now.q, s.w, at.t0, half * Dq, exchange);
    at.count_loss(next.q, s.w, at.t1, half * Dq, exchange);
    const Position q_m = fma(half, Dq, now.q);
    const Scalar t_m = at.time(half);
    report.dissipated = fma(system_.dissipation_rate(), dot(Dq, momentum_at(system_, q_m, s.w, t_m)),
                            exchange.dissipated);  // (i)
    const Vec<Scalar, m> acting = select<Scalar>(naive, zero_vector<Scalar, m>(), kappa);
    const Scalar of_rows = work_of_rows(by, h_ * acting, now, next);
    report.work = exchange.work + half * dot(Dq, F0 + F1) - h_ * system_.lagrangian_rate(q_m, s.w, t_m) +
                  of_rows;  // (h)
    return report;
  }

 private:
  LIVENS_HD Scalar work_of_rows(const ContactWeights<Scalar>& by, const Vec<Scalar, m>& impulse,
                                const Carried& now, const Carried& next) const {
    const Vec<Scalar, m> j0 = all_offsets(system_, now.q, now.time);
    const Scalar at_end = dot(next.half, all_offsets(system_, next.q, next.time));
    if constexpr (!System::rows_of_time)
      if (settings_.order == 0) return by.after * (dot(impulse - now.half, j0) + at_end);
    return dot(impulse - by.before * now.half, j0) + by.after * at_end;
  }
  /// (g).
  LIVENS_HD void settle(Carried& at) const {
    const auto M = inertia_at(system_, at.q, at.time);
    const auto J = all_rows(system_, at.q, at.time);
    Position v = velocity_at(system_, at.q, at.momentum, at.time);
    Vec<Scalar, m> nu = rows_times(J, v) + all_offsets(system_, at.q, at.time);
    DenseMatrix<Scalar, m> S;
    Position mobile[m];
    for (int l = 0; l < m; ++l) {
      Position row;
      for (int i = 0; i < d; ++i) row[i] = J(l, i);
      mobile[l] = M.solve(row);
      const Vec<Scalar, m> column = rows_times(J, mobile[l]);
      for (int k = 0; k < m; ++k) S.at(k, l) = column[k];
    }
    solve_unpivoted(S, nu);
    for (int k = 0; k < m; ++k) v = fnma(nu[k], mobile[k], v);
    at.v = v;
    at.half = nu;
  }

  const System& system_;
  Scalar h_;
  const Settings& settings_;
  Rule rule_;
};

}  // namespace livens::inline LIVENS_ISA
