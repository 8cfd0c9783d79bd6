#pragma once
// The faces of a system, from the concepts it meets.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

template <AnySystem System>
constexpr Faces faces_of() {
  Faces faces;
  faces.add(Face::position_constraints, PositionConstraints<System> || AssembledSystem<System>);
  faces.add(Face::regular_mass, ConstantRegularMass<System>);
  faces.add(Face::other_mass, !ConstantRegularMass<System>);
  faces.add(Face::known_forces, KnownForces<System>);
  faces.add(Face::viscosity, ViscousSystem<System>);
  faces.add(Face::duals, LiftedSystem<System>);
  faces.add(
      Face::vectors, requires(const System& system) { system.vector_form(); });
  faces.add(Face::contact, ContactSystem<System>);
  faces.add(Face::increment, SolvedContactSystem<System> || ChaplyginSystem<System>);
  faces.add(Face::quadratic, QuadraticConstraints<System> || AssembledSystem<System>);
  faces.add(Face::assembly, AssembledSystem<System>);
  faces.add(Face::unloaded, !LoadedSystem<System>);
  return faces;
}

}  // namespace livens::inline LIVENS_ISA
