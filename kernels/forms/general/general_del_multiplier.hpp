#pragma once
// Discrete Euler-Lagrange equations with multipliers for any mechanism with a constant regular M:
// equations/general.md, section 7.
//   (a) c0 - L_v(q_m, w, t_m) + h/2 k + s G(q0, t0)^T lambda = 0,   g(q1, t1) = 0
//   (b) c1 = L_v(q_m, w, t_m) + h/2 k,    k = L_q(q_m, w, t_m) - D_v R(q_m, w, t_m) + F_m
//   (c) p_n = c_n + h/2 G^T lambda_n;  composed: p = c - G^T nu with G M^-1 (p - a) + g_t = 0
//   (d) W += -(s lambda + nu_0).g_t(q0, t0) + nu_1.g_t(q1, t1)
// s is h, at the start h/2. Unknowns Dq, -h s lambda; a step ends by solving one ahead (look_ahead.hpp), and
// the root is accepted as in del_multiplier.hpp.

#include "kernels/forms/general/general_rattle.hpp"
#include "kernels/schemes/del_multiplier.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct GeneralDelRule {
  using Scalar = typename System::Scalar;
  using Step = GeneralStep<System>;
  static constexpr int d = Step::d, m = Step::m, unknowns = d + m, momentum_rows = d;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;

  LIVENS_HD explicit GeneralDelRule(const Settings&) {}

  /// h k, and h (L_v(q_m, w, t_m) - c), of (b).
  template <class Q>
  static LIVENS_HD auto force(const Step& at, const Vec<Q, d>& Dq) {
    const Vec<Q, d> q_m = fma(Scalar(0.5), Dq, at.q0), w = at.velocity(Dq);
    const Scalar t_m = at.time(Scalar(0.5));
    return at.h * (at.system.lagrangian_gradient(q_m, w, t_m) + at.mean_load(q_m, w) - at.lost(q_m, w, t_m));
  }
  template <class Q>
  static LIVENS_HD Vec<Q, d> change(const Step& at, const Vec<Q, d>& Dq) {
    return at.momentum_change(fma(Scalar(0.5), Dq, at.q0), Dq, at.time(Scalar(0.5)));
  }

  /// (a); the node's momentum is c.
  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Step& at, const Vec<Number, unknowns>& x) const {
    const Vec<Number, d> Dq = part<0, d>(x);
    const Scalar half_h = Scalar(0.5) * at.h;
    Vec<Number, d> balance = fnma(half_h, force(at, Dq), change(at, Dq));
    add_transposed(at.rows(at.q0, at.t0), part<d, m>(x), balance);
    Vec<Number, unknowns> r;
    set_part<0>(r, balance);
    set_part<d>(r, positions_at(at.system, at.q0 + Dq, at.t1));
    return r;
  }
};

/// right_branch() (root_branch.hpp), with times.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Mask<Scalar> right_branch_of(const GeneralStep<System>& at,
                                       const Vec<Scalar, System::coordinates>& q1) {
  constexpr int d = System::coordinates, m = System::position_rows;
  if constexpr (m == 0) {
    return Mask<Scalar>(true);
  } else {
    const auto G0 = at.rows(at.q0, at.t0), G1 = at.rows(q1, at.t1);
    Mat<Scalar, m, m> S;
    for (int k = 0; k < m; ++k)
      for (int l = 0; l < m; ++l) S(k, l) = Scalar(k == l && !System::curves(k) ? 1.0 : 0.0);
    for (int l = 0; l < m; ++l) {
      if (!System::curves(l)) continue;
      Vec<Scalar, d> row;
      for (int i = 0; i < d; ++i) row[i] = G0(l, i);
      const Vec<Scalar, m> column = rows_times(G1, at.system.inertia.solve(row));
      for (int k = 0; k < m; ++k) {
        if (!System::curves(k)) continue;
        S(k, l) = fma(Scalar(0.5), column[k], S(k, l));
        S(l, k) = fma(Scalar(0.5), column[k], S(l, k));
      }
    }
    return positive_definite(S);
  }
}

template <GeneralHolonomic System_>
class GeneralDelMultiplier {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GeneralDelMultiplier<typename System::template Over<Other>>;
  using Rule = GeneralDelRule<System>;
  using Problem = GeneralProblem<System, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = Rule::unknowns;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false;
  static constexpr const SchemeInfo& info() { return DelMultiplierDescription::info; }

  struct Carried {
    Position q, c, p;
    Position increment, c_ahead;  ///< Dq and (b) of the step that leaves this node ...
    Scalar ahead_h;               ///< ... with this h; 0: not solved
    Scalar started;               ///< 0 at node 0, where s is h/2
    /// lambda of the step that led here, and of the one that leaves.
    [[no_unique_address]] StoredMultipliers<Scalar, m> multipliers;
    Scalar time;
    LIVENS_HD Vec<Scalar, m> lambda() const { return part<0, m>(multipliers); }
    LIVENS_HD Vec<Scalar, m> lambda_ahead() const { return part<m, m>(multipliers); }
  };

