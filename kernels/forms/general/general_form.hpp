#pragma once
// The form for any mechanism, which all schemes share: a Rule writes down the equations of a step as
// equations/general.md has them, once, over any kind of number, and their Jacobian comes from dual numbers.
// Its unknowns are scaled as those of the full form: increments, h^2 lambda, h gamma.
//
// A Rule<System> has
//   using Step = GeneralStep<System>;  static constexpr bool has_gamma;
//   static constexpr int unknowns, momentum_rows: the first equations, scaled by the inertia of their coordinates
//   static constexpr const SchemeInfo& info();
//   Rule(const Settings&)
//   static constexpr bool alternating: every second step is like the last but one (extrapolation.hpp)
//   static Vec<Scalar, unknowns> guess(const Step&, const Carried&): by the velocity and the last multipliers
//   Vec<Number, unknowns> residual(const Step&, const Vec<Number, unknowns>&) const: Number is Scalar, or moves with
//     the unknowns, while all that is given stays as it is
//   void finish(const Step&, const Vec<Scalar, unknowns>&, Carried& next, Exchange<Scalar>&) const: all of
//     `next` but the time
//   static Scalar energy(system, node, measured): where it is not that of the node's velocity
//
// Newton starts from where three steps before lead to, if they were as long as this one and the last one was nearer to where
// they led than to guess(); a step that fails from there starts again from guess().

#include "kernels/forms/general/general_matrix.hpp"
#include "kernels/math/dual.hpp"
#include "kernels/newton/scheme.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/systems/shared/lifted.hpp"

namespace livens::inline LIVENS_ISA {

/// What a node of a form for any mechanism has; multipliers of the step that led to it.
template <class System, class Scalar = typename System::Scalar>
struct GeneralNode {
  static constexpr int d = System::coordinates, m = System::constraints;
  Vec<Scalar, d> q, p, v;
  [[no_unique_address]] StoredMultipliers<Scalar, m> multipliers;
  Scalar time;
  LIVENS_HD Vec<Scalar, m> lambda() const { return part<0, m>(multipliers); }
  LIVENS_HD Vec<Scalar, m> gamma() const { return part<m, m>(multipliers); }
};

/// What a step exchanges with the world, in joule.
template <class Scalar>
struct Exchange {
  Scalar dissipated = Scalar(0.0), work = Scalar(0.0);
};

/// The terms of a step that leaves a node; of places and velocities that may be dual numbers.
template <class System>
class GeneralStep {
 public:
  using Scalar = typename System::Scalar;
  static constexpr int d = System::coordinates, m = System::position_rows, a = System::velocity_rows;
  using Position = Vec<Scalar, d>;

  const System& system;
  Position q0, p0, v0;
  Scalar h, t0, t1;

  template <class Node>
  LIVENS_HD GeneralStep(const System& of, const Node& node, const Scalar& step)
      : system(of), q0(node.q), p0(node.p), v0(node.v), h(step), t0(node.time), t1(node.time + step) {}

  LIVENS_HD Scalar time(const Scalar& alpha) const { return fma(alpha, h, t0); }
  template <class Q>
  LIVENS_HD Vec<Q, d> velocity(const Vec<Q, d>& Dq) const {
    return (Scalar(1.0) / h) * Dq;
  }

  /// h (M v + a - p0), of an increment y = h v: what is new in a momentum. With h p0 and p1 = (h p1)/h the rounding of a
  /// product with h and of a quotient by it would be in every momentum, and add up.
  template <class Q, class Y>
  LIVENS_HD Vec<Y, d> momentum_change(const Vec<Q, d>& q, const Vec<Y, d>& y, const Scalar& t) const {
    return inertia_at(system, q, t).times(y) + h * (shift_at(system, q, t) - p0);
  }

  /// D_v R, and F, at a place; zero where the system has none.
  template <class Q, class V>
  LIVENS_HD auto lost(const Vec<Q, d>& q, const Vec<V, d>& v, const Scalar& t) const {
    if constexpr (requires { system.resistance(q, v, t); })
      return system.resistance(q, v, t);
    else
      return zero_vector<Scalar, d>();
  }
  template <class Q, class V>
  LIVENS_HD auto loaded(const Vec<Q, d>& q, const Vec<V, d>& v, const Scalar& t) const {
    if constexpr (requires { system.force(q, v, t); })
      return system.force(q, v, t);
    else
      return zero_vector<Scalar, d>();
  }
  /// F_m, section 2 (e).
  template <class Q>
  LIVENS_HD auto mean_load(const Vec<Q, d>& q_m, const Vec<Q, d>& w) const {
    return Scalar(0.5) * (loaded(q_m, w, t0) + loaded(q_m, w, t1));
  }
  /// Q.
  template <class Q, class V>
  LIVENS_HD auto load_and_loss(const Vec<Q, d>& q, const Vec<V, d>& v, const Scalar& t) const {
    return loaded(q, v, t) - lost(q, v, t);
  }
  /// Counts Dq.D_v R(q, v, t) as lost.
  LIVENS_HD void count_loss(const Position& q, const Position& v, const Scalar& t, const Position& Dq,
                            Exchange<Scalar>& exchange) const {
    if constexpr (requires { system.resistance(q, v, t); })
      exchange.dissipated = exchange.dissipated + dot(Dq, system.resistance(q, v, t));
  }

