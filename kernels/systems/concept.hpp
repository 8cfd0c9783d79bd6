#pragma once
// What a system offers, and through which of these faces a scheme can use it.

#include <concepts>

#include "kernels/backends/interface.hpp"
#include "kernels/systems/vector_form.hpp"

namespace livens::inline LIVENS_ISA {

/// Configuration, momentum and velocity at a node, as the user sees them.
template <class Scalar, int D>
struct NodeState {
  Vec<Scalar, D> q, p, v;
};

/// Every system: its description, its parameters, its own initial state, its energies.
template <class System>
concept AnySystem = requires {
  typename System::Scalar;
  typename System::template Over<double>;
}
&&requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  { System::info() } -> std::convertible_to<const SystemInfo&>;
  system.initial_position();
  system.initial_velocity();
  system.inertia;
  system.potential(x);
  system.potential_scale(x);
  system.momentum_map(x, x);
};

/// Quadratic holonomic constraints g(q) = 0, G = Dg, W(gamma) = sum_k gamma_k D^2 g_k constant in q; constant
/// regular M; a discrete gradient of V; viscous damping C. The face of the full forms.
template <class System>
concept HolonomicSystem = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.gradient(x);
  system.discrete_gradient(x, x);
  system.discrete_gradient_jacobian(x, x);
  system.constraints_at(x);
  system.constraint_jacobian(x);
  system.curvature(0, 0, 0);
  system.damping(0, 0);
};

/// The face of the reduced forms.
template <class System>
concept VectorSystem = HolonomicSystem<System> && requires(const System& system) {
  system.vector_form();
};

/// The same with kinetic energies that do not couple the vectors.
template <class System>
concept UncoupledVectorSystem = VectorSystem<System> && !System::Vectors::Inertia::coupled;

/// Nonholonomic: L = T - V - alpha z, A(q) v + b(q) = 0 with one constraint, constant scalar mass, and the
/// discrete midpoint constraint solved in closed form.
template <class System>
concept ContactSystem = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.gradient(x);
  system.constraint_row(x);
  system.constraint_offset(x);
  system.dissipation_rate();
};

}  // namespace livens::inline LIVENS_ISA
