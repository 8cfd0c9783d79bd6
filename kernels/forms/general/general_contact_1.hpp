#pragma once
// contact_1 for any mechanism with a regular M: general_contact.hpp.

#include "kernels/forms/general/general_contact.hpp"
#include "kernels/schemes/contact_1.hpp"

namespace livens::inline LIVENS_ISA {

template <GeneralContactSystem System>
using GeneralContact1 = GeneralContactForm<System, Contact1Rule>;

}  // namespace livens::inline LIVENS_ISA
