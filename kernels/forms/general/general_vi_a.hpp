#pragma once
// vi_a for any mechanism with a constant regular M: general_vi.hpp.

#include "kernels/forms/general/general_vi.hpp"
#include "kernels/schemes/vi_a.hpp"

namespace livens::inline LIVENS_ISA {

struct GeneralViAChoice {
  static constexpr bool at_nodes = false;
  static constexpr const SchemeInfo& info() { return ViADescription::info; }
  static LIVENS_HD double alpha(const Settings& settings) { return settings.value<ViADescription::alpha>(); }
  static LIVENS_HD double theta(const Settings&) { return 0.0; }
};
template <class System>
struct GeneralViARule : GeneralViRule<System, GeneralViAChoice> {
  using GeneralViRule<System, GeneralViAChoice>::GeneralViRule;
};

template <GeneralHolonomic System>
using GeneralViA = GeneralForm<System, GeneralViARule>;

}  // namespace livens::inline LIVENS_ISA
