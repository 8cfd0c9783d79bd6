#pragma once
// What stands behind the name of a model: a system of formulas, or an assembly of parts. What is asked of
// both has one name: initial_state, mass_matrix, metric, project_position, project_velocity, begin.

#include <variant>

#include "assembly/assembled_system.hpp"
#include "system.hpp"

namespace livens::reference {

using Mechanism = std::variant<System, AssembledSystem>;

/// Throws as make_system() does.
Mechanism make_mechanism(const Model& model);

}  // namespace livens::reference
