#pragma once
// The reduced form of the midpoint schemes, for systems whose vectors turn in the plane or as frames: local
// coordinates w of g = 0 in which the multipliers have dropped out. equations/reduced.md, section 1. What a
// step is made of:
//   Dz = N(z0 + Dz/2) w,  z1 = z0 + Dz,  z_m = z0 + Dz/2   (vi_a: z_m is on g = 0, z1 = 2 z_m - z0 is not)
//   R(w) = N(z_m)^T (p1 - p0 + h F + C Dz) - h DN[v]^T r = 0
// with p1, v and r = what gamma stands for as the scheme has them, F the force at z_m or a discrete gradient.
// The Jacobian is R along each tangent dDz/dw_j. What Newton's method leaves of R, no less than what the last
// place of w makes of it, is taken from p1, up to a relative error of the order of w: left there, with a sign
// of its own for every orbit, it would add up (equations/reduced.md, section 3). All of it in the unit of
// time tau (time_unit.hpp), in which h is a power of two: p is tau p, F tau^2 F.
//
// A Rule has
//   static constexpr const SchemeInfo& info();  bool at_stage (vi_a), tangential_end (p1 = A N(z1) Omega)
//   template <Form> struct Equations: Evaluation evaluate(context, geometry), along(...), p1 in Evaluation
//   static Multipliers multipliers(system, h, n0, n1)

#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/reorthonormalized.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

/// The quantities that do not change while a step is solved, in the unit of time tau.
template <class Form>
struct StepContext {
  using Scalar = typename Form::Scalar;
  using Flat = typename Form::Flat;
  const Form& form;
  const NullSpace<Form>& null_space;
  const Flat &z0, &p0;
  Scalar h, per_h;
};

/// The increment, the middle and the end of a step, or their derivatives along a tangent.
template <class Flat>
struct StepGeometry {
  Flat Dz, z_m, z1;
};

