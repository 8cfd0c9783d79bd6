#pragma once
// The full form that all midpoint-like schemes share; a scheme says where its terms are taken and with what
// weight. equations/holonomic.md, sections 2-5 and 8-10. With q_a = q0 + alpha Dq and q1 = q0 + Dq, the
// scaled unknowns y = h v, Dq, Lambda = h^2 lambda, Gamma = h gamma solve
//   (a) M (Dq - y) - G(q_a)^T Gamma = 0                                   (ggl_mp: without M)
//   (b) 2 M y - 2 h p0 + phi [h^2 F + W(Gamma) y + h C Dq] + mu G(q_l)^T Lambda = 0
//   (c) g(q_c) = 0
//   (d) G(q_a) y = 0   or, at the end,   G(q1) (2 y - h M^-1 p0) = 0
// Rows (a), (b) are divided by the diagonal of M, so that the condition does not depend on h. A scheme
// without a velocity level has no y, Gamma, (a), (d): there y = Dq. q_l, q_c and the place of the force F are
// q0, q_a or q1; F is DV there or a discrete gradient, less F_m of given forces (mean_load.hpp). A step
// carries tau p on, in a unit of time in which h is a power of two (time_unit.hpp).
//
// A Rule has
//   static constexpr const SchemeInfo& info();
//   static constexpr bool velocity_level, has_gamma, curvature, kinematic_mass, damped, own_velocity;
//   static constexpr Force force;  Place force_at, multiplier_at, position_at, velocity_at;
//   static StageWeights<Scalar> weights(const Settings&);
//   static void finish(problem, now, solution, next): tau p1 at next.q, and v1 where the velocity is its own

#include "kernels/schemes/discrete_gradient.hpp"
#include "kernels/schemes/mean_load.hpp"
#include "kernels/schemes/saddle_point.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

enum class Place { start, stage, end };
enum class Force {
  gradient,
  equivariant,
  chosen
};  ///< DV; Dbar V by invariants; as StageWeights::plain says

template <class Scalar>
struct StageWeights {
  Scalar alpha;        ///< of q_a
  Scalar force;        ///< phi
  Scalar multiplier;   ///< mu
  bool plain = false;  ///< the chosen force is Gonzalez' discrete gradient
};

/// Equations (a)-(d) at fixed q0, p0.
template <class System_, class Rule>
class SaddleProblem {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  static constexpr int d = System::coordinates, m = System::constraints;
  static constexpr bool velocity_level = Rule::velocity_level;
  using Position = Vec<Scalar, d>;
  using Layout = SaddlePointLayout<System, velocity_level>;
  using Unpacked = SaddlePoint<System, velocity_level>;
  static constexpr int unknowns = Layout::size;
  using Unknowns = Vec<Scalar, unknowns>;

  struct Pattern {
    static constexpr int size = Layout::size;
    static constexpr bool nonzero(int row, int column) {
      const Unknown of = Layout::table.kind[row], by = Layout::table.kind[column];
      const int i = Layout::table.number[row], j = Layout::table.number[column];
      const bool mass = System::Inertia::nonzero(i, j), curved = any_curvature<System>(i, j);
      switch (of) {
        case Unknown::a:
          if (by == Unknown::a) return mass;
          if (by == Unknown::b) return mass || curved;
          return by == Unknown::gamma && System::constrains(j, i);
        case Unknown::b:
          if (by == Unknown::a) return mass || (Rule::curvature && curved);
          if (by == Unknown::b)
            return dense_force || (implicit_force && System::stiff(i, j)) || System::stiff(i, j) ||
                   (Rule::multiplier_at == Place::stage && curved) || (!velocity_level && mass);
          return System::constrains(j, i) && (by == Unknown::lambda || Rule::curvature);
        case Unknown::lambda:
          return by == Unknown::b && System::constrains(i, j);
        default:
          return (by == Unknown::a || by == Unknown::b) && System::constrains(i, j);
      }
    }
  };
  using Matrix = SparseMatrix<Scalar, Pattern>;

  LIVENS_HD SaddleProblem(const System& system, const TimeUnit<Scalar>& unit,
                          const StageWeights<Scalar>& weights, const Position& row_scale, const Position& q0,
                          const Position& tau_p0, const LoadClock<System>& clock)
      : system_(system),
        unit_(unit),
        weights_(weights),
        row_scale_(row_scale),
        q0_(q0),
        hp0_(unit.step * tau_p0),
        hv0_(system.inertia.solve(hp0_)),
        load_(system, clock, unit.h) {}

  LIVENS_HD const System& system() const { return system_; }
  LIVENS_HD const TimeUnit<Scalar>& unit() const { return unit_; }
  LIVENS_HD const StageWeights<Scalar>& weights() const { return weights_; }
  LIVENS_HD const Position& h_momentum() const { return hp0_; }       ///< h p0
  LIVENS_HD const Position& start_increment() const { return hv0_; }  ///< h M^-1 p0
  LIVENS_HD const Position& row_scale() const { return row_scale_; }

