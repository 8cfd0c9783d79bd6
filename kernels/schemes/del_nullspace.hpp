#pragma once
// Discrete Euler-Lagrange equations, midpoint rule, with the discrete null space method.
// gamma-convergence-constrained (14)-(18); equations/multibody.md, sections 1, 2 and 4.
// The carried c_n is the left momentum D2 Ld(z_{n-1}, z_n) - C Dz/2, c_0 = p_0. With Dz = z1 - z0:
//   (a) b = c + D1 Ld - C Dz/2 = c - A Dz/h - h/2 DV(z_m) - C Dz/2
//   (b) N(z0)^T b = 0,  z1 = F_d(z0, w)
//   (c) c' = A Dz/h - h/2 DV(z_m) - C Dz/2 = c - b - h DV(z_m) - C Dz, with the normal part of b for b: what
//   is left of (b) is rounded to one side, which would add up. A Dz/h is not rounded in b, whose terms nearly
//   cancel: c - b would be on the grid of c, and c' beside it by what is left of (b), less than a place of
//   c, which would be rounded away again
//   (d) p_n = c_n - b_n/2, n >= 1 (b_n is normal: it is -h G^T lambda_n): the node's momentum needs the step
//   that leaves it, so a step ends by solving one ahead; the solution is kept and starts the next step.
//   (e) h lambda_n = -(G G^T)^-1 G(q0) b_n in the coordinates q (h/2 lambda_0 at the start)
//   (f) the root is accepted if the step is on the branch that h -> 0 leads to (section 4): unit vectors
//   with S = sym(G(z1) A^-1 G(z0)^T) positive definite, frames that turn by less than a right angle.
// Written for systems in vector form; F_d is the Cayley step, and z1 does not depend on that choice. (b) is
// scaled by h over the mass that an unknown moves.

#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/look_ahead.hpp"
#include "kernels/schemes/reorthonormalized.hpp"
#include "kernels/schemes/root_branch.hpp"
#include "kernels/schemes/time_unit.hpp"
#include "kernels/systems/shared/vector_null_space.hpp"

namespace livens::inline LIVENS_ISA {

struct DelNullspaceDescription {
  static constexpr SchemeInfo info = {
      .name = "del_nullspace",
      .meaning = "discrete Euler-Lagrange, discrete null space method",
      .paper = "gamma-convergence-constrained, (14)-(18)",
      .needs =
          "holonomic constraints that fix lengths of vectors, and a constant mass matrix; or an assembly",
      .order = 2,
      .runs_on = on_vectors_or_assemblies,
      .composable = to_any_order,
      .without_clones = true};
};

struct DelNullspaceRule {
  static constexpr const SchemeInfo& info() { return DelNullspaceDescription::info; }
};

/// Rule: del_nullspace, or a scheme with the same steps.
template <VectorSystem System_, class Rule = DelNullspaceRule>
class DelNullspace {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = DelNullspace<typename System::template Over<Other>, Rule>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  using Flat = typename Form::Flat;
  using Nulls = NullSpace<Form>;
  using Reduced = typename Nulls::Reduced;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = Form::degrees_of_freedom;
  static constexpr const char* form = "reduced";
  /// Drag that acts on coordinates which the vectors only determine would be missing from p_n.
  static constexpr bool damped = !Form::dragged || Form::size == d, compensated = false;
  static constexpr bool short_step = unknowns == 1;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct WithoutClock {
    Flat z, c;
    Flat p;                   ///< (d)
    Flat arrival;             ///< Dz of the step that led here
    Flat increment, c_ahead;  ///< Dz and (c) of the step that leaves this node ...
    Scalar ahead_h;           ///< ... with this h; 0: not solved
    /// What the last w needed beside where the momentum without constraint forces leads, over h^2.
    Extrapolation<Scalar, Nulls::spun, false> extrapolation;
    Scalar started;  ///< 0 at node 0, where (e) has half the weight
  };
  struct WithClock : WithoutClock {
    Scalar elapsed;  ///< since vectors that drift were at z, where they stay; units_per_step():
                     ///< time_unit.hpp
  };
  /// A base: beside an empty member nvcc keeps all of them in memory.
  using Carried = std::conditional_t<(Form::drifting > 0), WithClock, WithoutClock>;

