#pragma once
// Discrete Euler-Lagrange equations, midpoint rule, with multipliers. gamma-convergence-constrained (14),
// (15), (18); equations/multibody.md, sections 1 and 4. With the carried left momentum c_n = D2 Ld(q_{n-1},
// q_n) - C Dq/2, c_0 = p_0, and Dq = q1 - q0:
//   (a) c - M Dq/h - h/2 DV(q_m) - C Dq/2 + h G(q0)^T lambda = 0            (h/2 lambda at the start)
//   (b) g(q1) = 0
//   (c) c' = M Dq/h - h/2 DV(q_m) - C Dq/2
//   (d) p_n = c_n + h/2 G(q_n)^T lambda_n, n >= 1: the node's momentum needs the step that leaves it, so a
//   step ends by solving one ahead; the solution is kept and starts the next step.
//   (e) the root is accepted if sym(G(q1) M^-1 G(q0)^T) is positive definite.
// Full form: (a), (b) are full_form.hpp without a velocity level, with mu = 2 and Lambda = -h^2 lambda. Given
// forces stand beside DV(q_m), in (a) and in (c). A step carries tau c on (time_unit.hpp).

#include "kernels/schemes/full_form.hpp"
#include "kernels/schemes/look_ahead.hpp"
#include "kernels/schemes/root_branch.hpp"

namespace livens::inline LIVENS_ISA {

struct DelMultiplierDescription {
  static constexpr SchemeInfo info = {
      .name = "del_multiplier",
      .meaning = "discrete Euler-Lagrange, multipliers",
      .paper = "gamma-convergence-constrained, (14), (15)",
      .needs = "holonomic constraints and a constant regular mass matrix; or an assembly",
      .order = 2,
      .runs_on = on_holonomic_or_assemblies,
      .composable = to_any_order,
      .without_clones = true};
};

struct DelRule {
  static constexpr bool velocity_level = false, curvature = false, kinematic_mass = true, damped = true;
  static constexpr Force force = Force::gradient;
  static constexpr Place force_at = Place::stage, multiplier_at = Place::start, position_at = Place::end,
                         velocity_at = Place::end;
};

template <HolonomicSystem System_>
class DelMultiplier {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = DelMultiplier<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates, m = System::constraints;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "full";
  static constexpr bool damped = true, compensated = false;
  static constexpr const SchemeInfo& info() { return DelMultiplierDescription::info; }

  struct Carried : LoadClock<System> {
    Position q, tau_c;
    Position p;                       ///< (d)
    Position increment, tau_c_ahead;  ///< Dq and (c) of the step that leaves this node ...
    Scalar ahead_h;                   ///< ... with this h; 0: not solved
    Scalar started;                   ///< 0 at node 0, where (a) has half the weight
    /// lambda of the step that led here, and of the one that leaves.
    [[no_unique_address]] StoredMultipliers<Scalar, m> multipliers;
    LIVENS_HD Vec<Scalar, m> lambda() const { return part<0, m>(multipliers); }
    LIVENS_HD Vec<Scalar, m> lambda_ahead() const { return part<m, m>(multipliers); }
  };

  LIVENS_HD DelMultiplier(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), unit_(h, settings), settings_(settings) {
    unroll<d>([&](auto i) { row_scale_[i] = Scalar(1.0) / system.inertia.entry(i, i); });
  }

