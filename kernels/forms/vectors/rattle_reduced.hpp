#pragma once
// RATTLE (rattle.hpp) in closed form, for systems in vector form with uncoupled inertias I, without damping
// or with a drag c on every unit vector; equations/reduced.md, section 2. With p' = p0 - h/2 DV(z0) and
// x = h c/(2 I):
//   (a) drifting and free vectors:  z1 = z0 + h p'/I,  p1 = p' - h/2 DV(z1)
//   (b) unit vectors, n = p'/(I + h c/2):  u1 = (1 - l) u0 + h n with |u1| = 1, the smaller root l of
//         u0.u0 l^2 - 2 (u0.u0 + h n.u0) l + 2 h n.u0 + h^2 n.n + u0.u0 - 1 = 0
//       p1 = the part of (1 - x) I (u1 - u0)/h - h/2 DV(z1) perpendicular to u1
//   (c) lambda = 2 l (1 + x) I/(h^2 s),  mu = 2/(h s) times the part along u1 that (b) removes,  s (|u|^2 -
//   1)/2 = g
// tau p/I is carried, with which a step is h/tau (vector_motion.hpp).

#include "kernels/forms/vectors/vector_motion.hpp"
#include "kernels/schemes/rattle.hpp"

namespace livens::inline LIVENS_ISA {

template <ClosedRattleSystem System_>
class RattleReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = RattleReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  using Vector = typename Form::Vector;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped && Form::dragged, compensated = false;
  static constexpr bool short_step = Form::blocks == 1;
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }

  struct Carried {
    VectorMotion<Form> motion;
    Flat slope;  ///< tau DV(z)/I: what ends a step begins the next
  };

  LIVENS_HD RattleReduced(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), units_(vectors_, {h, settings}), h_(h) {
    if constexpr (damped)
      for (int u = 0; u < Form::unit; ++u)
        drag_[u] = Scalar(0.5) * h * vectors_.drag(Form::first_unit + u, Form::first_unit + u) *
                   vectors_.inertia.reciprocal[Form::first_unit + u];
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    const auto motion = units_.start(system_.to_vectors(n.q, n.p));
    return {motion, units_.rate(vectors_.gradient(motion.z))};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(system_, vectors_, units_.without_drift(carried.motion), what,
                           [&] { return node(carried); });
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(units_.state(carried.motion));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// (c), from the step solved again; from the nodes where the constraints are more than the vectors'.
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    if constexpr (own_constraints) {
      Carried next;
      Multiplier r;
      solve(before, next, r);
      return r;
    } else {
      return rattle_multipliers(system_, h_, node(before), node(after));
    }
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    Multiplier unused;
    const auto solved = solve(now, next, unused);
    Scalar status = select(active & !solved.solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    if constexpr (damped)
      status = select(active & !solved.regular, code<Scalar>(Status::singular_matrix), status);
    return {{status, Scalar(0.0)}, solved.dissipated, Scalar(0.0)};
  }

 private:
  /// The constraints are those of the unit vectors alone.
  static constexpr bool own_constraints = System::constraints == Form::unit;
  using Multiplier = Multipliers<Scalar, System::constraints>;
  struct Solved {
    Mask<Scalar> solvable;  ///< (b) has a real root
    Mask<Scalar> regular;   ///< I + h c/2 is positive, as it is but in a stage of negative length
    Scalar dissipated;
  };

  LIVENS_HD Solved solve(const Carried& now, Carried& next, Multiplier& multipliers) const {
    const Scalar half_h = Scalar(0.5) * h_, per_h = Scalar(1.0) / h_;
    const auto& z = now.motion.z;
    Flat rate = fnma(half_h, now.slope, now.motion.rate);
    const Flat moves = units_.step() * rate;
    units_.drift(now.motion, next.motion);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.z, Form::template at<b>(z) + Form::template at<b>(moves));
    });
    Solved solved{Mask<Scalar>(true), Mask<Scalar>(true), Scalar(0.0)};
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vector u0 = Form::template at<b>(z);
      Vector hn = Form::template at<b>(moves);
      if constexpr (damped) {
        const Scalar slower = Scalar(1.0) + drag_[u];
        solved.regular = solved.regular & (slower > Scalar(0.0));
        hn = (Scalar(1.0) / slower) * hn;
      }
      const Scalar squared = dot(u0, u0), hnu = dot(hn, u0), half_b = squared + hnu;
      const Scalar c = fma(Scalar(2.0), hnu, dot(hn, hn)) + (squared - Scalar(1.0));
      const Scalar discriminant = fnma(squared, c, half_b * half_b);
      solved.solvable = solved.solvable & (discriminant >= Scalar(0.0));
      const Scalar l = c / (half_b + sqrt(discriminant));
      const Vector du = fnma(l, u0, hn);
      set_block<b>(next.motion.z, u0 + du);
      Vector left = du;
      if constexpr (damped) {
        left = fnma(drag_[u], du, du);
        solved.dissipated = fma(vectors_.drag(b, b), dot(du, du), solved.dissipated);
      }
      set_block<b>(rate, units_.per_step() * left);
      if constexpr (own_constraints) {
        multipliers.lambda[u] =
            Scalar(2.0) * l * vectors_.inertia.value[b] * per_h * per_h / vectors_.constraint_scale[b];
        if constexpr (damped)
          multipliers.lambda[u] = fma(drag_[u], multipliers.lambda[u], multipliers.lambda[u]);
      }
    });
    next.slope = units_.rate(vectors_.gradient(next.motion.z));
    rate = fnma(half_h, next.slope, rate);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.rate, Form::template at<b>(rate));
    });
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vector u1 = Form::template at<b>(next.motion.z);
      const Scalar along = dot(u1, Form::template at<b>(rate)) / dot(u1, u1);
      set_block<b>(next.motion.rate, fnma(along, u1, Form::template at<b>(rate)));
      if constexpr (own_constraints)
        multipliers.gamma[u] =
            Scalar(2.0) * per_h * units_.momentum_of(b) * along / vectors_.constraint_scale[b];
    });
    solved.dissipated = per_h * solved.dissipated;
    return solved;
  }

  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_;
  [[no_unique_address]] Vec<Scalar, damped ? Form::unit : 0> drag_;  ///< x
};

}  // namespace livens::inline LIVENS_ISA
