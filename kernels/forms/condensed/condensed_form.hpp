#pragma once
// The full form (full_form.hpp) without its velocity, for any system of its class: equations/reduced.md,
// section 4. (a) there says what y is, and with L = mu Lambda - 2 Gamma in place of Lambda M y is gone from
// (b), too. K is M^-1, or 1 for ggl_mp, where L = mu Lambda:
//   y = Dq - K G_a^T Gamma
//   (b) 2 (M Dq - h p0) + phi [h^2 F + W(Gamma) y + h C Dq] + G_l^T L = 0      (ggl_mp: M y for M Dq)
//   (c) g(q_c) = 0
//   (d) G_a y = 0   or, at the end,   G1 (2 y - h M^-1 p0) = 0
// for Dq, L, Gamma: d + 2 m unknowns in place of 2 (d + m); without a velocity level (b), (c) for Dq, L. Each
// entry of the matrix is a sum over what may be non-zero, and couplings.hpp orders its elimination.
//
// Newton starts from where three steps before lead to (extrapolation.hpp). A step that is difficult is one of the
// full form: G K G^T is a factor of the elimination, and squares the condition.

#include "kernels/forms/condensed/couplings.hpp"
#include "kernels/schemes/constraint_multiplier.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/full_form.hpp"

namespace livens::inline LIVENS_ISA {

/// Systems whose M^-1 is known entry by entry.
template <class System>
concept CondensableSystem = HolonomicSystem<System> && QuadraticConstraints<System> &&
    requires(const System& system) {
  system.inertia.inverse_entry(0, 0);
};

template <CondensableSystem System_, class Rule>
class CondensedForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = CondensedForm<typename System::template Over<Other>, Rule>;
  static constexpr int d = System::coordinates, m = System::constraints;
  using With = Couplings<System, Rule>;
  using Layout = CondensedLayout<System, Rule>;
  static constexpr int unknowns = Layout::size;
  using Position = Vec<Scalar, d>;
  using Unknowns = Vec<Scalar, unknowns>;
  using Apart = SaddlePoint<System, Rule::velocity_level>;  ///< y, Dq, L, Gamma
  using Redone = FullForm<System, Rule>;                    ///< a difficult step
  static constexpr const char* form = "reduced";
  static constexpr bool damped = Rule::damped, compensated = false;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  /// Nodes off g = 0 to one side and the other: every second step is like the last but one.
  static constexpr bool alternating = Rule::position_at == Place::stage;
  struct Carried {
    Position q, tau_p;
    Extrapolation<Scalar, unknowns, alternating>
        extrapolation;  ///< the unknowns, Dq less h v0, over (h/tau)^2
    Scalar step;        ///< the length of the step that led here in units of tau, 0 at the start
    [[no_unique_address]] LoadClock<System> clock;
  };

