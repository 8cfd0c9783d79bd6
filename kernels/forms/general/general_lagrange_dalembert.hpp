#pragma once
// lagrange_dalembert for any mechanism with a regular M: general_contact.hpp.

#include "kernels/forms/general/general_contact.hpp"
#include "kernels/schemes/lagrange_dalembert.hpp"

namespace livens::inline LIVENS_ISA {

template <GeneralContactSystem System>
using GeneralLagrangeDalembert = GeneralContactForm<System, LagrangeDalembertRule>;

}  // namespace livens::inline LIVENS_ISA