  class Problem : public SaddleProblem<System, DelRule> {
   public:
    static constexpr bool register_pressure = true;
    using Base = SaddleProblem<System, DelRule>;
    LIVENS_HD Problem(const DelMultiplier& scheme, const Carried& at_node)
        : Base(scheme.system_, scheme.unit_, {Scalar(0.5), Scalar(1.0), Scalar(2.0)}, scheme.row_scale_,
               at_node.q, at_node.tau_c, at_node) {}
  };
  static constexpr int unknowns = Problem::unknowns;
  using Unpacked = typename Problem::Unpacked;

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.tau_c = unit_.tau * n.p;
    r.p = n.p;
    r.increment = unit_.h * n.v;
    r.tau_c_ahead = zero_vector<Scalar, d>();
    r.ahead_h = Scalar(0.0);
    r.started = Scalar(0.0);
    r.multipliers = zero_vector<Scalar, 2 * m>();
    r.LoadClock<System>::start();
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return {carried.q, carried.p, system_.inertia.solve(carried.p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda(), not_a_number_vector<Scalar, m>()};
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    return step_and_look_ahead<pivoting>(*this, unit_.h, settings_.order > 0, now, active, next);
  }
  LIVENS_HD Exchanged<Scalar> arrive(Carried& at_node) const {
    const MeanLoad<System> load(system_, at_node, unit_.h);
    at_node.LoadClock<System>::advance(unit_.h);
    at_node.q = at_node.q + at_node.increment;
    at_node.tau_c = at_node.tau_c_ahead;
    set_part<0>(at_node.multipliers, at_node.lambda_ahead());
    at_node.started = Scalar(1.0);
    return {unit_.per_h * dot(at_node.increment, viscous_force(system_, at_node.increment)),
            load.work(at_node.increment)};
  }

  LIVENS_HD void begin_anew(Carried& at_node) const {
    const auto G = system_.constraint_jacobian(at_node.q);
    const auto normal = constraint_multiplier(system_, G, system_.inertia.solve(at_node.tau_c));
    at_node.tau_c = at_node.tau_c - transpose_times<System>(G, normal);
    at_node.p = unit_.per_tau * at_node.tau_c;
    at_node.increment = unit_.h * system_.inertia.solve(at_node.p);
    at_node.ahead_h = at_node.started = Scalar(0.0);
  }

  /// Solves (a), (b) from this node and, where that succeeds, records the solution and the momentum (d).
  template <Pivoting pivoting>
  LIVENS_HD Outcome<Scalar> look_ahead(Carried& at_node, const Mask<Scalar>& solving) const {
    const Problem problem(*this, at_node);
    const Mask<Scalar> started = at_node.started > Scalar(0.0);
    const Scalar &h = unit_.h, &per_h = unit_.per_h, half = Scalar(0.5);
    const Scalar weight = select(started, h, half * h);
    const Mask<Scalar> extrapolates = started & (at_node.ahead_h == h);
    // The increments repeat; with a new h, or none before, the momentum leads.
    const Position increment = select<Scalar>(extrapolates, at_node.increment, problem.start_increment());
    auto x = Unpacked{zero_vector<Scalar, d>(), increment, (-(h * weight)) * at_node.lambda(),
                      zero_vector<Scalar, m>()}
                 .pack();
    const auto right = [&](const auto& root) {
      return right_branch(system_, at_node.q, at_node.q + Unpacked::unpack(root).b);
    };
    const Outcome<Scalar> outcome = newton_on_branch<pivoting, Scalar>(problem, x, settings_, solving, right);

    const Unpacked at_x = Unpacked::unpack(x);
    const Mask<Scalar> good = solving & outcome.good();
    const Position& Dq = at_x.b;
    const Position tau_c_ahead =
        unit_.per_step * fnma(half, problem.stage_forces(at_x), system_.inertia.times(Dq));  // (c)
    at_node.increment = select<Scalar>(solving, Dq, at_node.increment);
    at_node.tau_c_ahead = select<Scalar>(solving, tau_c_ahead, at_node.tau_c_ahead);
    at_node.ahead_h = select(solving, select(good, h, Scalar(0.0)), at_node.ahead_h);
    const Vec<Scalar, m> lambda = (-(per_h / weight)) * at_x.lambda;
    set_part<m>(at_node.multipliers, select<Scalar>(solving, lambda, at_node.lambda_ahead()));
    // A node for which no step ahead is found keeps c.
    const auto G0 = system_.constraint_jacobian(at_node.q);
    const Position c = unit_.per_tau * at_node.tau_c;
    const Position p = fma(half * h, transpose_times<System>(G0, lambda), c);  // (d)
    at_node.p = select<Scalar>(solving & started, select<Scalar>(good, p, c), at_node.p);
    return outcome;
  }

 private:
  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  Position row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
