#pragma once
// VI-B with alpha = 1, theta = 0 (vi_b.hpp) in closed form, for systems in vector form with uncoupled
// inertias: ggl_vi_reduced.hpp with the kick after the step instead of before, where damping is explicit.
// equations/reduced.md, section 2:
//   (a) free vectors:  v = p0/I,  z1 = z0 + h v
//   (b) unit vectors:  v, u1 from p0 as in ggl_vi_reduced.hpp (b)
//   (c) p1 = I v - h DV(z1) - C Dz, Dz = z1 - z0, with I |ub| for I on unit vectors
//   (d) gamma = (1 - |ub|) (I/h)/s: u1 = ub + (h gamma s/I) u1, since G is taken at u1

#include "kernels/schemes/shared/closed_unit_step.hpp"
#include "kernels/schemes/vi_b/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System_>
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
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }

  struct Carried {
    State state;
    Flat v;  ///< the scheme's own velocity of the vectors
  };

  LIVENS_HD ViBReduced(const System& system, const Scalar& h, const Settings&)
      : system_(system), vectors_(system.vector_form()), h_(h), dampers_(Form::dragged) {
    unroll<Form::springs>(
        [&](auto k) { dampers_ = dampers_ | (vectors_.spring[k].viscosity > Scalar(0.0)); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    Carried r;
    r.state = system_.to_vectors(n.q, n.p);
    r.v = vectors_.inertia.solve(r.state.p);
    return r;
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    auto n = system_.from_vectors(carried.state);
    n.v = system_.from_vectors(State{carried.state.z, vectors_.inertia.times(carried.v)}).v;
    return n;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    auto measured = measure_vectors(vectors_, carried.state, what);
    const auto own =
        measure_vectors(vectors_, State{carried.state.z, vectors_.inertia.times(carried.v)}, what);
    measured.velocity_constraint = own.velocity_constraint;
    measured.total_energy = own.energy;
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried&) const {
    Multipliers<Scalar, System::constraints> r;
    Vec<Scalar, Form::unit> stretch;
    closed_multipliers(vectors_, before.state.z, before.state.p, h_, r.lambda, stretch);
    unroll<Form::unit>([&](auto u) {
      r.gamma[u] =
          unit_multiplier<Form::first_unit + u.value>(vectors_, h_) * (Scalar(1.0) - stretch[u]);  // (d)
    });
    return r;
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    Flat momentum = now.state.p;  // before the kick
    unroll<Form::first_unit>([&](auto b) {
      const Vec3<Scalar> v = vectors_.inertia.reciprocal[b] * block<b.value>(now.state.p);
      set_block<b.value>(next.v, v);
      set_block<b.value>(next.state.z, fma(h_, v, block<b.value>(now.state.z)));
    });
    Mask<Scalar> solvable(true);
    const Scalar per_h = Scalar(1.0) / h_;
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const ClosedUnitStep<Scalar> unit(block<b>(now.state.z),
                                        (h_ * vectors_.inertia.reciprocal[b]) * block<b>(now.state.p));
      solvable = solvable & unit.solvable;
      const Vec3<Scalar> v = per_h * unit.hv;
      set_block<b>(next.v, v);
      set_block<b>(next.state.z, unit.u1);
      set_block<b>(momentum, (vectors_.inertia.value[b] * unit.stretch) * v);
    });
    next.state.p = fnma(h_, vectors_.gradient(next.state.z), momentum);
    Scalar dissipated = Scalar(0.0);
    if (damped && any(dampers_)) {
      const Flat Dz = next.state.z - now.state.z, viscous = vectors_.viscous(Dz);
      next.state.p = next.state.p - viscous;
      dissipated = per_h * dot(Dz, viscous);
    }
    unroll<Form::drifting>([&](auto b) { set_block<b.value>(next.state.p, block<b.value>(now.state.p)); });
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, dissipated, Scalar(0.0)};
  }

 private:
  const System& system_;
  Form vectors_;
  Scalar h_;
  Mask<Scalar> dampers_;  ///< there are any: without them C is 0, and its terms change no bit
};

}  // namespace livens::inline LIVENS_ISA
