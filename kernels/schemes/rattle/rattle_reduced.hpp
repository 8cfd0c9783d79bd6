#pragma once
// RATTLE (rattle.hpp) in closed form, for undamped systems in vector form with uncoupled inertias I. With
// p' = p0 - h/2 DV(z0):
//   (a) drifting and free vectors:  z1 = z0 + h p'/I,  p1 = p' - h/2 DV(z1)
//   (b) unit vectors, n = p'/I:  u1 = (1 - l) u0 + h n with |u1| = 1, the smaller root l of
//         u0.u0 l^2 - 2 (u0.u0 + h n.u0) l + 2 h n.u0 + h^2 n.n + u0.u0 - 1 = 0
//       p1 = the part of I (u1 - u0)/h - h/2 DV(z1) perpendicular to u1
//   (c) lambda = 2 l I/(h^2 s),  mu = 2/(h s) times the part along u1 that (b) removes,  s (|u|^2 - 1)/2 = g
// tau p/I is carried, with which a step is h/tau (vector_motion.hpp).

#include "kernels/schemes/rattle/rattle.hpp"
#include "kernels/schemes/shared/vector_motion.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System_>
class RattleReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = RattleReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = false, compensated = false;
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }

  struct Carried {
    VectorMotion<Form> motion;
    Flat slope;  ///< tau DV(z)/I: what ends a step begins the next
  };

  LIVENS_HD RattleReduced(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), units_(vectors_, {h, settings}), h_(h) {}

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    const auto motion = units_.start(system_.to_vectors(n.q, n.p));
    return {motion, units_.rate(vectors_.gradient(motion.z))};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(vectors_, units_.without_drift(carried.motion), what);
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(units_.state(carried.motion));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  /// (c), from the step solved again.
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried&) const {
    Carried next;
    Multipliers<Scalar, System::constraints> r;
    solve(before, next, r);
    return r;
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    Multipliers<Scalar, System::constraints> unused;
    const Mask<Scalar> solvable = solve(now, next, unused);
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, Scalar(0.0), Scalar(0.0)};
  }

 private:
  /// One step; false where (b) has no real root.
  LIVENS_HD Mask<Scalar> solve(const Carried& now, Carried& next,
                               Multipliers<Scalar, System::constraints>& multipliers) const {
    const Scalar half_h = Scalar(0.5) * h_, per_h = Scalar(1.0) / h_;
    const auto& z = now.motion.z;
    Flat rate = fnma(half_h, now.slope, now.motion.rate);
    const Flat moves = units_.step() * rate;
    units_.drift(now.motion, next.motion);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.z, block<b>(z) + block<b>(moves));
    });
    Mask<Scalar> solvable(true);
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vec3<Scalar> u0 = block<b>(z), hn = block<b>(moves);
      const Scalar squared = dot(u0, u0), hnu = dot(hn, u0), half_b = squared + hnu;
      const Scalar c = fma(Scalar(2.0), hnu, dot(hn, hn)) + (squared - Scalar(1.0));
      const Scalar discriminant = fnma(squared, c, half_b * half_b);
      solvable = solvable & (discriminant >= Scalar(0.0));
      const Scalar l = c / (half_b + sqrt(discriminant));
      const Vec3<Scalar> du = fnma(l, u0, hn);
      set_block<b>(next.motion.z, u0 + du);
      set_block<b>(rate, units_.per_step() * du);
      multipliers.lambda[u] =
          Scalar(2.0) * l * vectors_.inertia.value[b] * per_h * per_h / vectors_.constraint_scale[b];
    });
    next.slope = units_.rate(vectors_.gradient(next.motion.z));
    rate = fnma(half_h, next.slope, rate);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      set_block<b>(next.motion.rate, block<b>(rate));
    });
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vec3<Scalar> u1 = block<b>(next.motion.z);
      const Scalar along = dot(u1, block<b>(rate)) / dot(u1, u1);
      set_block<b>(next.motion.rate, fnma(along, u1, block<b>(rate)));
      multipliers.gamma[u] =
          Scalar(2.0) * per_h * units_.momentum_of(b) * along / vectors_.constraint_scale[b];
    });
    return solvable;
  }

  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_;
};

}  // namespace livens::inline LIVENS_ISA
