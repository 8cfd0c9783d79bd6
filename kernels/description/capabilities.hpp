#pragma once
// The capabilities a system can offer a scheme, as the run-time world sees them: one bit each, from the concepts
// (kernels/systems/shared/capabilities.hpp), and a sentence that says what its absence means. A scheme's description
// names the capabilities it runs on; `livens list --why` compares the two, and a law holds them against the pairs.

#include <array>  // std::size
#include <initializer_list>

namespace livens {

enum class Capability {
  position_constraints,  ///< PositionConstraints, which may be none
  regular_mass,          ///< ConstantRegularMass
  other_mass,            ///< not that
  known_forces,          ///< KnownForces
  viscosity,             ///< ViscousSystem
  duals,                 ///< LiftedSystem
  vectors,               ///< what VectorSystem has beside HolonomicSystem
  contact,               ///< ContactSystem
  increment,             ///< SolvedContactSystem or ChaplyginSystem
  quadratic,             ///< QuadraticConstraints
  unloaded,              ///< not a LoadedSystem
  assembly,              ///< AssembledSystem
  general_rows           ///< rows of velocities, in a form for any mechanism
};

/// The words for a missing capability, by capability: they go on after "SCHEME does not run SYSTEM: ".
inline constexpr const char* missing_capability[] = {
    "the system has no holonomic constraints g(q) = 0, or does not say that there are none (NoConstraints)",
    "its mass matrix is singular or depends on q (it has no inertia.solve)",
    "its mass matrix is constant and regular, for which there are other forms",
    "its potential is not linear, and its Hessian, or a discrete gradient with its Jacobian, is not given",
    "it does not say how it is damped (damping and stiff, or NoDamping)",
    "its equations cannot be evaluated on dual numbers (it keeps no parameters, or has no discrete gradient)",
    "it is not given in vectors whose lengths are fixed (vector_form)",
    "it has no nonholonomic constraints A(q) v + b(q) = 0 with a contact Lagrangian (constraint_matrix, "
    "dissipation_rate)",
    "neither its increment on the constraint (constrained_increment) nor Chaplygin's form "
    "(constraint_slope, bends) is given",
    "a constraint g(q) = 0 is more than quadratic, and the scheme is not made for that",
    "it has given forces F(t), and the scheme takes none",
    "it is not an assembly of bodies, beams and joints (kernels/systems/assembly)",
    "it has no rows A(q) v + b(q) = 0 that a form for any mechanism takes (kernels/forms/general)"};
inline constexpr int capability_count = static_cast<int>(std::size(missing_capability));

/// A set of capabilities.
class Capabilities {
 public:
  constexpr Capabilities() = default;
  constexpr Capabilities(std::initializer_list<Capability> capabilities) {
    for (const Capability capability : capabilities) add(capability);
  }
  constexpr void add(Capability capability, bool offered = true) {
    if (offered) bits_ |= 1u << static_cast<int>(capability);
  }
  constexpr bool has(Capability capability) const { return bits_ >> static_cast<int>(capability) & 1u; }
  constexpr Capabilities with(Capabilities other) const { return Capabilities(bits_ | other.bits_); }
  constexpr Capabilities without(Capabilities other) const { return Capabilities(bits_ & ~other.bits_); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const {
    int n = 0;
    for (unsigned bits = bits_; bits != 0; bits &= bits - 1) ++n;
    return n;
  }

 private:
  constexpr explicit Capabilities(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

/// The capabilities that schemes run on: a system needs all of one set of the list.
inline constexpr Capabilities on_holonomic[] = {{Capability::position_constraints, Capability::regular_mass,
                                                 Capability::known_forces, Capability::viscosity}};
inline constexpr Capabilities on_unloaded[] = {on_holonomic[0].with({Capability::unloaded})};
inline constexpr Capabilities on_quadratic[] = {on_holonomic[0].with({Capability::quadratic})};
inline constexpr Capabilities on_unloaded_quadratic[] = {
    on_holonomic[0].with({Capability::unloaded, Capability::quadratic})};
inline constexpr Capabilities on_vectors[] = {on_unloaded_quadratic[0].with({Capability::vectors})};
inline constexpr Capabilities on_holonomic_or_assemblies[] = {on_holonomic[0], {Capability::assembly}};
inline constexpr Capabilities on_vectors_or_assemblies[] = {on_vectors[0], {Capability::assembly}};
inline constexpr Capabilities on_any_mass[] = {
    on_quadratic[0],
    {Capability::position_constraints, Capability::other_mass, Capability::duals, Capability::quadratic},
    {Capability::general_rows}};
inline constexpr Capabilities on_contact[] = {{Capability::contact, Capability::increment}};

}  // namespace livens