  LIVENS_HD GeneralDelMultiplier(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), h_(h), settings_(settings), rule_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.c = r.p = n.p;
    r.increment = h_ * n.v;
    r.c_ahead = zero_vector<Scalar, d>();
    r.ahead_h = r.started = r.time = Scalar(0.0);
    r.multipliers = zero_vector<Scalar, 2 * m>();
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, carried.p, velocity_at(system_, carried.q, carried.p, carried.time)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node_at(system_, node(carried), carried.time, what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda(), not_a_number_vector<Scalar, m>()};
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    return step_and_look_ahead<pivoting>(*this, h_, settings_.order > 0, now, active, next);
  }
  LIVENS_HD Exchanged<Scalar> arrive(Carried& at_node) const {
    const GeneralStep<System> at(system_, as_general(at_node), h_);
    const Position &Dq = at_node.increment, q_m = fma(Scalar(0.5), Dq, at_node.q), w = at.velocity(Dq);
    const Scalar t_m = at.time(Scalar(0.5));
    Exchange<Scalar> exchange;
    at.count_loss(q_m, w, t_m, Dq, exchange);
    const Scalar s = select(at_node.started > Scalar(0.0), h_, Scalar(0.5) * h_);
    const auto nu0 = onto_rows(at, at_node.q, at.t0, at_node.c).nu;
    const Scalar before = inner(s * at_node.lambda_ahead() + nu0, at.row_rates(at_node.q, at.t0));
    exchange.work = exchange.work + dot(Dq, at.mean_load(q_m, w)) - h_ * system_.lagrangian_rate(q_m, w, t_m);
    at_node.q = at_node.q + Dq;
    at_node.c = at_node.c_ahead;
    const auto nu1 = onto_rows(at, at_node.q, at.t1, at_node.c).nu;
    exchange.work = exchange.work + (inner(nu1, at.row_rates(at_node.q, at.t1)) - before);  // (d)
    set_part<0>(at_node.multipliers, at_node.lambda_ahead());
    at_node.started = Scalar(1.0);
    at_node.time = at.t1;
    return {exchange.dissipated, exchange.work};
  }
  LIVENS_HD void begin_anew(Carried& at_node) const {
    const GeneralStep<System> at(system_, as_general(at_node), h_);
    at_node.c = at_node.p = onto_rows(at, at_node.q, at_node.time, at_node.c).p;  // (c)
    at_node.increment = h_ * velocity_at(system_, at_node.q, at_node.p, at_node.time);
    at_node.ahead_h = at_node.started = Scalar(0.0);
  }

  /// Solves (a) from this node and, where that succeeds, records the solution and the momentum (c).
  template <Pivoting pivoting>
  LIVENS_HD Outcome<Scalar> look_ahead(Carried& at_node, const Mask<Scalar>& solving) const {
    const GeneralNode<System> node = as_general(at_node);
    const Problem problem(system_, rule_, node, h_);
    const GeneralStep<System>& at = problem.step();
    const Mask<Scalar> started = at_node.started > Scalar(0.0);
    const Scalar half = Scalar(0.5), per_h = Scalar(1.0) / h_, s = select(started, h_, half * h_);
    const Mask<Scalar> extrapolates = started & (at_node.ahead_h == h_);
    // The increments repeat; with a new h, or none before, the momentum leads.
    const Position by_momentum = h_ * velocity_at(system_, at_node.q, at_node.c, at_node.time);
    Vec<Scalar, unknowns> x;
    set_part<0>(x, select<Scalar>(extrapolates, at_node.increment, by_momentum));
    set_part<d>(x, (Scalar(-1.0) * h_ * s) * at_node.lambda());
    const auto right = [&](const auto& root) { return right_branch_of(at, at_node.q + part<0, d>(root)); };
    const Outcome<Scalar> outcome = newton_on_branch<pivoting, Scalar>(problem, x, settings_, solving, right);

    const Mask<Scalar> good = solving & outcome.good();
    const Position Dq = part<0, d>(x);
    const Position c_ahead =
        at.p0 + fma(half, Rule::force(at, Dq), over_step(Rule::change(at, Dq), h_));  // (b)
    at_node.increment = select<Scalar>(solving, Dq, at_node.increment);
    at_node.c_ahead = select<Scalar>(solving, c_ahead, at_node.c_ahead);
    at_node.ahead_h = select(solving, select(good, h_, Scalar(0.0)), at_node.ahead_h);
    const Vec<Scalar, m> lambda = (Scalar(-1.0) * (per_h / s)) * part<d, m>(x);
    set_part<m>(at_node.multipliers, select<Scalar>(solving, lambda, at_node.lambda_ahead()));
    // A node for which no step ahead is found keeps c.
    Position p = at_node.c;
    add_transposed(at.rows(at_node.q, at_node.time), (half * h_) * lambda, p);  // (c)
    at_node.p = select<Scalar>(solving & started, select<Scalar>(good, p, at_node.c), at_node.p);
    return outcome;
  }

 private:
  /// The node with c for its momentum.
  LIVENS_HD GeneralNode<System> as_general(const Carried& at) const {
    return {at.q, at.c, zero_vector<Scalar, d>(), zero_vector<Scalar, 2 * m>(), at.time};
  }

  const System& system_;
  Scalar h_;
  const Settings& settings_;
  Rule rule_;
};

}  // namespace livens::inline LIVENS_ISA