  /// The entries of t, the last ones of a discrete Jacobian's rows.
  template <class Rows>
  static LIVENS_HD Vec<Scalar, m> of_time(const Rows& G) {
    Vec<Scalar, m> r = zero_vector<Scalar, m>();
    if constexpr (m > 0)
      for (int k = 0; k < m; ++k) r[k] = G(k, d);
    return r;
  }
  template <class Q>
  LIVENS_HD auto rows(const Vec<Q, d>& q, const Scalar& t) const {
    if constexpr (m > 0)
      return system.constraint_jacobian(q, t);
    else
      return Mat<Scalar, m, d>{};
  }
  template <class Q>
  LIVENS_HD auto row_rates(const Vec<Q, d>& q, const Scalar& t) const {
    if constexpr (m > 0)
      return system.constraint_rate(q, t);
    else
      return Vec<Scalar, 0>{};
  }
  template <class Q>
  LIVENS_HD auto mean_rows(const Vec<Q, d>& q1) const {
    if constexpr (m > 0)
      return system.discrete_constraint_jacobian(q0, t0, q1, t1);
    else
      return Mat<Scalar, m, d + 1>{};
  }
  /// h G_m', with the increments h v0 and h v1.
  template <class Q, class V, class W>
  LIVENS_HD auto mean_rows_change(const Vec<Q, d>& q1, const Vec<V, d>& y0, const Vec<W, d>& y1) const {
    if constexpr (m > 0)
      return system.discrete_constraint_change(q0, t0, q1, t1, y0, y1, h);
    else
      return Mat<Scalar, m, d + 1>{};
  }
  /// h G'(v), with the increment h v.
  template <class Q, class V>
  LIVENS_HD auto rows_change(const Vec<Q, d>& q, const Scalar& t, const Vec<V, d>& y) const {
    if constexpr (m > 0)
      return system.constraint_jacobian_change(q, t, y, h);
    else
      return Mat<Scalar, m, d>{};
  }
  /// Where M has no inverse: G0^T (sigma r) more in the balance of momenta, r the residuals of rows that have G0 for
  /// their slopes, nearly. The root is the same, and M + sigma G0^T G stands in place of M in the Newton matrix, whose
  /// pivots without it would be those of h^2 D^2 V.
  template <class Rows, class R, int M, class Number>
  LIVENS_HD void regularize(const Rows& G0, const Vec<R, M>& r, Vec<Number, d>& balance) const {
    if constexpr (M > 0 && !HasRegularMass<System>) {
      const Scalar largest = largest_mass<d>(inertia_at(system, q0, t0));
      Vec<R, M> weighted;
      for (int k = 0; k < M; ++k) {
        Scalar square = Scalar(0.0);
        for (int i = 0; i < d; ++i) square = fma(G0(k, i), G0(k, i), square);
        const Scalar none = Scalar(0.0);
        weighted[k] = select(square == none, none, largest / square) * r[k];
      }
      add_transposed(G0, weighted, balance);
    }
  }
  /// G y + h g_t.
  template <class Q, class V>
  LIVENS_HD auto rates(const Vec<Q, d>& q, const Scalar& t, const Vec<V, d>& y) const {
    if constexpr (m > 0)
      return fma(h, row_rates(q, t), rows_times(rows(q, t), y));
    else
      return Vec<Scalar, 0>{};
  }
  template <class Q>
  LIVENS_HD auto velocity_rows(const Vec<Q, d>& q, const Scalar& t) const {
    if constexpr (a > 0)
      return system.rate_matrix(q, t);
    else
      return Mat<Scalar, a, d>{};
  }
  template <class Q>
  LIVENS_HD auto velocity_offsets(const Vec<Q, d>& q, const Scalar& t) const {
    if constexpr (a > 0)
      return system.rate_offset(q, t);
    else
      return Vec<Scalar, 0>{};
  }
};

template <class A, class B>
LIVENS_HD auto inner(const A& a, const B& b) {
  return dot(a, b);
}
template <class Scalar>
LIVENS_HD Scalar inner(const Vec<Scalar, 0>&, const Vec<Scalar, 0>&) {
  return Scalar(0.0);
}

/// The row of a wall on which a mechanism does not rest (systems/shared/walls.hpp) is empty; it says instead
/// that its multiplier is zero, on both levels where there are two.
template <class Rule, class Step, class Unknowns>
LIVENS_HD void leave_open_walls(const Step& step, const Unknowns& x, Unknowns& r) {
  constexpr int walls = std::remove_cvref_t<decltype(step.system)>::walls,
                levels = (Rule::unknowns - Step::d - Step::a) / Step::m;
  for (int level = 0; level < levels; ++level)
    for (int k = 0; k < walls; ++k) {
      const int place = Step::d + (level + 1) * Step::m - walls + k;
      r[place] = fma(typename Step::Scalar(1.0) - step.system.touches[k], x[place], r[place]);
    }
}

template <class Rule, class Step, class Unknowns>
LIVENS_HD Unknowns general_residual(const Rule& rule, const Step& step, const Unknowns& x) {
  Unknowns r = rule.residual(step, x);
  if constexpr (requires { step.system.touches; }) leave_open_walls<Rule>(step, x, r);
  return r;
}
/// y/h, as near as a quotient is: in y (1/h) the rounding of 1/h would be the same in every step, and add up.
template <class Scalar, int N>
LIVENS_HD Vec<Scalar, N> over_step(const Vec<Scalar, N>& y, const Scalar& h) {
  const Scalar per_h = Scalar(1.0) / h;
  const Vec<Scalar, N> v = per_h * y;
  return fma(per_h, fnma(h, v, y), v);
}

// Functions of their own: large ones that are inlined wherever they are used would take minutes to compile.
template <class Rule, class Step, class Unknowns>
LIVENS_HD_COLD Unknowns general_residual_called(const Rule& rule, const Step& step, const Unknowns& x) {
  return general_residual(rule, step, x);
}
template <class Rule, class Step, class Unknowns, class Node, class Scalar>
LIVENS_HD_COLD void general_finish(const Rule& rule, const Step& step, const Unknowns& x, Node& next,
                                   Exchange<Scalar>& exchange) {
  rule.finish(step, x, next, exchange);
}

/// The equations of a Rule at a node, and their Jacobian.
template <class System, class Rule>
class GeneralProblem {
 public:
  using Scalar = typename System::Scalar;
  static constexpr int d = System::coordinates, unknowns = Rule::unknowns;
  static constexpr bool register_pressure = true;
  using Unknowns = Vec<Scalar, unknowns>;
  using Couplings = GeneralCouplings<System, Rule>;
  using Matrix = OrderedMatrix<Scalar, Couplings>;
  static constexpr bool exact_energy = Couplings::keeps_reciprocals;