template <TurningSystem System_, class Rule>
class NullspaceForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = NullspaceForm<typename System::template Over<Other>, Rule>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  using Nulls = NullSpace<Form>;
  using Reduced = typename Nulls::Reduced;
  using Geometry = StepGeometry<Flat>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = Form::degrees_of_freedom;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false, fixed_options = Rule::at_stage;
  static constexpr bool short_step = unknowns == 1;
  static constexpr const SchemeInfo& info() { return Rule::info(); }
  /// What is left of R can be taken from p1 along N: with frames A N(z1) Omega has another direction.
  static constexpr bool rest_along_turns = !(Rule::tangential_end && Form::frames > 0);

  /// Newton's method starts from where the steps before lead. In the plane a step along the velocity at the
  /// node is near enough, but for vi_a, whose turns on frames are not smooth.
  static constexpr bool extrapolates = Rule::at_stage != (Form::frames > 0);

  struct Nothing {};  // empty members of one type would not share an address, and pad the record
  struct Carried {
    typename Form::State state;                                                ///< z, tau p
    [[no_unique_address]] Vec<Scalar, Rule::at_stage ? Form::size : 0> stage;  ///< the z_m that led here
    /// What w had beside a step along the velocity, over (h/tau)^2; where p is off its tangent, w over h/tau.
    [[no_unique_address]] std::conditional_t<extrapolates, Extrapolation<Scalar, unknowns, Rule::at_stage>,
                                             Nothing>
        extrapolation;
  };

  LIVENS_HD NullspaceForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        unit_(h, settings),
        vectors_(system.vector_form().in_unit_of_time(unit_.tau)),
        equations_(system),
        settings_(settings) {
    for (int j = 0; j < unknowns; ++j) {
      row_scale_[j] = Scalar(0.5) * unit_.step / Nulls::mass_of(vectors_, j);
      per_row_scale_[j] = Scalar(1.0) / row_scale_[j];
    }
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.state = system_.to_vectors(n.q, n.p);
    r.state.p = unit_.tau * r.state.p;
    if constexpr (Rule::at_stage) r.stage = r.state.z;
    if constexpr (extrapolates)
      r.extrapolation =
          r.extrapolation.always(Rule::tangential_end ? zero_vector<Scalar, unknowns>() : turning(r.state));
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return system_.from_vectors({carried.state.z, unit_.per_tau * carried.state.p});
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    auto measured = measure_vectors<System::momentum_maps>(vectors_, carried.state, what);
    const Scalar per_square = unit_.per_tau * unit_.per_tau;
    measured.energy = per_square * measured.energy;
    measured.kinetic = per_square * measured.kinetic;
    measured.total_energy = measured.energy;
    measured.velocity_constraint = unit_.per_tau * measured.velocity_constraint;
    measured.momentum = unit_.per_tau * measured.momentum;
    if constexpr (has_own_maps<System>)
      if (what == Measuring::all) measured.momentum = own_maps(system_, node(carried));
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    return Rule::multipliers(system_, unit_.h, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr bool register_pressure = Form::frames > 0, exact_energy = Rule::info().exact_energy;
    static constexpr int unknowns = NullspaceForm::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;

    LIVENS_HD Problem(const NullspaceForm& scheme, const Carried& now)
        : scheme_(scheme), now_(now), null_space_(base(now)), context_{scheme.vectors_,
                                                                       null_space_,
                                                                       now.state.z,
                                                                       now.state.p,
                                                                       scheme.unit_.step,
                                                                       scheme.unit_.per_step} {}

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Reduced residual;
      typename Nulls::Step step;
      Flat mean;  ///< of base and where the step in w leads
      Geometry geometry;
      typename Rule::template Equations<System>::Evaluation terms;
    };

    LIVENS_HD Evaluation evaluate(const Reduced& w) const {
      Evaluation at;
      at.step = null_space_.step(w);
      Flat increment = null_space_.increment(at.step, base(now_));
      at.mean = fma(Scalar(0.5), increment, base(now_));
      if constexpr (Rule::at_stage) {
        at.geometry.z_m = base(now_) + increment;
        at.geometry.Dz = Scalar(2.0) * (at.geometry.z_m - context_.z0);
      } else {
        at.geometry.z_m = at.mean;
        at.geometry.Dz = increment;
      }
      at.geometry.z1 = context_.z0 + at.geometry.Dz;
      at.residual = scheme_.equations_.evaluate(context_, at.geometry, at.terms);
      for (int j = 0; j < unknowns; ++j) at.residual[j] = scheme_.row_scale_[j] * at.residual[j];
      return at;
    }

    LIVENS_HD void jacobian(const Reduced&, const Evaluation& at, Matrix& J) const {
      const Scalar half = Scalar(0.5), two = Scalar(2.0);
      unroll<unknowns>([&](auto j) {
        const Flat t = null_space_.template tangent<j.value>(at.step, at.mean);
        const Geometry along = Rule::at_stage ? Geometry{two * t, t, two * t} : Geometry{t, half * t, t};
        const Reduced column = scheme_.equations_.along(context_, at.geometry, at.terms, along);
        for (int i = 0; i < unknowns; ++i) J.at(i, j) = scheme_.row_scale_[i] * column[i];
      });
    }

   private:
    friend class NullspaceForm;
    LIVENS_HD static const Flat& base(const Carried& now) {
      if constexpr (Rule::at_stage)
        return now.stage;
      else
        return now.state.z;
    }
    const NullspaceForm& scheme_;
    const Carried& now_;
    Nulls null_space_;
    StepContext<Form> context_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Reduced w = begin(now);
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, w, settings_, active, at);
    next.state.z = at.geometry.z1;
    next.state.p = at.terms.p1;
    if constexpr (rest_along_turns) {
      Reduced left;
      for (int j = 0; j < unknowns; ++j) left[j] = per_row_scale_[j] * at.residual[j];
      const Flat& z = Rule::tangential_end ? at.geometry.z1 : at.geometry.z_m;
      next.state.p = next.state.p - problem.null_space_.along(z, Nulls::per_square(left));
    }
    if constexpr (extrapolates) {
      if constexpr (Rule::tangential_end)
        next.extrapolation =
            now.extrapolation.followed_by(unit_.per_step * (unit_.per_step * w - turning(now.state)));
      else
        next.extrapolation = now.extrapolation.followed_by(unit_.per_step * w);
    }
    if constexpr (Rule::at_stage) {
      next.stage = at.geometry.z_m;
      restore_vectors<Form>(next.stage);
    } else {
      restore_vectors<Form>(next.state.z);
    }
    const Flat rate = unit_.per_step * at.geometry.Dz;
    const Scalar scale = unit_.step * unit_.per_tau * unit_.per_tau;
    return {outcome, scale * dot(rate, vectors_.viscous(rate)), Scalar(0.0)};
  }

 private:
  /// The turning that the velocity at a node is, tau Omega.
  LIVENS_HD Reduced turning(const typename Form::State& state) const {
    return Nulls::per_square(Nulls(state.z).project(state.z, vectors_.inertia.solve(state.p)));
  }
  /// The start of Newton's method.
  LIVENS_HD Reduced begin(const Carried& now) const {
    if constexpr (!extrapolates)
      return unit_.step * turning(now.state);
    else if constexpr (Rule::tangential_end)
      return unit_.step * fma(unit_.step, now.extrapolation.next(), turning(now.state));
    else
      return unit_.step * now.extrapolation.next();
  }

  const System& system_;
  TimeUnit<Scalar> unit_;
  Form vectors_;
  typename Rule::template Equations<System> equations_;
  const Settings& settings_;
  Reduced row_scale_, per_row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
