#pragma once
// The capabilities of a system: what it offers, and through which of them a scheme can use it.

#include <concepts>

#include "kernels/systems/shared/absent.hpp"
#include "kernels/systems/shared/described.hpp"
#include "kernels/systems/shared/vector_form.hpp"

namespace livens::inline LIVENS_ISA {

/// A state is called consistent while |g| and |G v|, or |A v + b| (infinity norms, in the units of the
/// constraints), are at most this.
inline constexpr double consistent_within = 1e-10;

/// Configuration, momentum and velocity at a node, as the user sees them.
template <class Scalar, int D>
struct NodeState {
  Vec<Scalar, D> q, p, v;
};

/// Every system: its description, its parameters, its own initial state, its potential energy. M is `inertia`
/// where it is constant and inertia_of(q) where it is not.
template <class System>
concept AnySystem = requires {
  typename System::Scalar;
  typename System::template Over<double>;
}
&&requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  { System::info() } -> std::convertible_to<const SystemInfo&>;
  system.initial_position();
  system.initial_velocity();
  system.potential(x);
  system.potential_scale(x);
  system.gradient(x);
  system.momentum_map(x, x);
};

/// M(q).
template <class System>
LIVENS_HD auto inertia_at(const System& system, const Vec<typename System::Scalar, System::coordinates>& q) {
  if constexpr (requires { system.inertia; })
    return system.inertia;
  else
    return system.inertia_of(q);
}

/// p = M(q) v.
template <class System, class Position>
LIVENS_HD Position momentum_of(const System& system, const Position& q, const Position& v) {
  return inertia_at(system, q).times(v);
}
/// v = M(q)^-1 p; not a number where M has no inverse.
template <class System, class Position>
LIVENS_HD Position velocity_of(const System& system, const Position& q, const Position& p) {
  const auto M = inertia_at(system, q);
  if constexpr (requires { M.solve(p); })
    return M.solve(p);
  else
    return typename System::Scalar(__builtin_nan("")) * p;
}

/// They are at most quadratic: W(gamma) = sum_k gamma_k D^2 g_k is constant in q.
template <class System>
concept QuadraticConstraints = AnySystem<System> && requires(const System& system) {
  system.curvature(0, 0, 0);
};

/// Holonomic constraints g(q) = 0, G = Dg; where they are more than quadratic curvature_at(q) has D^2 g_k in
/// rows d k, ..., d k + d - 1. constrains(k, i) and curved(k, i, j) say where G and D^2 g_k may be non-zero;
/// the other entries of what constraint_jacobian() returns are unspecified.
template <class System>
concept PositionConstraints = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.constraints_at(x);
  system.constraint_jacobian(x);
  { System::constrains(0, 0) } -> std::same_as<bool>;
  { System::curved(0, 0, 0) } -> std::same_as<bool>;
} &&(QuadraticConstraints<System> ||
     requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
       system.curvature_at(x);
     });

/// M has an inverse and does not depend on q.
template <class System>
concept ConstantRegularMass = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.inertia.solve(x);
};

/// V is linear, or has a Hessian and a discrete gradient through its invariants.
template <class System>
concept KnownForces = AnySystem<System> &&
    (System::linear_potential ||
     requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
       system.hessian(x);
       system.discrete_gradient(x, x);
       system.discrete_gradient_jacobian(x, x);
     });

/// The discrete gradient is a part of what the system is: no scheme takes another one.
template <class System>
concept DefinesDiscreteGradient = AnySystem<System> && requires {
  requires System::defines_discrete_gradient;
};

/// Viscous damping C, which may be zero. stiff(i, j) says where the Hessian of V and C may be non-zero.
template <class System>
concept ViscousSystem = AnySystem<System> && requires(const System& system) {
  system.damping(0, 0);
  { System::stiff(0, 0) } -> std::same_as<bool>;
};

/// There are given forces F(t).
template <class System>
concept LoadedSystem = AnySystem<System> && requires(const System& system, const typename System::Scalar& t) {
  system.load(t);
};

template <class System>
concept UnloadedSystem = AnySystem<System> && !LoadedSystem<System>;

