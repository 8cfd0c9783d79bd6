#pragma once
// The GGL variational integrator (ggl_vi.hpp) in closed form, for systems in vector form with uncoupled
// inertias, without damping or with a drag c on every unit vector: no Newton iteration at all.
// equations/reduced.md, section 2. With p' = p0 - h DV(z0):
//   (a) drifting and free vectors:  p1 = p',  z1 = z0 + h p'/I
//   (b) unit vectors, with n = p'/(I + h c): the multiplier l is the smaller root of
//         l^2 - (1 + 2 h n.u0) l + (h n.u0 + h^2 n.n) = 0,
//       v = n - (l/h) u0,  ub = u0 + h v,  u1 = ub/|ub|,  p1 = I |ub| v
//   (c) lambda = l (I + h c)/(h^2 s), gamma = (1/|ub| - 1)(I/h)/s, with the constraint s (|u|^2 - 1)/2
// (b) is (I + h c) v = p' - h G(u0)^T lambda with g(u1) = 0: u1 = ub (1 + h gamma s/I) is a multiple of ub.
// No real root means that the scheme has no solution for this step. tau p/I is carried (vector_motion.hpp),
// and moves a vector by h/tau of it.

#include "kernels/forms/vectors/closed_unit_step.hpp"
#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

template <ClosedVectorSystem System_>
class GglViReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GglViReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped && Form::dragged, compensated = false;
  static constexpr bool short_step = Form::blocks == 1;
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }

  struct Carried {
    VectorMotion<Form> motion;
  };

  LIVENS_HD GglViReduced(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), units_(vectors_, {h, settings}), h_(h) {
    per_h_ = Scalar(1.0) / h;
    if constexpr (damped)
      for (int u = 0; u < Form::unit; ++u)
        drag_[u] = h * vectors_.drag(Form::first_unit + u, Form::first_unit + u) *
                   vectors_.inertia.reciprocal[Form::first_unit + u];
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    return {units_.start(system_.to_vectors(n.q, n.p))};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(system_, vectors_, units_.without_drift(carried.motion), what,
                           [&] { return node(carried); });
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(units_.state(carried.motion));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried&) const {
    Multipliers<Scalar, System::constraints> r;
    const auto gamma = [&](auto u, const auto& step) {
      r.gamma[u] = unit_multiplier<Form::first_unit + u.value>(vectors_, h_) * step.shortage;
    };
    const Flat rate = kicked(before.motion);
    const auto moves = [&](auto b) { return this->moves<b.value>(rate); };
    closed_multipliers(vectors_, before.motion.z, moves, h_, r.lambda, gamma);
    unroll<Form::unit>([&](auto u) {
      if constexpr (damped) r.lambda[u] = fma(drag_[u], r.lambda[u], r.lambda[u]);
    });
    return r;
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const auto& z = now.motion.z;
    const Flat rate = kicked(now.motion);
    units_.drift(now.motion, next.motion);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.rate, Form::template at<b>(rate));
      set_block<b>(next.motion.z, fma(units_.step(), Form::template at<b>(rate), Form::template at<b>(z)));
    });
    Mask<Scalar> solvable(true);
    Scalar dissipated = Scalar(0.0);
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const auto hn = moves<b>(rate);
      const auto unit = closed_unit_step<Form>(Form::template at<b>(z), hn);
      solvable = solvable & unit.solvable;
      set_block<b>(next.motion.z, unit.u1);
      set_block<b>(next.motion.rate, units_.per_step() * (hn + unit.gain));
      if constexpr (damped) dissipated = fma(vectors_.drag(b, b), dot(unit.hv, unit.hv), dissipated);
    });
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, damped ? per_h_ * dissipated : dissipated, Scalar(0.0)};
  }

 private:
  /// h n of unit vector B.
  template <int B>
  LIVENS_HD Vec<Scalar, Form::dimension> moves(const Flat& rate) const {
    if constexpr (damped) {
      const Scalar& drag = drag_[B - Form::first_unit];
      return (units_.step() / (Scalar(1.0) + drag)) * Form::template at<B>(rate);
    } else {
      return units_.step() * Form::template at<B>(rate);
    }
  }
  /// tau p'/I.
  LIVENS_HD Flat kicked(const VectorMotion<Form>& motion) const {
    return units_.kicked(motion.rate, h_, vectors_.gradient(motion.z));
  }

  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_, per_h_;
  [[no_unique_address]] Vec<Scalar, damped ? Form::unit : 0> drag_;  ///< h c/I
};

}  // namespace livens::inline LIVENS_ISA
