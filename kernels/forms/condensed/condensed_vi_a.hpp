#pragma once
// vi_a (vi_a.hpp) without its velocity: condensed_form.hpp.
//   y = Dq - M^-1 G_a^T Gamma
//   (b) 2 (M Dq - h p0) + phi [h^2 DV(q_a) + W(Gamma) y + h C Dq] + G_a^T L = 0,   L = phi Lambda - 2 Gamma
//   (c) g(q_a) = 0
//   (d) G_a y = 0,   phi = 2 (1 - alpha)

#include "kernels/forms/condensed/condensed_form.hpp"
#include "kernels/schemes/vi_a.hpp"

namespace livens::inline LIVENS_ISA {

template <CondensableSystem System>
requires UnloadedSystem<System>
using CondensedViA = CondensedForm<System, ViARule>;

}  // namespace livens::inline LIVENS_ISA