  struct Evaluation {
    Unknowns residual;
  };

  LIVENS_HD Position place(Place where, const Position& Dq) const {
    if (where == Place::start) return q0_;
    if (where == Place::end) return q0_ + Dq;
    return fma(weights_.alpha, Dq, q0_);
  }
  LIVENS_HD const MeanLoad<System>& load() const { return load_; }
  /// F but for the loads.
  LIVENS_HD Position force(const Position& Dq) const {
    if constexpr (System::linear_potential)
      return system_.gradient(q0_);
    else if constexpr (Rule::force == Force::gradient)
      return system_.gradient(place(Rule::force_at, Dq));
    else if constexpr (chosen_force)
      return weights_.plain ? plain_discrete_gradient(system_, q0_, q0_ + Dq)
                            : system_.discrete_gradient(q0_, q0_ + Dq);
    else
      return system_.discrete_gradient(q0_, q0_ + Dq);
  }
  /// The bracket of (b), with G(q_l)^T Lambda left out.
  LIVENS_HD Position stage_forces(const Unpacked& x) const {
    Position r = (unit_.h * unit_.h) * load_.taken_from(force(x.b));
    if constexpr (Rule::curvature) r = r + weighted_curvature_times(system_, x.gamma, x.a);
    if constexpr (Rule::damped) r = fma(unit_.h, viscous_force(system_, x.b), r);
    return r;
  }

  LIVENS_HD Evaluation evaluate(const Unknowns& unknown) const {
    const Unpacked x = Unpacked::unpack(unknown);
    const Scalar two = Scalar(2.0);
    const Position& Dq = x.b;
    const Position& y = velocity_level ? x.a : Dq;
    Unpacked r;
    const auto G_l = system_.constraint_jacobian(place(Rule::multiplier_at, Dq));
    const Position momentum = two * (system_.inertia.times(y) - hp0_) + weights_.force * stage_forces(x) +
                              weights_.multiplier * transpose_times<System>(G_l, x.lambda);  // (b)
    for (int i = 0; i < d; ++i) r.b[i] = row_scale_[i] * momentum[i];
    r.lambda = system_.constraints_at(place(Rule::position_at, Dq));  // (c)
    if constexpr (velocity_level) {
      const auto G_a = system_.constraint_jacobian(place(Place::stage, Dq));
      const Position normal = transpose_times<System>(G_a, x.gamma), slip = Dq - x.a;
      if constexpr (Rule::kinematic_mass) {
        const Position kinematic = system_.inertia.times(slip) - normal;  // (a)
        for (int i = 0; i < d; ++i) r.a[i] = row_scale_[i] * kinematic[i];
      } else {
        r.a = slip - normal;
      }
      r.gamma = times<System>(system_.constraint_jacobian(place(Rule::velocity_at, Dq)), tested(x.a));  // (d)
    }
    return {r.pack()};
  }

  LIVENS_HD void jacobian(const Unknowns& unknown, const Evaluation&, Matrix& J) const {
    const Unpacked x = Unpacked::unpack(unknown);
    const Scalar two = Scalar(2.0);
    const auto G_l = system_.constraint_jacobian(place(Rule::multiplier_at, x.b));
    const auto G_c = system_.constraint_jacobian(place(Rule::position_at, x.b));
    const Scalar at_c = Rule::position_at == Place::stage ? weights_.alpha : Scalar(1.0);
    J.clear();
    for_each_entry<d, d, Mass>([&](auto i, auto j) {
      const Scalar entry = row_scale_[i] * system_.inertia.entry(i, j);
      if constexpr (velocity_level) {
        J.template at<Layout::b(i.value), Layout::a(j.value)>() = two * entry;
        if constexpr (Rule::kinematic_mass) {
          J.template at<Layout::a(i.value), Layout::a(j.value)>() = -entry;
          J.template at<Layout::a(i.value), Layout::b(j.value)>() = entry;
        } else if constexpr (i.value == j.value) {
          J.template at<Layout::a(i.value), Layout::a(i.value)>() = Scalar(-1.0);
          J.template at<Layout::a(i.value), Layout::b(i.value)>() = Scalar(1.0);
        }
      } else {
        J.template at<Layout::b(i.value), Layout::b(j.value)>() = two * entry;
      }
    });
    add_force_jacobian(x.b, J);
    for_each_entry<d, d, DeclaredAnyCurvature<System>>([&](auto i, auto j) {
      constexpr int row_b = Layout::b(i.value), q_j = Layout::b(j.value);
      if constexpr (Rule::multiplier_at == Place::stage) {
        const Scalar of_lambda =
            row_scale_[i] * weighted_curvature<System, i.value, j.value>(system_, x.lambda);
        J.template at<row_b, q_j>() =
            fma(weights_.multiplier * weights_.alpha, of_lambda, J.template at<row_b, q_j>());
      }
      if constexpr (velocity_level) {
        constexpr int row_a = Layout::a(i.value), y_j = Layout::a(j.value);
        const Scalar of_gamma = weighted_curvature<System, i.value, j.value>(system_, x.gamma);
        J.template at<row_a, q_j>() =
            fnma(weights_.alpha * kinematic_scale(i), of_gamma, J.template at<row_a, q_j>());
        if constexpr (Rule::curvature)
          J.template at<row_b, y_j>() =
              fma(weights_.force * row_scale_[i], of_gamma, J.template at<row_b, y_j>());
      }
    });
    for_each_constraint_entry<System>([&](auto k, auto i) {
      constexpr int lambda_k = Layout::lambda(k.value), q_i = Layout::b(i.value);
      J.template at<q_i, lambda_k>() = weights_.multiplier * row_scale_[i] * G_l(k, i);
      J.template at<lambda_k, q_i>() = at_c * G_c(k, i);
    });
    if constexpr (velocity_level) add_velocity_level(x, J);
  }

