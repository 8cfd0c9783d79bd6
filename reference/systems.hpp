#pragma once
// The systems, one function in one file each; systems.cpp lists them.

#include "system.hpp"

namespace livens::reference {

class Parameters;

System four_particle(Parameters& given);
System heavy_top(Parameters& given);
System double_four_bar(Parameters& given);
System mass_spring(Parameters& given);
System spring_pendulum(Parameters& given);
System double_spherical_pendulum(Parameters& given);
System unit_circle(Parameters& given);
System foucault_pendulum(Parameters& given);

}  // namespace livens::reference
