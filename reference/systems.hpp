#pragma once
// The systems, one function in one file each; systems.cpp lists them.

#include "system.hpp"

namespace livens::reference {

class Parameters;

System four_particle(Parameters& given);
System double_spherical_pendulum(Parameters& given);
System foucault_pendulum(Parameters& given);

}  // namespace livens::reference
