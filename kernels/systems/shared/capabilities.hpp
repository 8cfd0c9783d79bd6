#pragma once
// The capabilities of a system, from the concepts it meets.

#include "kernels/systems/shared/general.hpp"

namespace livens::inline LIVENS_ISA {

template <AnySystem System>
constexpr Capabilities capabilities_of() {
  Capabilities capabilities;
  capabilities.add(Capability::position_constraints, PositionConstraints<System> || AssembledSystem<System>);
  capabilities.add(Capability::regular_mass, ConstantRegularMass<System>);
  capabilities.add(Capability::other_mass, !ConstantRegularMass<System>);
  capabilities.add(Capability::known_forces, KnownForces<System>);
  capabilities.add(Capability::viscosity, ViscousSystem<System>);
  capabilities.add(Capability::duals, LiftedSystem<System>);
  capabilities.add(
      Capability::vectors, requires(const System& system) { system.vector_form(); });
  capabilities.add(Capability::contact, ContactSystem<System>);
  capabilities.add(Capability::increment, SolvedContactSystem<System> || ChaplyginSystem<System>);
  capabilities.add(Capability::quadratic, QuadraticConstraints<System> || AssembledSystem<System>);
  capabilities.add(Capability::assembly, AssembledSystem<System>);
  capabilities.add(Capability::unloaded, !LoadedSystem<System>);
  if constexpr (GeneralSystem<System>)
    for (const Capability stood_for : {Capability::position_constraints, Capability::known_forces,
                                       Capability::viscosity, Capability::duals, Capability::quadratic})
      capabilities.add(stood_for, System::velocity_rows == 0);  // by forms for any mechanism
  return capabilities;
}

}  // namespace livens::inline LIVENS_ISA