  LIVENS_HD DelNullspace(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        vectors_(system.vector_form()),
        h_(h),
        per_h_(Scalar(1.0) / h),
        settings_(settings),
        dragged_(false) {
    for (int j = 0; j < unknowns; ++j) row_scale_[j] = h / Nulls::mass_of(vectors_, j);
    if constexpr (Form::dragged)
      for (int b = 0; b < Form::blocks; ++b) dragged_ = dragged_ | !(vectors_.drag(b, b) == Scalar(0.0));
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    const State s = system_.to_vectors(n.q, n.p);
    const Flat none = zero_vector<Scalar, Form::size>();
    Carried r;
    r.z = s.z;
    r.c = r.p = s.p;
    r.arrival = r.increment = r.c_ahead = none;
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, Nulls::spun>());
    r.ahead_h = r.started = Scalar(0.0);
    if constexpr (Form::drifting > 0) r.elapsed = Scalar(0.0);
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    Flat z = carried.z;
    if constexpr (Form::drifting > 0) {
      const Scalar tau = h_ / units_per_step();
      unroll<Form::drifting>([&](auto b) {
        const auto moved = (tau * vectors_.inertia.inverse(b, b)) * Form::template at<b.value>(carried.p);
        set_block<b.value>(z, fma(carried.elapsed, moved, Form::template at<b.value>(carried.z)));
      });
    }
    return system_.from_vectors(State{z, carried.p});
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(system_, vectors_, State{carried.z, carried.p}, what,
                           [&] { return node(carried); });
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// (e).
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    const NodeState<Scalar, d> n0 = node(before);
    const Mask<Scalar> started = before.started > Scalar(0.0);
    const auto c = select<Scalar>(
        started, momentum_of_step(before.z - before.arrival, before.arrival, Scalar(-1.0)), n0.p);
    const auto b = c - momentum_of_step(before.z, after.arrival, Scalar(1.0));
    const Scalar weight = select(started, h_, Scalar(0.5) * h_);
    const auto G0 = system_.constraint_jacobian(n0.q);
    return {(Scalar(-1.0) / weight) * unweighted_multiplier<System>(G0, b), not_a_number_vector<Scalar, m>()};
  }

  /// Residual (b) and its Jacobian at fixed z0, c.
  class Problem {
   public:
    static constexpr int unknowns = DelNullspace::unknowns;
    static constexpr bool register_pressure = unknowns > 1, register_pressure_single = unknowns > 4;
    using Matrix = DenseMatrix<Scalar, unknowns>;

    LIVENS_HD Problem(const DelNullspace& scheme, const Flat& z, const Flat& c)
        : scheme_(scheme), null_space_(z), z_(z), c_(c) {}

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Reduced residual;
      typename Nulls::Step step;
      Flat increment, mean;  ///< Dz, z_m
      Flat force;            ///< h/2 DV(z_m) + C Dz/2
      Flat balance;          ///< (a)
    };

    LIVENS_HD Evaluation evaluate(const Reduced& w) const {
      const auto& form = scheme_.vectors_;
      const Scalar half = Scalar(0.5);
      Evaluation at;
      at.step = null_space_.step(w);
      at.increment = null_space_.increment(at.step, z_);
      unroll<Form::drifting>([&](auto b) {
        set_block<b.value>(at.increment,
                           (scheme_.h_ * form.inertia.inverse(b, b)) * Form::template at<b.value>(c_));
      });
      at.mean = fma(half, at.increment, z_);
      at.force = half * (scheme_.h_ * form.gradient(at.mean) + form.viscous(at.increment));
      at.balance = fnma(scheme_.per_h_, form.inertia.times(at.increment), c_ - at.force);
      const Reduced normal = null_space_.project_at_start(z_, at.balance);
      for (int j = 0; j < unknowns; ++j) at.residual[j] = -(scheme_.row_scale_[j] * normal[j]);
      return at;
    }

