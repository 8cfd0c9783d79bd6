#pragma once
// vi_b for any mechanism with a constant regular M: general_vi.hpp.

#include "kernels/forms/general/general_vi.hpp"
#include "kernels/schemes/vi_b.hpp"

namespace livens::inline LIVENS_ISA {

struct GeneralViBChoice {
  static constexpr bool at_nodes = true;
  static constexpr const SchemeInfo& info() { return ViBDescription::info; }
  static LIVENS_HD double alpha(const Settings& settings) { return settings.value<ViBDescription::alpha>(); }
  static LIVENS_HD double theta(const Settings& settings) { return settings.value<ViBDescription::theta>(); }
};
template <class System>
struct GeneralViBRule : GeneralViRule<System, GeneralViBChoice> {
  using GeneralViRule<System, GeneralViBChoice>::GeneralViRule;
};

template <GeneralHolonomic System>
using GeneralViB = GeneralForm<System, GeneralViBRule>;

}  // namespace livens::inline LIVENS_ISA