/// What the full forms need. Schemes that take no loads, or want quadratic constraints, say so.
template <class System>
concept HolonomicSystem = PositionConstraints<System> && ConstantRegularMass<System> && KnownForces<System> &&
    ViscousSystem<System>;

/// Its equations can be evaluated on dual numbers: it keeps its parameters.
template <class System>
concept LiftedSystem = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.parameters;
  system.discrete_gradient(x, x);
};

/// What the reduced forms need.
template <class System>
concept VectorSystem = HolonomicSystem<System> && QuadraticConstraints<System> && UnloadedSystem<System> &&
    requires(const System& system) {
  system.vector_form();
};

/// The same in space, without frames, and with kinetic energies that do not couple the vectors.
template <class System>
concept UncoupledVectorSystem = VectorSystem<System> && !System::Vectors::Inertia::coupled &&
                                System::Vectors::dimension == 3 && System::Vectors::frames == 0;

/// Vectors in space or in the plane, without frames, that stand for the coordinates one to one, and kinetic
/// energies that do not couple them: what a step does to a unit vector has a closed form.
template <class System>
concept ClosedVectorSystem = VectorSystem<System> && !System::Vectors::Inertia::coupled &&
                             System::Vectors::frames == 0 && System::coordinates == System::Vectors::size;

/// Without free vectors, and with unit vectors only in the plane.
template <class System>
concept TurningSystem = VectorSystem<System> && System::Vectors::drifting == 0 &&
                        System::Vectors::free == 0 && System::Vectors::springs == 0 &&
                        (System::Vectors::dimension == 2 || System::Vectors::unit == 0);

/// Unit vectors in space and nothing else, coupled by their inertias, under their weights.
template <class System>
concept SphereSystem =
    VectorSystem<System> && System::Vectors::Inertia::coupled && System::Vectors::dimension == 3 &&
    System::Vectors::blocks == System::Vectors::unit&& System::Vectors::springs == 0;

/// One frame alone: a rigid body about a fixed point, under its weight, d1, d2, d3 along its principal axes.
template <class System>
concept FrameSystem = TurningSystem<System> && System::Vectors::frames == 1 && System::Vectors::unit == 0 &&
                      !System::Vectors::Inertia::coupled;

/// Bodies with directors, beam elements and joints, as kernels/systems/assembly has them: no matrix of all
/// coordinates is made for it, and M is singular where there are beams.
template <class System>
concept AssembledSystem = AnySystem<System> && requires {
  System::shape.bodies;
};

/// A point phi = arm d3, with a mass of its own, on which the weight acts.
template <class Scalar>
struct TiedPoint {
  Scalar mass, arm;
};

/// A frame with such a point: q = (phi, d1, d2, d3), and the rows |d_i|^2, d_i.d_j, phi - arm d3 of g, in that
/// order, fix all but the turns of the frame. Schemes with multipliers elsewhere than at the nodes see the point
/// beside the frame.
template <class System>
concept TiedFrameSystem = FrameSystem<System> &&(System::coordinates - System::constraints ==
                                                 System::Vectors::degrees_of_freedom) &&
                          (System::coordinates == System::Vectors::size + System::Vectors::dimension) &&
                          requires(const System& system) {
  system.tied_point();
};

/// A row of N alike cranks and the N - 1 alike couplers between their ends, all of one length.
template <class Scalar, int N>
struct CrankRow {
  Scalar length, mass, director;  ///< of every bar; J/2, the inertia of each of its directors
  Vec<Scalar, N - 1> viscosity;   ///< eta of an element from the ground to the end of a coupler
};

/// Parallel cranks in the plane that turn alike: one unit vector u, d1 of the cranks, while the couplers' d1
/// stays (1, 0). Bars are (phi, d1, d2) with their ends at phi -+ length/2 d1, cranks before couplers. Rows of g
/// are those of every bar, |d1|^2, |d2|^2, d1.d2, then the joints: of the cranks with the ground, then where the
/// ends of bars meet, from the first crank to the last. Schemes with multipliers elsewhere than at the nodes see
/// every bar by itself.
template <class System>
concept CrankRowSystem = TurningSystem<System> && System::Vectors::dimension == 2 &&
                         System::Vectors::blocks == 1 &&
                         (System::coordinates - System::constraints == System::Vectors::degrees_of_freedom) &&
                         requires(const System& system) {
  system.crank_row();
  requires System::coordinates ==
      (2 * System::cranks - 1) * (1 + System::Vectors::dimension) * System::Vectors::dimension;
};

