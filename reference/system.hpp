#pragma once
// A mechanical system is what it offers: energies, constraints and their like, each written once as a
// formula. Whatever else a scheme needs (momenta, forces, constraint Jacobians, mass and damping matrices)
// follows below by differentiation. All terms that there are: docs/equations/general.md,
//   L = T - V,   T = 1/2 v.M(q,t) v + a(q,t).v + c(q,t),   p = M v + a
//   g(q,t) = 0,   A(q,t) v + b(q,t) = 0
// What is taken without a time is taken at t = 0.

#include <Eigen/SparseCore>
#include <string>
#include <type_traits>

#include "derivatives.hpp"
#include "formula.hpp"
#include "reference.hpp"

namespace livens::reference {

struct System {
  State initial;                      // the system's own initial state, not projected
  EnergyOfVelocity kinetic_energy;    // T(q,v,t), at most quadratic in v
  Eigen::Index mass_coordinates = 0;  // q enters M by its first so many entries; 0: M does not depend on q
  bool mass_moves = false;            // M depends on t
  bool has_field = false;             // T has a(q,t).v or c(q,t) beside 1/2 v.M v
  EnergyOfPosition potential;         // Vt(pi,t): the potential energy V(q,t) = Vt(pi(q),t) by the invariants
  // V_k(q,t), whose magnitudes the scale of energies adds up; V itself unless a system says otherwise.
  std::function<VectorXd(const VectorXd& q, double t)> potential_terms;
  MapOfPosition invariants;           // pi(q), of degree two at most; q itself unless a system says otherwise
  EnergyOfVelocity rayleigh;          // R(q,v,t), the viscous force is its -d/dv; optional
  MapOfPosition constraint;           // g(q,t) = 0; no entries unless a system says otherwise
  MapOfVelocity velocity_constraint;  // A(q,t)v + b(q,t) = 0; optional
  bool rows_move = false;             // g, or A v + b, depends on t
  MapOfPosition redundant;            // rows of g that others imply, none of the system's own; optional
  MapOfVelocity increment;            // F_d - q along a tangent vector: exponential map of g = 0; optional
  // The discrete chain rule of text.md, of a text alone. A place is q, or q and t in one vector, and then the
  // row has as many entries, Dbar_q and Dbar_t.
  DiscreteGradient discrete_potential_gradient;     // Dbar V
  DiscreteGradientAlong discrete_kinetic_gradient;  // Dbar T(.,v)
  DiscreteGradientAlong discrete_constraint_force;  // lambda.Dbar g
  MapOfPosition gap;                                // gap(q,t) >= 0 of every wall; of a text alone
  DiscreteGradientAlong discrete_gap_force;         // lambda.Dbar gap
  VectorXd restitution;                             // e of every wall
  double action_damping = 0.0;                      // alpha in L = T - V - alpha z + F(t).q
  std::function<VectorXd(double t)> load;           // F(t), generalised forces, d entries; optional
  MapOfVelocity force;                              // F(q,v,t) in place of F(t); optional
  std::function<VectorXd(const VectorXd& q, const VectorXd& p)> momentum;  // conserved maps; optional
  std::function<VectorXd(const VectorXd& q, const VectorXd& v)> own;       // measured at a node; optional

  System()
      : invariants([](const auto& q) { return q; }),
        constraint([]<class S>(const Vector<S>&) { return Vector<S>(0); }) {}
};

/// A time beside vectors of S.
template <class S>
using Time = std::type_identity_t<S>;

template <class S>
Vector<S> zero(Eigen::Index size) {
  return Vector<S>::Constant(size, S(0.0));
}

/// V(q,t), in J.
template <class S>
S potential_energy(const System& system, const Vector<S>& q, const Time<S>& t = S(0.0)) {
  return system.potential(Vector<S>(system.invariants(q)), t);
}

/// D_q V(q,t), d entries.
template <class S>
Vector<S> potential_gradient(const System& system, const Vector<S>& q, const Time<S>& t = S(0.0)) {
  return gradient([&]<class R>(const Vector<R>& x) { return potential_energy(system, x, R(t)); }, q);
}

/// D_q T(q,v,t) and D_v T(q,v,t) = p, d entries each.
template <class S>
Vector<S> kinetic_gradient(const System& system, const Vector<S>& q, const Vector<S>& v, const Time<S>& t) {
  return gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(x, constant<R>(v), R(t)); },
                  q);
}
template <class S>
Vector<S> momentum_of(const System& system, const Vector<S>& q, const Vector<S>& v, const Time<S>& t) {
  return gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(constant<R>(q), x, R(t)); },
                  v);
}

/// a(q,t), d entries.
template <class S>
Vector<S> field_momentum(const System& system, const Vector<S>& q, const Time<S>& t) {
  if (!system.has_field) return zero<S>(q.size());
  return momentum_of(system, q, zero<S>(q.size()), t);
}

/// D_q( a(q,t).k ), d entries.
template <class S>
Vector<S> field_curvature(const System& system, const Vector<S>& q, const Vector<S>& k, const Time<S>& t) {
  if (!system.has_field) return zero<S>(q.size());
  return gradient(
      [&]<class R>(const Vector<R>& x) -> R {
        Vector<Dual<R>> v(k.size());
        for (Eigen::Index i = 0; i < k.size(); ++i) v[i] = {R(0.0), R(k[i])};
        return system.kinetic_energy(constant<Dual<R>>(x), v, Dual<R>(R(t))).slope;
      },
      q);
}

/// L_q(q,v,t), d entries, and L_t(q,v,t).
template <class S>
Vector<S> lagrangian_gradient(const System& system, const Vector<S>& q, const Vector<S>& v,
                              const Time<S>& t) {
  const Vector<S> DV = potential_gradient(system, q, t);
  if (system.mass_coordinates == 0 && !system.has_field) return -DV;
  return kinetic_gradient(system, q, v, t) - DV;
}
double lagrangian_rate(const System& system, const VectorXd& q, const VectorXd& v, double t);

