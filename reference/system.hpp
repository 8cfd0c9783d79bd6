#pragma once
// A mechanical system is what it offers: energies, constraints and their like, each written once as a
// formula. Whatever else a scheme needs (momenta, forces, constraint Jacobians, mass and damping matrices)
// follows below by differentiation.

#include <Eigen/SparseCore>
#include <string>

#include "derivatives.hpp"
#include "formula.hpp"
#include "reference.hpp"

namespace livens::reference {

struct System {
  State initial;                      // the system's own initial state, not projected
  EnergyOfVelocity kinetic_energy;    // T(q,v), quadratic in v
  Eigen::Index mass_coordinates = 0;  // q enters T and M by its first so many entries; 0: M is constant
  EnergyOfPosition potential;         // Vt(pi): the potential energy V(q) = Vt(pi(q)) by the invariants
  MapOfPosition invariants;           // pi(q), of degree two at most; q itself unless a system says otherwise
  EnergyOfVelocity rayleigh;          // 1/2 v.C(q)v, the viscous force is its -d/dv; optional
  MapOfPosition constraint;           // g(q) = 0, holonomic; no entries unless a system says otherwise
  MapOfVelocity velocity_constraint;  // A(q)v + b(q) = 0, nonholonomic; optional
  MapOfVelocity increment;            // F_d - q along a tangent vector: exponential map of g = 0; optional
  DiscreteGradient discrete_potential_gradient;          // Dbar V(q0,q1) of the system's own; optional
  DiscreteGradientAtVelocity discrete_kinetic_gradient;  // Dbar T(.,v)(q0,q1) of its own; optional
  bool constraint_is_quadratic = true;                   // of degree two at most
  double action_damping = 0.0;                           // alpha in L = T - V - alpha z + F(t).q
  std::function<VectorXd(double t)> load;                // F(t), generalised forces, d entries; optional
  std::function<VectorXd(const VectorXd& q, const VectorXd& p)> momentum;  // conserved maps; optional
  std::function<VectorXd(const VectorXd& q, const VectorXd& v)> own;       // measured at a node; optional

  System()
      : invariants([](const auto& q) { return q; }),
        constraint([]<class S>(const Vector<S>&) { return Vector<S>(0); }) {}
};

/// V(q), in J.
template <class S>
S potential_energy(const System& system, const Vector<S>& q) {
  return system.potential(Vector<S>(system.invariants(q)));
}

/// DV(q), d entries.
template <class S>
Vector<S> potential_gradient(const System& system, const Vector<S>& q) {
  return gradient([&](const auto& x) { return potential_energy(system, x); }, q);
}

/// C(q) v = d/dv of the Rayleigh function, d entries; zero for a system without one.
template <class S>
Vector<S> viscous_force(const System& system, const Vector<S>& q, const Vector<S>& v) {
  if (!system.rayleigh) return Vector<S>::Constant(q.size(), S(0.0));
  return gradient([&]<class R>(const Vector<R>& x) { return system.rayleigh(constant<R>(q), x); }, v);
}

/// G(q) = Dg(q), m x d.
inline MatrixXd constraint_jacobian(const System& system, const VectorXd& q) {
  return jacobian(system.constraint, q);
}

/// G(q)^T lambda = D(lambda.g)(q), d entries.
template <class S>
Vector<S> constraint_force(const System& system, const Vector<S>& q, const Vector<S>& lambda) {
  return gradient(
      [&]<class R>(const Vector<R>& x) -> R { return system.constraint(x).dot(constant<R>(lambda)); }, q);
}

/// G(q) u, m entries.
template <class S>
Vector<S> constraint_rate(const System& system, const Vector<S>& q, const Vector<S>& u) {
  return derivative_along(system.constraint, q, u);
}

/// W(gamma,q) u = sum_k gamma_k D^2 g_k(q) u = D_q( gamma.(G(q) u) ), d entries.
template <class S>
Vector<S> constraint_curvature(const System& system, const Vector<S>& q, const Vector<S>& gamma,
                               const Vector<S>& u) {
  return gradient(
      [&]<class R>(const Vector<R>& x) -> R {
        return constraint_rate(system, x, constant<R>(u)).dot(constant<R>(gamma));
      },
      q);
}

inline const State& initial_state(const System& system) { return system.initial; }

/// M = D_2^2 T(q,.), d x d. T is quadratic in v, so the place of the second derivative does not matter.
MatrixXd mass_matrix(const System& system, const VectorXd& q);

/// A matrix of many bodies is mostly zeros.
using SparseMatrix = Eigen::SparseMatrix<double>;
SparseMatrix inverse(const SparseMatrix& M);

/// The metric that lengths are measured with: M, or the identity where M is singular.
MatrixXd metric(const System& system, const VectorXd& q);

/// A(q), m x d, and b(q), m entries, of the nonholonomic constraint A(q)v + b(q) = 0.
MatrixXd nonholonomic_jacobian(const System& system, const VectorXd& q);
VectorXd nonholonomic_drift(const System& system, const VectorXd& q);

/// m, the number of constraints, holonomic or not.
Eigen::Index constraint_count(const System& system);

/// F(t), d entries; zero for a system without loads.
VectorXd load(const System& system, double t);

/// Position constraints only, a constant regular mass matrix.
bool is_holonomic(const System& system);

/// Velocity constraints only, a mass matrix that is regular where the system starts, no viscous forces.
bool is_nonholonomic(const System& system);

/// No viscous forces: C(q) = 0, as far as a position without symmetry tells.
bool is_undamped(const System& system);

/// The nearest position with g(q) = 0. Throws NewtonFailure.
VectorXd project_position(const System& system, const VectorXd& q);

/// The nearest velocity with G(q)v = 0, or A(q)v + b(q) = 0.
VectorXd project_velocity(const System& system, const VectorXd& q, const VectorXd& v);

/// Fills what follows from q, p and v of the node: energy H(q,p), total energy and its parts, constraints,
/// momentum maps, what the system has of its own.
void measure_state(const System& system, Node& node);

/// Throws std::invalid_argument for an unknown name, an unknown parameter or one of the wrong length.
System make_system(const Model& model);

}  // namespace livens::reference
