#pragma once
// Units, where a text gives those of all its parameters: do the sums and energies agree? Coordinates have no
// units of their own; theirs follow, as unknowns of linear equations between exponents.

#include <string>
#include <vector>

#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// A complaint for every key in which units do not agree; nothing where a unit is missing or unknown. Numbers
/// have no unit, but in a sum a number alone goes with anything.
std::vector<std::string> disagreeing_units(const Description& description, const Mechanics& mechanics);

}  // namespace livens::expressions