  LIVENS_HD GeneralProblem(const System& system, const Rule& rule, const GeneralNode<System>& now,
                           const Scalar& h, const Mask<Scalar>& is_led = Mask<Scalar>(false))
      : rule_(rule), step_(system, now, h), is_led_(is_led) {
    const auto M = inertia_at(system, now.q, now.time);
    const Scalar largest = largest_mass<d>(M);
    // A coordinate may carry no mass where the step starts: see livens_automatic.hpp.
    for (int i = 0; i < d; ++i) row_scale_[i] = Scalar(1.0) / max(M.entry(i, i), Scalar(0x1p-20) * largest);
  }
  LIVENS_HD const GeneralStep<System>& step() const { return step_; }
  LIVENS_HD const System& system() const { return step_.system; }
  LIVENS_HD const Mask<Scalar>& is_led() const { return is_led_; }

  struct Evaluation {
    Unknowns residual;
  };
  LIVENS_HD Evaluation evaluate(const Unknowns& x) const {
    Unknowns r = residual(x);
    for (int i = 0; i < Rule::momentum_rows; ++i) r[i] = row_scale_[i % d] * r[i];
    return {r};
  }
  /// Some colours at a time: with all of them side by side a large mechanism takes minutes to compile.
  LIVENS_HD void jacobian(const Unknowns& x, const Evaluation&, Matrix& J) const {
    using D = Dual<directions, Scalar>;
    static constexpr auto list = Coloring<Couplings, directions>::table;
    J.clear();
    for (int b = 0; b < list.blocks; ++b) {
      Vec<D, unknowns> moved = constants<D>(x);
      for (int j = 0; j < unknowns; ++j)
        if (list.color[j] / directions == b) moved[j].partial[list.color[j] % directions] = Scalar(1.0);
      const Vec<D, unknowns> r = residual(moved);
      for (int e = list.first[b]; e < list.first[b + 1]; ++e) {
        const int i = list.row[e], j = list.column[e];
        const Scalar scale = i < Rule::momentum_rows ? row_scale_[i % d] : Scalar(1.0);
        J.at(i, j) = scale * r[i].partial[list.color[j] % directions];
      }
    }
  }

