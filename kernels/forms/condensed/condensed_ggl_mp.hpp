#pragma once
// ggl_mp (ggl_mp.hpp) without its velocity: condensed_form.hpp.
//   y = Dq - G_m^T Gamma
//   (b) 2 (M y - h p0) + h^2 (DV(q_m) - F_m) + h C Dq + G_m^T Lambda = 0
//   (c) g(q1) = 0
//   (d) G1 (2 y - h M^-1 p0) = 0

#include "kernels/forms/condensed/condensed_form.hpp"
#include "kernels/schemes/ggl_mp.hpp"

namespace livens::inline LIVENS_ISA {

template <CondensableSystem System>
using CondensedGglMp = CondensedForm<System, GglMpRule>;

}  // namespace livens::inline LIVENS_ISA