    /// N(z0)^T (A/h + h/4 K + C/2) dDz/dw, K the Hessian of V at the midpoint.
    LIVENS_HD void jacobian(const Reduced&, const Evaluation& at, Matrix& J) const {
      const auto& form = scheme_.vectors_;
      unroll<unknowns>([&](auto j) {
        const Flat t = null_space_.template tangent<j.value>(at.step, at.mean);
        Flat response = scheme_.per_h_ * form.inertia.times(t);
        if constexpr (Form::springs > 0)
          response = response + fma(Scalar(0.25) * scheme_.h_, form.hessian_times(at.mean, t),
                                    Scalar(0.5) * form.viscous(t));
        else if constexpr (Form::dragged)  // a tangent that overflows makes a NaN of no drag
          response = select<Scalar>(scheme_.dragged_, fma(Scalar(0.5), form.viscous(t), response), response);
        const Reduced column = null_space_.project_at_start(z_, response);
        for (int i = 0; i < unknowns; ++i) J.at(i, j) = scheme_.row_scale_[i] * column[i];
      });
    }

    /// Where the momentum without constraint forces leads.
    LIVENS_HD Reduced along_momentum() const {
      const auto& form = scheme_.vectors_;
      const Flat v = form.inertia.solve(fnma(Scalar(0.5) * scheme_.h_, form.gradient(z_), c_));
      return Nulls::per_square(scheme_.h_ * null_space_.project_at_start(z_, v));
    }
    /// The part of f that is normal to the constraint manifold at z0.
    LIVENS_HD Flat normal_part(const Flat& f) const {
      return f - null_space_.along_at_start(z_, Nulls::per_square(null_space_.project_at_start(z_, f)));
    }

   private:
    friend class DelNullspace;
    const DelNullspace& scheme_;
    Nulls null_space_;
    const Flat& z_;
    const Flat& c_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    return step_and_look_ahead<pivoting>(*this, h_, settings_.order > 0, now, active, next);
  }
  LIVENS_HD Exchanged<Scalar> arrive(Carried& at_node) const {
    at_node.z = at_node.z + constrained_part(at_node.increment);
    restore_vectors<Form>(at_node.z);
    if constexpr (Form::drifting > 0) at_node.elapsed = at_node.elapsed + units_per_step();
    at_node.c = at_node.c_ahead;
    at_node.arrival = at_node.increment;
    at_node.started = Scalar(1.0);
    return {per_h_ * dot(at_node.increment, vectors_.viscous(at_node.increment)), Scalar(0.0)};
  }

  /// p = A N W, (N^T A N) W = N^T c; vectors that drift keep theirs.
  LIVENS_HD void begin_anew(Carried& at_node) const {
    const Flat &z = at_node.z, &c = at_node.c;
    const auto& A = vectors_.inertia;
    const Nulls null_space(z);
    typename Problem::Matrix B;
    unroll<unknowns>([&](auto j) {
      Reduced along_j = zero_vector<Scalar, unknowns>();
      along_j[j] = Scalar(1.0);
      const Reduced column = null_space.project_at_start(z, A.times(null_space.along_at_start(z, along_j)));
      for (int i = 0; i < unknowns; ++i) B.at(i, j) = column[i];
    });
    const Reduced W = Factored(B).solve(null_space.project_at_start(z, c));
    Flat p = A.times(null_space.along_at_start(z, W));
    unroll<Form::drifting>([&](auto b) { set_block<b.value>(p, Form::template at<b.value>(c)); });
    at_node.p = at_node.c = p;
    at_node.ahead_h = at_node.started = Scalar(0.0);
  }