 protected:
  static constexpr bool implicit_force =
      !System::linear_potential && (Rule::force != Force::gradient || Rule::force_at != Place::start);
  static constexpr bool chosen_force = Rule::force == Force::chosen && !DefinesDiscreteGradient<System>;
  /// The correction of Gonzalez' discrete gradient couples all coordinates.
  static constexpr bool dense_force = implicit_force && chosen_force;
  /// The vector that (d) multiplies by G: y, or at the end 2 y - h M^-1 p0.
  LIVENS_HD Position tested(const Position& y) const {
    return Rule::velocity_at == Place::end ? Scalar(2.0) * y - hv0_ : y;
  }

  LIVENS_HD auto discrete_force_slope(const Position& Dq) const {
    const Position q1 = q0_ + Dq;
    if constexpr (chosen_force)
      return weights_.plain ? plain_discrete_gradient_jacobian(system_, q0_, q1)
                            : system_.discrete_gradient_jacobian(q0_, q1);
    else
      return system_.discrete_gradient_jacobian(q0_, q1);
  }

 private:
  struct Mass {
    constexpr bool operator()(int i, int j) const { return System::Inertia::nonzero(i, j); }
  };
  struct All {
    constexpr bool operator()(int, int) const { return true; }
  };

  LIVENS_HD Scalar kinematic_scale(int i) const { return Rule::kinematic_mass ? row_scale_[i] : Scalar(1.0); }
  /// phi (h^2 DF/Dq1 + h C).
  LIVENS_HD void add_force_jacobian(const Position& Dq, Matrix& J) const {
    const auto add = [&](auto i, auto j, const Scalar& entry) {
      constexpr int row = Layout::b(i.value), column = Layout::b(j.value);
      J.template at<row, column>() = fma(weights_.force * row_scale_[i], entry, J.template at<row, column>());
    };
    if constexpr (implicit_force) {
      const Scalar h2 = unit_.h * unit_.h;
      if constexpr (Rule::force == Force::gradient) {
        const auto K = system_.hessian(place(Rule::force_at, Dq));
        for_each_entry<d, d, DeclaredStiffness<System>>(
            [&](auto i, auto j) { add(i, j, h2 * weights_.alpha * K(i, j)); });
      } else {
        const auto K = discrete_force_slope(Dq);
        using Where = std::conditional_t<dense_force, All, DeclaredStiffness<System>>;
        for_each_entry<d, d, Where>([&](auto i, auto j) { add(i, j, h2 * K(i, j)); });
      }
    }
    if constexpr (Rule::damped)
      for_each_entry<d, d, DeclaredStiffness<System>>(
          [&](auto i, auto j) { add(i, j, unit_.h * system_.damping(i, j)); });
  }

  LIVENS_HD void add_velocity_level(const Unpacked& x, Matrix& J) const {
    const auto G_a = system_.constraint_jacobian(place(Place::stage, x.b));
    const auto G_d = system_.constraint_jacobian(place(Rule::velocity_at, x.b));
    const Scalar of_y = Scalar(Rule::velocity_at == Place::end ? 2.0 : 1.0);
    const Scalar at_d = Rule::velocity_at == Place::end ? Scalar(1.0) : weights_.alpha;
    const Position v = tested(x.a);
    unroll<m>([&](auto k) {
      constexpr int gamma_k = Layout::gamma(k.value);
      const Position A_y = curvature_times<System, k.value>(system_, x.a);
      const Position A_v = curvature_times<System, k.value>(system_, v);
      unroll<d>([&](auto i) {
        constexpr int y_i = Layout::a(i.value), q_i = Layout::b(i.value);
        if constexpr (System::constrains(k.value, i.value)) {
          J.template at<y_i, gamma_k>() = -(kinematic_scale(i) * G_a(k, i));
          J.template at<gamma_k, y_i>() = of_y * G_d(k, i);
          J.template at<gamma_k, q_i>() = at_d * A_v[i];
          if constexpr (Rule::curvature)
            J.template at<q_i, gamma_k>() = weights_.force * row_scale_[i] * A_y[i];
        }
      });
    });
  }

