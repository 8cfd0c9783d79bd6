#pragma once
// del_multiplier (del_multiplier.hpp) for systems in vector form: its steps are those of del_nullspace.hpp,
// in which the multipliers have dropped out; (e) there gives them back where they are asked for.

#include "kernels/schemes/del_multiplier.hpp"
#include "kernels/schemes/del_nullspace.hpp"

namespace livens::inline LIVENS_ISA {

struct DelMultiplierReducedRule {
  static constexpr const SchemeInfo& info() { return DelMultiplierDescription::info; }
};

template <VectorSystem System>
using DelMultiplierReduced = DelNullspace<System, DelMultiplierReducedRule>;

}  // namespace livens::inline LIVENS_ISA