/// D_v R(q,v,t), d entries; zero for a system without one.
template <class S>
Vector<S> viscous_force(const System& system, const Vector<S>& q, const Vector<S>& v,
                        const Time<S>& t = S(0.0)) {
  if (!system.rayleigh) return zero<S>(q.size());
  return gradient([&]<class R>(const Vector<R>& x) { return system.rayleigh(constant<R>(q), x, R(t)); }, v);
}

/// F(t), d entries; zero for a system without loads.
VectorXd load(const System& system, double t);

/// F(q,v,t), d entries; zero for a system without any.
template <class S>
Vector<S> applied_force(const System& system, const Vector<S>& q, const Vector<S>& v, double t) {
  return system.force ? system.force(q, v, S(t)) : constant<S>(load(system, t));
}

/// G(q,t) = D_q g, m x d.
MatrixXd constraint_jacobian(const System& system, const VectorXd& q, double t = 0.0);

/// G(q,t)^T lambda = D_q(lambda.g), d entries.
template <class S>
Vector<S> constraint_force(const System& system, const Vector<S>& q, const Vector<S>& lambda,
                           const Time<S>& t = S(0.0)) {
  return gradient(
      [&]<class R>(const Vector<R>& x) -> R { return system.constraint(x, R(t)).dot(constant<R>(lambda)); },
      q);
}

/// G(q,t) u + g_t, m entries.
template <class S>
Vector<S> constraint_rate(const System& system, const Vector<S>& q, const Vector<S>& u,
                          const Time<S>& t = S(0.0)) {
  const Dual<S> passing(t, S(1.0));
  return derivative_along([&](const Vector<Dual<S>>& x) { return system.constraint(x, passing); }, q, u);
}

/// g_t(q,t), m entries.
inline VectorXd support_rate(const System& system, const VectorXd& q, double t) {
  return constraint_rate(system, q, zero<double>(q.size()), t);
}

/// G'(u)^T gamma = D_q( gamma.(G u + g_t) ), d entries; W(gamma,q) u where g does not depend on t.
template <class S>
Vector<S> constraint_curvature(const System& system, const Vector<S>& q, const Vector<S>& gamma,
                               const Vector<S>& u, const Time<S>& t = S(0.0)) {
  return gradient(
      [&]<class R>(const Vector<R>& x) -> R {
        return constraint_rate(system, x, constant<R>(u), R(t)).dot(constant<R>(gamma));
      },
      q);
}

/// A(q,t)^T kappa, d entries.
template <class S>
Vector<S> nonholonomic_force(const System& system, const Vector<S>& q, const Vector<S>& kappa,
                             const Time<S>& t) {
  if (!system.velocity_constraint) return zero<S>(q.size());
  return gradient(
      [&]<class R>(const Vector<R>& v) -> R {
        return system.velocity_constraint(constant<R>(q), v, R(t)).dot(constant<R>(kappa));
      },
      zero<S>(q.size()));
}

/// A(q,t) v + b(q,t); no entries for a system without such rows.
template <class S>
Vector<S> nonholonomic_rate(const System& system, const Vector<S>& q, const Vector<S>& v, const Time<S>& t) {
  return system.velocity_constraint ? system.velocity_constraint(q, v, t) : Vector<S>(0);
}

inline const State& initial_state(const System& system) { return system.initial; }

/// M = D_v^2 T, d x d. T is quadratic in v, so the place of the second derivative does not matter.
MatrixXd mass_matrix(const System& system, const VectorXd& q, double t = 0.0);

/// A matrix of many bodies is mostly zeros.
using SparseMatrix = Eigen::SparseMatrix<double>;
SparseMatrix inverse(const SparseMatrix& M);

/// The metric that lengths are measured with: M, or the identity where M is singular.
MatrixXd metric(const System& system, const VectorXd& q, double t = 0.0);

/// A(q,t) and b(q,t); no rows for a system without them.
MatrixXd nonholonomic_jacobian(const System& system, const VectorXd& q, double t = 0.0);
VectorXd nonholonomic_drift(const System& system, const VectorXd& q, double t = 0.0);

/// What velocities obey, J v + drift = 0: the rows (G, g_t), then the rows (A, b).
struct VelocityRows {
  MatrixXd J;
  VectorXd drift;
};
VelocityRows velocity_rows(const System& system, const VectorXd& q, double t = 0.0);

/// The multipliers nu of P - J^T nu = M v + a with J v + drift = 0.
VectorXd normal_impulse(const System& system, const VectorXd& q, const VectorXd& P, double t);

/// The number of rows g, and of all rows.
Eigen::Index position_constraint_count(const System& system);
Eigen::Index constraint_count(const System& system);

/// M constant and regular, no constraints of velocities alone, and no action that damps.
bool is_holonomic(const System& system);

/// Constraints of velocities, and a mass matrix that is regular where the system starts.
bool is_nonholonomic(const System& system);

/// The nearest position with g(q,0) = 0. Throws NewtonFailure.
VectorXd project_position(const System& system, const VectorXd& q);

/// The nearest velocity with J v + drift = 0.
VectorXd project_velocity(const System& system, const VectorXd& q, const VectorXd& v, double t = 0.0);

/// Fills what follows from q, p, v and time of the node: energy, its parts, constraints, momentum maps, what
/// the system has of its own.
void measure_state(const System& system, Node& node);

/// Throws std::invalid_argument for an unknown name, an unknown parameter or one of the wrong length.
System make_system(const Model& model);

}  // namespace livens::reference
