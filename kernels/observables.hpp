#pragma once
// What is measured at every node (contract, section 3), from q, p, v or straight from a system's vector form.

#include "kernels/systems/concept.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar, int S>
struct Measured {
  Scalar energy;               ///< H(q, p), J
  Scalar constraint;           ///< |g(q)|, infinity norm; 0 for a nonholonomic system
  Scalar velocity_constraint;  ///< |G v| or |A v + b|, infinity norm
  Vec<Scalar, S> momentum;     ///< the system's momentum maps
};

template <HolonomicSystem System, class Scalar, int D>
LIVENS_HD Measured<Scalar, System::momentum_maps> measure_node(const System& system,
                                                               const NodeState<Scalar, D>& n) {
  const auto G = system.constraint_jacobian(n.q);
  Scalar velocity_constraint = Scalar(0.0);
  unroll<System::constraints>([&](auto k) {
    Scalar row = Scalar(0.0);
    unroll<D>([&](auto i) {
      if constexpr (System::constrains(k.value, i.value)) row = fma(G(k, i), n.v[i], row);
    });
    velocity_constraint = max(velocity_constraint, abs(row));
  });
  return {fma(Scalar(0.5), dot(n.p, n.v), system.potential(n.q)), norm_inf(system.constraints_at(n.q)),
          velocity_constraint, system.momentum_map(n.q, n.p)};
}

template <ContactSystem System, class Scalar, int D>
LIVENS_HD Measured<Scalar, System::momentum_maps> measure_node(const System& system,
                                                               const NodeState<Scalar, D>& n) {
  const Scalar defect = dot(system.constraint_row(n.q), n.v) + system.constraint_offset(n.q);
  return {fma(Scalar(0.5), dot(n.p, n.v), system.potential(n.q)), Scalar(0.0), abs(defect),
          system.momentum_map(n.q, n.p)};
}

/// The same from a vector form: T = 1/2 p.A^-1 p, g = s (|u|^2 - 1)/2, G v = s u.u', J = sum z x p.
template <class Form, class Scalar = typename Form::Scalar>
LIVENS_HD Measured<Scalar, Form::momentum_maps> measure_vectors(const Form& form,
                                                                const typename Form::State& state) {
  const auto v = form.inertia.solve(state.p);
  Measured<Scalar, Form::momentum_maps> r;
  r.energy = fma(Scalar(0.5), dot(state.p, v), form.potential(state.z));
  r.constraint = Scalar(0.0);
  r.velocity_constraint = Scalar(0.0);
  unroll<Form::unit>([&](auto i) {
    constexpr int b = Form::first_unit + i.value;
    const Vec3<Scalar> u = block<b>(state.z);
    const Scalar scale = form.constraint_scale[b];
    r.constraint = max(r.constraint, abs(Scalar(0.5) * scale * (dot(u, u) - Scalar(1.0))));
    r.velocity_constraint = max(r.velocity_constraint, abs(scale * dot(u, block<b>(v))));
  });
  if constexpr (Form::momentum_maps == 3) {
    r.momentum = zero_vector<Scalar, 3>();
    unroll<Form::blocks>([&](auto b) {
      const Vec3<Scalar> z = block<b.value>(state.z), p = block<b.value>(state.p);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r.momentum[i] = fma(z[j], p[k], fnma(z[k], p[j], r.momentum[i]));
      }
    });
  } else {
    Scalar about_e3 = Scalar(0.0);
    unroll<Form::blocks>([&](auto b) {
      const Vec3<Scalar> z = block<b.value>(state.z), p = block<b.value>(state.p);
      about_e3 = fma(z[0], p[1], fnma(z[1], p[0], about_e3));
    });
    r.momentum[0] = about_e3;
  }
  return r;
}

}  // namespace livens::inline LIVENS_ISA
