#pragma once
// del_multiplier for systems in vector form: its steps are those of del_nullspace.hpp, in which the
// multipliers have dropped out, and (e) there gives them back where they are asked for.

#include "kernels/schemes/del/del_multiplier.hpp"
#include "kernels/schemes/del/del_nullspace.hpp"

namespace livens::inline LIVENS_ISA {

template <VectorSystem System>
using DelMultiplierReduced = DelNullspace<System, DelMultiplierDescription>;

}  // namespace livens::inline LIVENS_ISA