 private:
  template <class Number>
  LIVENS_HD Vec<Number, unknowns> residual(const Vec<Number, unknowns>& x) const {
    if constexpr (lanes_of < Scalar >> 1 && unknowns <= 8)
      return general_residual(rule_, step_, x);
    else
      return general_residual_called(rule_, step_, x);
  }
  /// Of a short step up to four where instances stand side by side, of others two: more are not faster and take longer
  /// to compile. One at a time it is the slow path of difficult steps.
  static constexpr int directions = [] {
    constexpr int most = unknowns <= 8 ? 4 : 2, colors = Coloring<Couplings, 1>::table.blocks,
                  blocks = (colors + most - 1) / most;
    return lanes_of<Scalar> > 1 ? (colors + blocks - 1) / blocks : 1;
  }();
  const Rule& rule_;
  GeneralStep<System> step_;
  Mask<Scalar> is_led_;
  Vec<Scalar, d> row_scale_;
};

template <GeneralTerms System_, template <class> class Rule_>
class GeneralForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  using Rule = Rule_<System>;
  template <class Other>
  using Over = GeneralForm<typename System::template Over<Other>, Rule_>;
  template <class Other>
  using On = GeneralForm<Other, Rule_>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = Rule::unknowns;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false, fixed_options = requires {
    requires Rule::fixed_options;
  };
  static constexpr const SchemeInfo& info() { return Rule::info(); }
  using Unknowns = Vec<Scalar, unknowns>;
  struct Carried : GeneralNode<System> {
    /// The unknowns, increments less those of the velocity at their node, of steps of this length.
    Extrapolation<Scalar, unknowns, Rule::alternating> extrapolation;
    Scalar step;   ///< the length of the step that led here, 0 at the start
    Scalar leads;  ///< 1 where it would have led, or did lead, nearer to that step than guess()
  };

  LIVENS_HD GeneralForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), h_(h), settings_(settings), rule_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r{{n.q, n.p, n.v, zero_vector<Scalar, 2 * m>(), Scalar(0.0)}, {}, Scalar(0.0), Scalar(0.0)};
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, unknowns>());
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, carried.p, carried.v};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    auto measured = measure_node_at(system_, node(carried), carried.time, what);
    if constexpr (requires { Rule::energy(system_, carried, measured); })
      measured.energy = Rule::energy(system_, carried, measured);
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda(), Rule::has_gamma ? after.gamma() : not_a_number_vector<Scalar, m>()};
  }

  using Problem = GeneralProblem<System, Rule>;

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Mask<Scalar> steady = now.step == h_, is_led = steady & (now.leads == Scalar(1.0));
    const Problem problem(system_, rule_, now, h_, is_led);
    const Unknowns base = increments(problem.step()), near = Rule::guess(problem.step(), now),
                   led = base + now.extrapolation.next();
    Unknowns x = select<Scalar>(is_led, led, near);
    Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    if constexpr (pivoting == Pivoting::where_needed) {
      if (is_led && !outcome.good()) {
        const Scalar before = outcome.iterations;
        x = near;
        outcome = newton<pivoting>(problem, x, settings_, active);
        outcome.iterations = before + outcome.iterations;
      }
    }
    next.extrapolation = now.extrapolation.followed_by(x - base, !steady);
    next.step = h_;
    // At rest guess() is a solution as it is.
    const Scalar missed = distance(x, near);
    const Mask<Scalar> leads = steady & (missed > Scalar(settings_.tolerance)) & (distance(x, led) < missed);
    next.leads = select(leads, Scalar(1.0), Scalar(0.0));
    Exchange<Scalar> exchange;
    general_finish(rule_, problem.step(), x, next, exchange);
    next.time = now.time + h_;
    return {outcome, exchange.dissipated, exchange.work};
  }

 private:
  static LIVENS_HD Unknowns increments(const GeneralStep<System>& at) {
    Unknowns x = zero_vector<Scalar, unknowns>();
    for (int i = 0; i < Rule::momentum_rows; ++i) x[i] = at.h * at.v0[i % d];
    return x;
  }
  /// Of the increments.
  static LIVENS_HD Scalar distance(const Unknowns& x, const Unknowns& guess) {
    return norm_inf(part<0, Rule::momentum_rows>(x - guess));
  }

  const System& system_;
  Scalar h_;
  const Settings& settings_;
  Rule rule_;
};

}  // namespace livens::inline LIVENS_ISA