  /// Solves (b) from this node and, where that succeeds, records the solution and the momentum (d). Where it
  /// fails the node keeps the tangential part of c as its momentum.
  template <Pivoting pivoting>
  LIVENS_HD Outcome<Scalar> look_ahead(Carried& at_node, const Mask<Scalar>& solving) const {
    const Problem problem(*this, at_node.z, at_node.c);
    const Reduced along_momentum = problem.along_momentum();
    const auto& null_space = problem.null_space_;
    Reduced w = fma(h_ * h_, null_space.about_axes(at_node.extrapolation.next()), along_momentum);
    typename Problem::Evaluation at;
    const auto right = [&](const Reduced& root) {
      at = problem.evaluate(root);
      return right_branch(at_node.z, at);
    };
    const Outcome<Scalar> outcome = newton_on_branch<pivoting, Scalar>(problem, w, settings_, solving, right);

    const Mask<Scalar> good = solving & outcome.good();
    const auto needed = null_space.about_space((per_h_ * per_h_) * (w - along_momentum));
    const Mask<Scalar> first = at_node.started == Scalar(0.0);
    assign_where<Scalar>(good, at_node.extrapolation.followed_by(needed, first), at_node.extrapolation);
    const Flat normal = constrained_part(problem.normal_part(at.balance));
    const Flat c_ahead = at_node.c - (normal + Scalar(2.0) * at.force);
    at_node.increment = select<Scalar>(solving, at.increment, at_node.increment);
    at_node.c_ahead = select<Scalar>(solving, c_ahead, at_node.c_ahead);
    at_node.ahead_h = select(solving, select(good, h_, Scalar(0.0)), at_node.ahead_h);
    const Mask<Scalar> started = at_node.started > Scalar(0.0);
    const Flat pull =
        select<Scalar>(good, Scalar(0.5) * normal, constrained_part(problem.normal_part(at_node.c)));
    at_node.p = select<Scalar>(solving & started, at_node.c - pull, at_node.p);
    return outcome;
  }

 private:
  /// h = units_per_step() tau, in which the time of vectors that drift is counted exactly.
  LIVENS_HD Scalar units_per_step() const { return TimeUnit<Scalar>(h_, settings_).step; }

  /// No constraint acts on vectors that drift.
  static LIVENS_HD Flat constrained_part(Flat f) {
    unroll<Form::drifting>([&](auto b) { set_block<b.value>(f, zero_vector<Scalar, Form::dimension>()); });
    return f;
  }

  /// M Dq/h + sign (h/2 DV(q_m) + C Dq/2) in the coordinates of the user, for a step from z by Dz.
  LIVENS_HD Vec<Scalar, d> momentum_of_step(const Flat& z, const Flat& Dz, const Scalar& sign) const {
    const Scalar half = Scalar(0.5);
    const NodeState<Scalar, d> mean =
        system_.from_vectors(State{fma(half, Dz, z), per_h_ * vectors_.inertia.times(Dz)});
    const auto force = half * h_ * (system_.gradient(mean.q) + viscous_force(system_, mean.v));
    return fma(sign, force, mean.p);
  }

  /// (f), by the pivots of a Cholesky factorization.
  LIVENS_HD Mask<Scalar> right_branch(const Flat& z, const typename Problem::Evaluation& at) const {
    constexpr int n = Form::unit;
    Mask<Scalar> right(true);
    if constexpr (n > 0) {
      using Vector = typename Form::Vector;
      Vector u0[n], u1[n];
      unroll<n>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        u0[u] = Form::template at<b>(z);
        u1[u] = u0[u] + Form::template at<b>(at.increment);
      });
      Mat<Scalar, n, n> S;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          S(a, b) = Scalar(0.5) * vectors_.inertia.inverse(Form::first_unit + a, Form::first_unit + b) *
                    (dot(u1[a], u0[b]) + dot(u1[b], u0[a]));
      right = positive_definite(S);
    }
    unroll<Form::frames>([&](auto f) {
      const auto& omega = at.step.rotation[Form::unit + f.value].omega;
      right = right & (dot(omega, omega) < Scalar(4.0));  // twice the tangent of half the angle
    });
    return right;
  }

  const System& system_;
  Form vectors_;
  Scalar h_, per_h_;
  const Settings& settings_;
  Reduced row_scale_;
  Mask<Scalar> dragged_;  ///< some drag is not zero
};

}  // namespace livens::inline LIVENS_ISA
