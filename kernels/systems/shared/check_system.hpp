#pragma once
// Says in a sentence what a system's class lacks: without it a missing member only makes schemes disappear.

#include "kernels/systems/shared/absent.hpp"
#include "kernels/systems/shared/concept.hpp"
#include "kernels/systems/shared/general.hpp"

namespace livens::inline LIVENS_ISA {

/// The check for the members that every system has.
template <class System>
constexpr bool check_basics() {
  using Position = Vec<typename System::Scalar, System::coordinates>;
  static_assert(
      requires { typename System::template Over<double>; },
      "a system needs Over<Other>, itself over other scalars: without it no scheme runs");
  static_assert(
      requires(const System& s) { s.initial_position(); },
      "a system needs initial_position(), q at the start: without it no scheme runs");
  static_assert(
      requires(const System& s) { s.initial_velocity(); },
      "a system needs initial_velocity(), v at the start: without it no scheme runs");
  static_assert(
      requires(const System& s, const Position& q) { s.potential(q); },
      "a system needs potential(q), V in joule: without it no scheme runs");
  static_assert(
      requires(const System& s, const Position& q) { s.potential_scale(q); },
      "a system needs potential_scale(q), the sum of |V_k| in joule (or FromPotential): without it "
      "no scheme runs");
  static_assert(
      requires(const System& s, const Position& q) { s.gradient(q); },
      "a system needs gradient(q), DV (or FromPotential): without it no scheme runs");
  static_assert(
      requires(const System& s, const Position& q) { s.momentum_map(q, q); },
      "a system needs momentum_map(q, p) (or NoMomentumMaps): without it no scheme runs");
  static_assert(
      requires(const System& s) { s.inertia; } ||
          requires(const System& s, const Position& q) { s.inertia_of(q); },
      "a system needs its mass matrix, inertia or inertia_of(q): without it no scheme runs");
  return true;
}

/// g(q) = 0, which may be none.
template <class System>
constexpr bool check_holonomic() {
  using Position = Vec<typename System::Scalar, System::coordinates>;
  static_assert(
      requires(const System& s, const Position& q) { s.constraints_at(q); },
      "constraints_at(q), g, is missing (or NoConstraints): no holonomic scheme runs");
  static_assert(
      requires(const System& s, const Position& q) { s.constraint_jacobian(q); },
      "constraint_jacobian(q), G, is missing: no holonomic scheme runs");
  static_assert(
      QuadraticConstraints<System> || requires(const System& s, const Position& q) { s.curvature_at(q); },
      "curvature(k, i, j), the entries of D^2 g_k, or curvature_at(q), these at q, is missing: no holonomic "
      "scheme runs");
  static_assert(
      requires { System::constrains(0, 0); },
      "constrains(k, i), where G may be non-zero, is missing: no holonomic scheme runs");
  static_assert(
      requires { System::curved(0, 0, 0); },
      "curved(k, i, j), where D^2 g_k may be non-zero, is missing: no holonomic scheme runs");
  if constexpr (ConstantRegularMass<System>) {
    static_assert(
        requires { System::linear_potential; },
        "linear_potential is missing, whether DV is constant (or FromPotential): no holonomic "
        "scheme runs");
    static_assert(
        KnownForces<System>,
        "V is not linear, and hessian(q), discrete_gradient(q0, q1) or "
        "discrete_gradient_jacobian(q0, q1) is missing (or FromPotential): no holonomic scheme runs");
    static_assert(ViscousSystem<System>,
                  "damping(i, j) or stiff(i, j), the damping matrix and where it and the Hessian may be "
                  "non-zero, is missing (or NoDamping): no holonomic scheme runs");
  } else {
    static_assert(LiftedSystem<System>,
                  "M is singular or depends on q, and parameters (a member with what the constructor takes) "
                  "or discrete_gradient(q0, q1) is missing: livens does not run, and no other scheme could");
  }
  return true;
}

/// A(q) v + b(q) = 0 and alpha.
template <class System>
constexpr bool check_contact() {
  using Position = Vec<typename System::Scalar, System::coordinates>;
  static_assert(
      requires(const System& s, const Position& q) { s.constraint_matrix(q); },
      "dissipation_rate() is there, constraint_matrix(q), A, is missing: no contact scheme runs");
  static_assert(
      requires(const System& s) { s.dissipation_rate(); },
      "constraint_matrix(q) is there, dissipation_rate(), alpha, is missing: no contact scheme runs");
  static_assert(SolvedContactSystem<System> || ChaplyginSystem<System>,
                "neither constrained_increment(q, x, h, s) nor constraint_slope(q, x, h) with bends(j) is "
                "there: no contact scheme runs");
  return true;
}

/// Damping without a parameter that says so would be taken for none by whoever chooses a form.
template <class System>
constexpr bool check_damping() {
  if constexpr (requires { System::damped; }) {
    constexpr bool absent = std::is_base_of_v<NoDamping<typename System::Scalar>, System>;
    constexpr bool own = ViscousSystem<System> && !absent;
    static_assert(!own || System::damped,
                  "the system has damping(i, j), but no parameter with .damps = true: mark those that "
                  "make C, or inherit NoDamping");
    static_assert(!absent || !System::damped,
                  "the system inherits NoDamping, but a parameter has .damps = true");
  }
  return true;
}

/// Bodies, beams and joints have all that is wanted of them by themselves, but for the numbers.
template <class System>
constexpr bool check_assembly() {
  static_assert(LoadedSystem<System>, "an assembly's loads are those of kernels/systems/assembly");
  static_assert(
      System::coordinates == System::shape.coordinates && System::constraints == System::shape.constraints(),
      "the description of an assembly has other numbers of coordinates or constraints than its shape");
  return true;
}

template <class System>
constexpr bool check_system() {
  using Position = Vec<typename System::Scalar, System::coordinates>;
  constexpr bool contact = requires(const System& s, const Position& q) { s.constraint_matrix(q); }
  || requires(const System& s) { s.dissipation_rate(); };
  if constexpr (!GeneralSystem<System>) {  // those are generated
    check_basics<System>();
    if constexpr (contact)
      check_contact<System>();
    else if constexpr (AssembledSystem<System>)
      check_assembly<System>();
    else
      check_holonomic<System>();
    check_damping<System>();
  }
  return true;
}

}  // namespace livens::inline LIVENS_ISA
