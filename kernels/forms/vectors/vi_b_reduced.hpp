#pragma once
// VI-B with alpha = 1, theta = 0 (vi_b.hpp) in closed form, for systems in vector form with uncoupled
// inertias: ggl_vi_reduced.hpp with the kick after the step instead of before, where damping is explicit.
// equations/reduced.md, section 2:
//   (a) free vectors:  v = p0/I,  z1 = z0 + h v
//   (b) unit vectors:  v, u1 from p0 as in ggl_vi_reduced.hpp (b)
//   (c) p1 = I v - h DV(z1) - C Dz, Dz = z1 - z0, with I |ub| for I on unit vectors
//   (d) gamma = (1 - |ub|) (I/h)/s: u1 = ub + (h gamma s/I) u1, since G is taken at u1
// tau p/I is carried (vector_motion.hpp), and moves a vector by h/tau of it.

#include "kernels/forms/vectors/closed_unit_step.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

template <ClosedVectorSystem System_>
class ViBReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = ViBReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  using Flat = typename Form::Flat;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped, compensated = false, fixed_options = true;
  static constexpr bool short_step = Form::blocks == 1;
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }

  struct Carried {
    VectorMotion<Form> motion;
    Flat own_rate;  ///< tau v, v the scheme's own velocity of the vectors
  };

  LIVENS_HD ViBReduced(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        vectors_(system.vector_form()),
        units_(vectors_, {h, settings}),
        h_(h),
        per_h_(Scalar(1.0) / h),
        dampers_(Form::dragged) {
    unroll<Form::springs>(
        [&](auto k) { dampers_ = dampers_ | !(vectors_.spring[k].viscosity == Scalar(0.0)); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    const auto motion = units_.start(system_.to_vectors(n.q, n.p));
    return {motion, motion.rate};
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    auto n = system_.from_vectors(units_.state(carried.motion));
    n.v = system_.from_vectors(at_own_velocity(carried)).v;
    return n;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    auto measured = measure_vectors(system_, vectors_, units_.without_drift(carried.motion), what,
                                    [&] { return node(carried); });
    const auto own = measure_vectors<System::momentum_maps>(vectors_, at_own_velocity(carried), what);
    measured.velocity_constraint = own.velocity_constraint;
    measured.total_energy = own.energy;
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried&) const {
    Multipliers<Scalar, System::constraints> r;
    const auto gamma = [&](auto u, const auto& step) {
      r.gamma[u] = -(unit_multiplier<Form::first_unit + u.value>(vectors_, h_) * step.excess);  // (d)
    };
    const Flat& rate = before.motion.rate;
    const auto moves = [&](auto b) { return units_.step() * Form::template at<b.value>(rate); };
    closed_multipliers(vectors_, before.motion.z, moves, h_, r.lambda, gamma);
    return r;
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const auto& z = now.motion.z;
    const Flat& rate = now.motion.rate;
    Flat moved = rate;  // tau p/I before the kick
    units_.drift(now.motion, next.motion);
    unroll<Form::first_unit>(
        [&](auto b) { set_block<b.value>(next.own_rate, Form::template at<b.value>(rate)); });
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.z, fma(units_.step(), Form::template at<b>(rate), Form::template at<b>(z)));
    });
    Mask<Scalar> solvable(true);
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const auto hn = units_.step() * Form::template at<b>(rate);
      const auto unit = closed_unit_step<Form>(Form::template at<b>(z), hn);
      solvable = solvable & unit.solvable;
      set_block<b>(next.own_rate, units_.per_step() * unit.hv);
      set_block<b>(next.motion.z, unit.u1);
      set_block<b>(moved, units_.per_step() * (hn + unit.gain));
    });
    Scalar dissipated = Scalar(0.0);
    if (damped && any(dampers_)) {
      const Flat Dz = next.motion.z - z, viscous = vectors_.viscous(Dz);
      moved = units_.kicked(moved, Scalar(1.0), viscous);
      dissipated = per_h_ * dot(Dz, viscous);
    }
    next.motion.rate = units_.kicked(moved, h_, vectors_.gradient(next.motion.z));
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, dissipated, Scalar(0.0)};
  }

 private:
  LIVENS_HD State at_own_velocity(const Carried& carried) const {
    return {carried.motion.z, units_.momentum(carried.own_rate)};
  }

  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_, per_h_;
  Mask<Scalar> dampers_;  ///< there are any: without them C is 0, and its terms change no bit
};

}  // namespace livens::inline LIVENS_ISA