  LIVENS_HD CondensedForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        unit_(h, settings),
        settings_(settings),
        weights_(Rule::template weights<Scalar>(settings)),
        dampers_(false) {
    if constexpr (System::damped)
      for_each_entry<d, d, DeclaredStiffness<System>>(
          [&](auto i, auto j) { dampers_ = dampers_ | !(system.damping(i, j) == Scalar(0.0)); });
    unroll<d>([&](auto i) { row_scale_[i] = Scalar(1.0) / system.inertia.entry(i, i); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.q = n.q;
    r.tau_p = unit_.tau * n.p;
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, unknowns>());
    r.step = Scalar(0.0);
    r.clock.start();
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position p = unit_.per_tau * carried.tau_p;
    return {carried.q, p, system_.inertia.solve(p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    const Apart x = taken_apart((unit_.step * unit_.step) * after.extrapolation.needed[0]);
    const Vec<Scalar, m> lambda = (unit_.per_h * unit_.per_h) * multiplier(x);
    if constexpr (Rule::has_gamma)
      return {lambda, unit_.per_h * x.gamma};
    else
      return {lambda, not_a_number_vector<Scalar, m>()};
  }

  /// (b)-(d) at fixed q0, p0.
  class Problem : public SaddleProblem<System, Rule> {
   public:
    using Base = SaddleProblem<System, Rule>;
    using Layout = CondensedForm::Layout;
    using Unknowns = CondensedForm::Unknowns;
    static constexpr int unknowns = CondensedForm::unknowns;
    static constexpr bool exact_energy = Rule::info().exact_energy, apart = !Layout::Pattern::unrolled;
    using Matrix = SparseMatrix<Scalar, typename Layout::Pattern>;

    LIVENS_HD Problem(const CondensedForm& form, const Carried& now)
        : Base(form.system_, form.unit_, form.weights_, form.row_scale_, now.q, now.tau_p, now.clock),
          form_(form) {}

    struct Evaluation {
      Unknowns residual;
      Position y;
    };

    LIVENS_HD Evaluation evaluate(const Unknowns& unknown) const {
      const System& system = this->system();
      Apart x = taken_apart(unknown);
      const Position& Dq = x.b;
      x.a = Dq;
      if constexpr (With::gamma) {
        const auto G_a = system.constraint_jacobian(this->place(Place::stage, Dq));
        const Position normal = transpose_times<System>(G_a, x.gamma);
        x.a = Dq - (Rule::kinematic_mass ? system.inertia.solve(normal) : normal);
      }
      const Position& fast = Rule::kinematic_mass ? Dq : x.a;
      const auto G_l = system.constraint_jacobian(this->place(Rule::multiplier_at, Dq));
      const Position momentum = Scalar(2.0) * (system.inertia.times(fast) - this->h_momentum()) +
                                this->weights().force * stage_forces(x) +
                                transpose_times<System>(G_l, x.lambda);  // (b)
      Apart r;
      for (int i = 0; i < d; ++i) r.b[i] = this->row_scale()[i] * momentum[i];
      r.lambda = system.constraints_at(this->place(Rule::position_at, Dq));  // (c)
      if constexpr (With::gamma)
        r.gamma = times<System>(system.constraint_jacobian(this->place(Rule::velocity_at, Dq)),
                                this->tested(x.a));  // (d)
      return {put_together(r), x.a};
    }

    LIVENS_HD void jacobian(const Unknowns& unknown, const Evaluation& at, Matrix& J) const {
      const System& system = this->system();
      const auto& scale = this->row_scale();
      const Apart x = taken_apart(unknown);
      const Scalar &h = this->unit().h, &alpha = this->weights().alpha, &phi = this->weights().force;
      J.clear();
      const auto entry = entries_of(J);
      for_each_entry<d, d, typename With::Mass>(
          [&](auto i, auto j) { entry(i, j) = Scalar(2.0) * scale[i] * system.inertia.entry(i, j); });
      if constexpr (Base::implicit_force) {
        const Scalar weight = Rule::force == Force::gradient ? h * h * phi * alpha : h * h * phi;
        const auto K = force_slope(x.b);
        for_each_entry<d, d, DeclaredStiffness<System>>(
            [&](auto i, auto j) { entry(i, j) = fma(weight * scale[i], K(i, j), entry(i, j)); });
      }
      if constexpr (System::damped)
        if (any(form_.dampers_))
          for_each_entry<d, d, DeclaredStiffness<System>>([&](auto i, auto j) {
            entry(i, j) = fma(h * phi * scale[i], system.damping(i, j), entry(i, j));
          });
      const auto G_l = system.constraint_jacobian(this->place(Rule::multiplier_at, x.b));
      const auto G_c = system.constraint_jacobian(this->place(Rule::position_at, x.b));
      for_each_constraint_entry<System>([&](auto k, auto i) {
        constexpr int lambda = Layout::lambda(k.value), b = Layout::b(i.value);
        J.template at<b, lambda>() = scale[i] * G_l(k, i);
        J.template at<lambda, b>() = Rule::position_at == Place::stage ? alpha * G_c(k, i) : G_c(k, i);
      });
      // What second derivatives add to (b) where the velocity stays.
      Vec<Scalar, m> bending = zero_vector<Scalar, m>();
      if constexpr (Rule::multiplier_at == Place::stage) bending = alpha * x.lambda;
      if constexpr (With::gamma && Rule::curvature) bending = fma(phi, x.gamma, bending);
      for_each_entry<d, d, typename With::Curved>([&](auto i, auto j) {
        entry(i, j) =
            fma(scale[i], weighted_curvature<System, i.value, j.value>(system, bending), entry(i, j));
      });
      if constexpr (With::gamma) add_velocity_level(x, at, J);
    }

   private:
    /// As that of the full form; where nothing damps its terms are left out, which changes no bit.
    LIVENS_HD Position stage_forces(const Apart& x) const {
      Position r = (this->unit().h * this->unit().h) * this->load().taken_from(this->force(x.b));
      if constexpr (Rule::curvature) r = r + weighted_curvature_times(this->system(), x.gamma, x.a);
      if constexpr (System::damped)
        if (any(form_.dampers_)) r = fma(this->unit().h, viscous_force(this->system(), x.b), r);
      return r;
    }
    LIVENS_HD auto force_slope(const Position& Dq) const {
      if constexpr (Rule::force == Force::gradient)
        return this->system().hessian(this->place(Rule::force_at, Dq));
      else
        return this->discrete_force_slope(Dq);
    }
    /// The entry of rows and columns b.
    static LIVENS_HD auto entries_of(Matrix& J) {
      return
          [&J](auto i, auto j) -> Scalar& { return J.template at<Layout::b(i.value), Layout::b(j.value)>(); };
    }
    static LIVENS_HD Scalar mobility(const System& system, int i, int j) {
      return Rule::kinematic_mass ? system.inertia.inverse_entry(i, j) : Scalar(1.0);
    }
    /// K G_k^T in row k.
    static LIVENS_HD Mat<Scalar, m, d> moved(const System& system, const Mat<Scalar, m, d>& G) {
      return moved_rows<System, typename With::Mobility>([&](int i, int j) { return mobility(system, i, j); },
                                                         G);
    }

    static LIVENS_HD Mat<Scalar, m, d> doubled(Mat<Scalar, m, d> G) {
      for_each_constraint_entry<System>([&](auto k, auto i) { G(k, i) = Scalar(2.0) * G(k, i); });
      return G;
    }

    /// What y = Dq - K G_a^T Gamma adds: dy = (1 - alpha K W) dDq - K G_a^T dGamma.
    LIVENS_HD void add_velocity_level(const Apart& x, const Evaluation& at, Matrix& J) const {
      const System& system = this->system();
      const auto& scale = this->row_scale();
      const Scalar &alpha = this->weights().alpha, &phi = this->weights().force;
      const auto entry = entries_of(J);
      Mat<Scalar, d, d> at_stage, in_force, KW;  // alpha W; phi W in the units of a row; K alpha W
      for_each_entry<d, d, typename With::Curved>([&](auto i, auto j) {
        const Scalar W = weighted_curvature<System, i.value, j.value>(system, x.gamma);
        at_stage(i, j) = alpha * W;
        in_force(i, j) = phi * scale[i] * W;
      });
      const auto G_a = system.constraint_jacobian(this->place(Place::stage, x.b));
      const Mat<Scalar, m, d> moved_a = moved(system, G_a);
      if constexpr (Rule::curvature) {  // (b): phi W dy
        for_each_entry<d, d, typename With::Swung>([&](auto i, auto j) { KW(i, j) = Scalar(0.0); });
        for_each_product<d, d, d, typename With::Mobility, typename With::Curved>(
            [&](auto i, auto j, auto l) {
              KW(i, l) = fma(mobility(system, i, j), at_stage(j, l), KW(i, l));
            });
        for_each_product<d, d, d, typename With::Curved, typename With::Swung>(
            [&](auto i, auto j, auto l) { entry(i, l) = fnma(in_force(i, j), KW(j, l), entry(i, l)); });
        for_each_product<d, d, m, typename With::Curved, typename With::MovedTransposed>(
            [&](auto i, auto j, auto k) {
              Scalar& e = J.template at<Layout::b(i.value), Layout::gamma(k.value)>();
              e = fnma(in_force(i, j), moved_a(k, j), e);
            });
      } else {  // (b): 2 M dy, of which 2 M is there
        for_each_product<d, d, d, typename With::Mass, typename With::Curved>([&](auto i, auto j, auto l) {
          entry(i, l) =
              fnma(Scalar(2.0) * scale[i] * system.inertia.entry(i, j), at_stage(j, l), entry(i, l));
        });
        for_each_product<d, d, m, typename With::Mass, typename With::ConstrainedTransposed>(
            [&](auto i, auto j, auto k) {
              Scalar& e = J.template at<Layout::b(i.value), Layout::gamma(k.value)>();
              e = fnma(Scalar(2.0) * scale[i] * system.inertia.entry(i, j), G_a(k, j), e);
            });
      }
      // (d): of_y G_d dy + at_d (A_k v) dDq; and A_k y dGamma_k in (b).
      constexpr bool end = Rule::velocity_at == Place::end;
      const Scalar of_y = Scalar(end ? 2.0 : 1.0), at_d = end ? Scalar(1.0) : alpha;
      const auto G_d = system.constraint_jacobian(this->place(Rule::velocity_at, x.b));
      const Mat<Scalar, m, d> moved_d = end ? moved(system, doubled(G_d)) : moved_a;
      const Position v = at_d * this->tested(at.y);
      for_each_constraint_entry<System>([&](auto k, auto i) {
        J.template at<Layout::gamma(k.value), Layout::b(i.value)>() = of_y * G_d(k, i);
      });
      unroll<m>([&](auto k) {
        for_each_curvature_entry<System, k.value>([&](auto i, auto j) {
          const Scalar curvature = system.curvature(k, i, j);
          Scalar& e = J.template at<Layout::gamma(k.value), Layout::b(i.value)>();
          e = fma(curvature, v[j], e);
          if constexpr (Rule::curvature) {
            Scalar& by_gamma = J.template at<Layout::b(i.value), Layout::gamma(k.value)>();
            by_gamma = fma(phi * scale[i] * curvature, at.y[j], by_gamma);
          }
        });
      });
      for_each_product<m, d, d, typename With::Moved, typename With::Curved>([&](auto k, auto j, auto i) {
        Scalar& e = J.template at<Layout::gamma(k.value), Layout::b(i.value)>();
        e = fnma(moved_d(k, j), at_stage(j, i), e);
      });
      for_each_product<m, d, m, DeclaredConstraints<System>, typename With::MovedTransposed>(
          [&](auto k, auto i, auto l) {
            Scalar& e = J.template at<Layout::gamma(k.value), Layout::gamma(l.value)>();
            e = fnma(of_y * G_d(k, i), moved_a(l, i), e);
          });
    }

    const CondensedForm& form_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    if constexpr (pivoting != Pivoting::where_needed) {
      return condensed_step<pivoting>(now, active, next);
    } else {
      const StepReport<Scalar> report = condensed_step<Pivoting::refused>(now, active, next);
      return report.outcome.good() ? report : full_step(now, report.outcome.iterations, next);
    }
  }

 private:
  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> condensed_step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Scalar square = unit_.step * unit_.step;
    const Unknowns base = increments(problem.start_increment());
    Unknowns x = fma(square, now.extrapolation.next(), base);
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active, at);
    Apart at_x = taken_apart(x);
    at_x.a = at.y;
    const Position& Dq = at_x.b;
    next.q = now.q + Dq;
    Rule::finish(problem, now, at_x, next);
    next.clock = now.clock;
    next.clock.advance(unit_.h);
    remember(now, x - base, next);
    Scalar dissipated = Scalar(0.0);
    if constexpr (System::damped)
      if (any(dampers_)) dissipated = unit_.per_h * dot(Dq, viscous_force(system_, Dq));
    return {outcome, dissipated, problem.load().work(Dq)};
  }
  /// For one instance, with pivoting.
  LIVENS_HD_COLD StepReport<Scalar> full_step(const Carried& now, const Scalar& iterations,
                                              Carried& next) const {
    using Full = Redone;
    const Full full(system_, unit_.h, settings_);
    const Apart last = taken_apart((now.step * now.step) * now.extrapolation.needed[0]);
    typename Full::Carried from, to;
    from.q = now.q;
    from.tau_p = now.tau_p;
    set_part<0>(from.multipliers, (unit_.per_h * unit_.per_h) * multiplier(last));
    if constexpr (Rule::has_gamma) set_part<m>(from.multipliers, unit_.per_h * last.gamma);
    from.clock = now.clock;
    StepReport<Scalar> report = full.template step<Pivoting::where_needed>(from, true, to);
    report.outcome.iterations = report.outcome.iterations + iterations;
    next.q = to.q;
    next.tau_p = to.tau_p;
    next.clock = to.clock;
    Apart x{zero_vector<Scalar, d>(), to.q - now.q, zero_vector<Scalar, m>(), zero_vector<Scalar, m>()};
    if constexpr (Rule::has_gamma) x.gamma = unit_.h * to.gamma();
    x.lambda = (unit_.h * unit_.h) * to.lambda();
    for (int k = 0; k < m; ++k) x.lambda[k] = weights_.multiplier * x.lambda[k];
    if constexpr (takes_gamma) x.lambda = x.lambda - Scalar(2.0) * x.gamma;
    const Position hv0 = system_.inertia.solve(unit_.step * now.tau_p);
    remember(now, put_together(x) - increments(hv0), next);
    return report;
  }

  /// The unknowns less their base, for the guesses to come; after a step of another length all that is known.
  LIVENS_HD void remember(const Carried& now, const Unknowns& needed, Carried& next) const {
    next.extrapolation =
        now.extrapolation.followed_by((unit_.per_step * unit_.per_step) * needed, !(now.step == unit_.step));
    next.step = unit_.step;
  }

  static constexpr bool takes_gamma = With::gamma && Rule::kinematic_mass;
  /// Lambda.
  LIVENS_HD Vec<Scalar, m> multiplier(const Apart& x) const {
    Vec<Scalar, m> r = x.lambda;
    if constexpr (takes_gamma) r = fma(Scalar(2.0), x.gamma, r);
    return (Scalar(1.0) / weights_.multiplier) * r;
  }

  static LIVENS_HD Unknowns increments(const Position& Dq) {
    Unknowns x = zero_vector<Scalar, unknowns>();
    unroll<d>([&](auto i) { x[Layout::b(i.value)] = Dq[i]; });
    return x;
  }
  static LIVENS_HD Apart taken_apart(const Unknowns& x) {
    Apart r;
    unroll<d>([&](auto i) { r.b[i] = x[Layout::b(i.value)]; });
    unroll<m>([&](auto k) {
      r.lambda[k] = x[Layout::lambda(k.value)];
      if constexpr (With::gamma)
        r.gamma[k] = x[Layout::gamma(k.value)];
      else
        r.gamma[k] = Scalar(0.0);
    });
    return r;
  }
  static LIVENS_HD Unknowns put_together(const Apart& r) {
    Unknowns x;
    unroll<d>([&](auto i) { x[Layout::b(i.value)] = r.b[i]; });
    unroll<m>([&](auto k) {
      x[Layout::lambda(k.value)] = r.lambda[k];
      if constexpr (With::gamma) x[Layout::gamma(k.value)] = r.gamma[k];
    });
    return x;
  }

  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  StageWeights<Scalar> weights_;
  Position row_scale_;
  Mask<Scalar> dampers_;  ///< there are any
};

}  // namespace livens::inline LIVENS_ISA