  const System& system_;
  const TimeUnit<Scalar>& unit_;
  StageWeights<Scalar> weights_;
  const Position& row_scale_;
  const Position& q0_;
  Position hp0_, hv0_;  ///< h p0, h M^-1 p0
  [[no_unique_address]] MeanLoad<System> load_;
};

template <HolonomicSystem System_, class Rule>
class FullForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = FullForm<typename System::template Over<Other>, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints;
  using Position = Vec<Scalar, d>;
  static constexpr const char* form = "full";
  static constexpr bool damped = Rule::damped, compensated = false;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct WithMultipliers {
    Position q, tau_p;
    /// lambda, and gamma where there is one, of the step that led here: one vector, as StoredMultipliers.
    [[no_unique_address]] Vec<Scalar, Rule::has_gamma ? 2 * m : m> multipliers;
    [[no_unique_address]] LoadClock<System> clock;
    LIVENS_HD Vec<Scalar, m> lambda() const { return part<0, m>(multipliers); }
    LIVENS_HD Vec<Scalar, m> gamma() const { return part<m, m>(multipliers); }
  };
  struct WithVelocity : WithMultipliers {
    Position v;
  };
  using Carried = std::conditional_t<Rule::own_velocity, WithVelocity, WithMultipliers>;

  LIVENS_HD FullForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        unit_(h, settings),
        settings_(settings),
        weights_(Rule::template weights<Scalar>(settings)) {
    unroll<d>([&](auto i) { row_scale_[i] = Scalar(1.0) / system.inertia.entry(i, i); });
  }

  class Problem : public SaddleProblem<System, Rule> {
   public:
    LIVENS_HD Problem(const FullForm& form, const Carried& now)
        : SaddleProblem<System, Rule>(form.system_, form.unit_, form.weights_, form.row_scale_, now.q,
                                      now.tau_p, now.clock) {}
  };
  static constexpr int unknowns = Problem::unknowns;
  using Unpacked = typename Problem::Unpacked;

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.tau_p = unit_.tau * n.p;
    r.multipliers = zero_vector < Scalar, Rule::has_gamma ? 2 * m : m > ();
    if constexpr (Rule::own_velocity) r.v = n.v;
    r.clock.start();
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position p = unit_.per_tau * carried.tau_p;
    if constexpr (Rule::own_velocity)
      return {carried.q, p, carried.v};
    else
      return {carried.q, p, system_.inertia.solve(p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const NodeState<Scalar, d> n = node(carried);
    auto measured = measure_node(system_, n, what);
    if constexpr (Rule::own_velocity) {
      const Scalar V = system_.potential(n.q), half = Scalar(0.5);
      measured.energy = fma(half, dot(n.p, system_.inertia.solve(n.p)), V);
      measured.total_energy = fma(half, dot(n.v, system_.inertia.times(n.v)), V);
    }
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    if constexpr (Rule::has_gamma)
      return {after.lambda(), after.gamma()};
    else
      return {after.lambda(), not_a_number_vector<Scalar, m>()};
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Scalar &h = unit_.h, &per_h = unit_.per_h;
    const Position& hv0 = problem.start_increment();
    Unpacked guess{hv0, hv0, (h * h) * now.lambda(), zero_vector<Scalar, m>()};
    if constexpr (Rule::own_velocity) guess.b = h * now.v;
    if constexpr (Rule::velocity_level) guess.gamma = h * now.gamma();
    auto x = guess.pack();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    const Unpacked at_x = Unpacked::unpack(x);
    const Position& Dq = at_x.b;
    next.q = now.q + Dq;
    set_part<0>(next.multipliers, (per_h * per_h) * at_x.lambda);
    if constexpr (Rule::velocity_level) set_part<m>(next.multipliers, per_h * at_x.gamma);
    Rule::finish(problem, now, at_x, next);
    next.clock = now.clock;
    next.clock.advance(h);
    Scalar dissipated = Scalar(0.0);
    if constexpr (Rule::damped) dissipated = per_h * dot(Dq, viscous_force(system_, Dq));
    return {outcome, dissipated, problem.load().work(Dq)};
  }

 private:
  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  StageWeights<Scalar> weights_;
  Position row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