/// Nonholonomic: L = T(q, v) - V(q) - alpha z + F(t).q under A(q) v + b(q) = 0, T = v.M(q) v/2. A system may
/// have b as constraint_offset(q), F as load(t), D_q T as kinetic_gradient(q, v); what it does not have is
/// zero.
template <class System>
concept ContactSystem = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.constraint_matrix(x);
  system.dissipation_rate();
};

/// There are rows of velocities: no sample has g(q) row by row (position_constraints of quantity_table.hpp).
template <class System>
inline constexpr bool has_velocity_rows = ContactSystem<System>;
template <class System>
requires(System::velocity_rows > 0) inline constexpr bool has_velocity_rows<System> = true;

/// b(q) is not zero.
template <class System>
concept AffineConstraints = ContactSystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.constraint_offset(x);
};

/// M depends on q: D_q T, D_q (M v) and D_q^2 T at fixed v. cyclic(i): nothing depends on q_i;
/// inertia_varies(i): row i of M depends on q.
template <class System>
concept VariableInertia = AnySystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.inertia_of(x);
  system.kinetic_gradient(x, x);
  system.inertia_slope(x, x);
  system.kinetic_hessian(x, x);
  { System::cyclic(0) } -> std::same_as<bool>;
  { System::inertia_varies(0) } -> std::same_as<bool>;
};

/// The increment that brings A(q_s) Dq + h b(q_s) to zero along A(q0)^T is known in closed form.
template <class System>
concept SolvedContactSystem = ContactSystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.constrained_increment(x, x, system.dissipation_rate(), system.dissipation_rate());
};

/// It is found by Newton's method. Chaplygin's form: A = (1 | B), the leading m columns are the identity, and
/// neither A nor b depends on the leading coordinates. constraint_slope(q, x, h): D_q (A(q) x + h b(q));
/// bends(j): A or b depends on q_j.
template <class System>
concept ChaplyginSystem = ContactSystem<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& x) {
  system.constraint_slope(x, x, system.dissipation_rate());
  { System::bends(0) } -> std::same_as<bool>;
};

/// A system with observables of its own: Watch, whose first `observables` entries are the values of
/// SystemInfo::observables; watch(q) at the start, watched(watch, q0, q1, t0, h) after every step.
template <class System>
concept WatchedSystem = AnySystem<System> && requires {
  typename System::Watch;
};

/// A system with values of its own at a node, evaluated where it is sampled: those of SystemInfo::sampled,
/// given the node and its time.
template <class System>
concept SampledSystem = AnySystem<System> &&
    requires(const System& system, const NodeState<typename System::Scalar, System::coordinates>& n,
             const typename System::Scalar& t) {
  system.sampled(n, t);
};

/// A system with conditions that end an instance: stop_count of them, values of a node and its time. A step
/// that changes the sign of one is not taken. Its first two SystemInfo::observables are stop_time and
/// stop_condition.
template <class System>
concept StoppingSystem = AnySystem<System> &&
    requires(const System& system, const NodeState<typename System::Scalar, System::coordinates>& n,
             const typename System::Scalar& t) {
  system.stop_values(n, t);
};

/// A system with events, which are counted and change nothing: event_count of them, values of a node and its
/// time, and in events[] what is kept of each. SystemInfo::observables has what is kept behind that of a stop.
template <class System>
concept EventfulSystem = AnySystem<System> &&
    requires(const System& system, const NodeState<typename System::Scalar, System::coordinates>& n,
             const typename System::Scalar& t) {
  system.event_values(n, t);
  System::events[0].keep;
};

/// The parameter, or what it follows from where it is not given.
template <class Scalar>
LIVENS_HD Scalar given_or(const Scalar& given, const Scalar& derived) {
  return select(given == given, given, derived);
}

}  // namespace livens::inline LIVENS_ISA
