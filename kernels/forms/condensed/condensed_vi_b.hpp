#pragma once
// vi_b (vi_b.hpp) with its multipliers as the only unknowns: condensed_variational.hpp.

#include "kernels/forms/condensed/condensed_variational.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

struct CondensedViBRule {
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }
  template <class System>
  using FullForm = ViB<System>;
  static constexpr bool kick_first = false;
};

template <CondensedToMultipliers System>
using CondensedViB = CondensedVariational<System, CondensedViBRule>;

}  // namespace livens::inline LIVENS_ISA
