#pragma once
// contact_2 for any mechanism with a regular M: general_contact.hpp.

#include "kernels/forms/general/general_contact.hpp"
#include "kernels/schemes/contact_2.hpp"

namespace livens::inline LIVENS_ISA {

template <GeneralContactSystem System>
using GeneralContact2 = GeneralContactForm<System, Contact2Rule>;

}  // namespace livens::inline LIVENS_ISA
