#pragma once
// ems (ems.hpp) without its velocity: condensed_form.hpp.
//   y = Dq - M^-1 G_m^T Gamma
//   (b) 2 (M Dq - h p0) + h^2 (Dbar V - F_m) + W(Gamma) y + h C Dq + G_m^T L = 0,   L = Lambda - 2 Gamma
//   (c) g(q1) = 0
//   (d) G1 (2 y - h M^-1 p0) = 0

#include "kernels/forms/condensed/condensed_form.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

template <CondensableSystem System>
using CondensedEms = CondensedForm<System, EmsRule>;

}  // namespace livens::inline LIVENS_ISA
