#pragma once
// ggl_vi (ggl_vi.hpp) with its multipliers as the only unknowns: condensed_variational.hpp.

#include "kernels/forms/condensed/condensed_variational.hpp"
#include "kernels/schemes/ggl_vi.hpp"

namespace livens::inline LIVENS_ISA {

struct CondensedGglViRule {
  static constexpr const SchemeInfo& info() { return GglViDescription::info; }
  template <class System>
  using FullForm = GglVi<System>;
  static constexpr bool kick_first = true;
};

template <CondensedToMultipliers System>
using CondensedGglVi = CondensedVariational<System, CondensedGglViRule>;

}  // namespace livens::inline LIVENS_ISA
