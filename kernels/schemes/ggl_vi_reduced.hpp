#pragma once
// The GGL variational integrator (ggl_vi.hpp) in closed form, for undamped systems in vector form with
// uncoupled inertias: no Newton iteration at all. equations/reduced.md, section 2. With p' = p0 - h DV(z0):
//   (a) drifting and free vectors:  p1 = p',  z1 = z0 + h p'/I
//   (b) unit vectors, with n = p'/I: the multiplier l is the smaller root of
//         l^2 - (1 + 2 h n.u0) l + (h n.u0 + h^2 n.n) = 0,
//       v = n - (l/h) u0,  ub = u0 + h v,  u1 = ub/|ub|,  p1 = I |ub| v
//   (c) lambda = l I/(h^2 s), gamma = (1/|ub| - 1)(I/h)/s  with s the scale of the constraint s (|u|^2 - 1)/2
// (b) is I v = p' - h G(u0)^T lambda with g(u1) = 0: u1 = ub (1 + h gamma s/I) is a multiple of ub. No real
// root means that the scheme has no solution for this step.

#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System_>
class GglViReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = GglViReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  static constexpr int unknowns = 0;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = false, compensated = false;
  static const SchemeInfo& info() { return GglViDescription::info; }

  struct Carried {
    State state;
  };

  LIVENS_HD GglViReduced(const System& system, const Scalar& h, const Settings&)
      : system_(system), vectors_(system.vector_form()), h_(h) {}

  LIVENS_HD Carried start(const Vec<Scalar, System::coordinates>& q,
                          const Vec<Scalar, System::coordinates>& p) const {
    return {system_.to_vectors(q, p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried) const {
    return measure_vectors(vectors_, carried.state);
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(carried.state);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    Vec<Scalar, Form::unit> l, stretch;
    const Mask<Scalar> solvable = solve(now, next, l, stretch);
    const Scalar status = select(active & !solvable, code<Scalar>(Status::newton_diverged), Scalar(0.0));
    return {{status, Scalar(0.0)}, Scalar(0.0), Scalar(0.0)};
  }

  /// (c), from the step solved again.
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried&) const {
    Carried next;
    Vec<Scalar, Form::unit> l, stretch;
    solve(before, next, l, stretch);
    Multipliers<Scalar, System::constraints> r;
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Scalar unit = vectors_.inertia.value[b] / vectors_.constraint_scale[b] / h_;
      r.lambda[u] = unit * l[u] / h_;
      r.gamma[u] = unit * (Scalar(1.0) / stretch[u] - Scalar(1.0));
    });
    return r;
  }

 private:
  /// One step; l and |ub| per unit vector. False where (b) has no real root.
  LIVENS_HD Mask<Scalar> solve(const Carried& now, Carried& next, Vec<Scalar, Form::unit>& l,
                               Vec<Scalar, Form::unit>& stretch) const {
    const auto kicked = fnma(h_, vectors_.gradient(now.state.z), now.state.p);
    unroll<Form::first_unit>([&](auto b) {
      const Vec3<Scalar> p =
          b.value < Form::first_free ? block<b.value>(now.state.p) : block<b.value>(kicked);
      set_block<b.value>(next.state.p, p);
      set_block<b.value>(next.state.z,
                         fma(h_ * vectors_.inertia.reciprocal[b], p, block<b.value>(now.state.z)));
    });
    Mask<Scalar> solvable(true);
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vec3<Scalar> u0 = block<b>(now.state.z);
      const Vec3<Scalar> hn = (h_ * vectors_.inertia.reciprocal[b]) * block<b>(kicked);
      const Scalar hnu = dot(hn, u0), squared = dot(u0, u0);
      const Scalar half_b = fma(Scalar(0.5), squared, hnu);
      const Scalar c = hnu + dot(hn, hn);
      const Scalar discriminant = fnma(squared, c, half_b * half_b);
      solvable = solvable & (discriminant >= Scalar(0.0));
      l[u] = c / (half_b + sqrt(discriminant));
      const Vec3<Scalar> hv = fnma(l[u], u0, hn);
      const Vec3<Scalar> ub = u0 + hv;
      const Scalar ub_squared = dot(ub, ub);
      stretch[u] = sqrt(ub_squared);
      set_block<b>(next.state.z, (Scalar(1.0) / stretch[u]) * ub);
      set_block<b>(next.state.p, (vectors_.inertia.value[b] * stretch[u] / h_) * hv);
    });
    return solvable;
  }

  const System& system_;
  Form vectors_;
  Scalar h_;
};

}  // namespace livens::inline LIVENS_ISA
