#pragma once
// livens (livens.hpp) as a condensed form: condensed_form.hpp. It has no velocity to begin with; what it gains
// is the first guess and the order of elimination.
//   (b) 2 (M Dq - h p0) + h^2 (Dbar V - F_m) + h C Dq + G_m^T Lambda = 0
//   (c) g(q1) = 0

#include "kernels/forms/condensed/condensed_form.hpp"
#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

template <CondensableSystem System>
using CondensedLivens = CondensedForm<System, LivensRule>;

}  // namespace livens::inline LIVENS_ISA
