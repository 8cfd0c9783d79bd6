#pragma once
// Herglotz contact integrator of second order: herglotz-nonholonomic (3.3)-(3.4) with T and the constraint at
// the midpoint, s = 1/2, and alpha (z0 + z1)/2, r = 1/2; (A.1)-(A.5) for the rolling disk.

#include "kernels/schemes/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

struct Contact2Description {
  static constexpr SchemeOption options[] = {start_option};
  static constexpr SchemeInfo info = {
      .name = "contact_2",
      .meaning = "Herglotz contact integrator, second order",
      .paper = "herglotz-nonholonomic, (3.3)-(3.4), appendix A",
      .needs = "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
      .order = 2,
      .options = options,
      .runs_on = on_contact,
      .composable = composable_from_momenta};
};

struct Contact2Rule {
  static constexpr int has_action = 1;
  static constexpr const SchemeInfo& info() { return Contact2Description::info; }
  template <class Scalar>
  static LIVENS_HD ContactWeights<Scalar> weights(const Settings&, bool, const Scalar& alpha_h) {
    return herglotz_weights(0.5, 0.5, alpha_h);
  }
};

template <ContactSystem System>
using Contact2 = ContactForm<System, Contact2Rule>;

}  // namespace livens::inline LIVENS_ISA
