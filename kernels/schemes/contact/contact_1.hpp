#pragma once
// Herglotz contact integrator of first order: herglotz-nonholonomic (3.3)-(3.4) with z at the start of a step
// only, r = 0. Two readings of "first order":
//   endpoint   s = 0: T and the constraint at q0, too; (4.7) for the Foucault pendulum. Standard for constant
//              M: with M(q) the momentum of a step is off by O(h) and a disk in steps of 0.1 s falls over.
//   left_z     s = 1/2: remark 3.1 to the letter, of order 2 without damping. Standard for M(q).

#include "kernels/schemes/contact/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

struct Contact1Description {
  static constexpr NamedVariant variants[] = {{"endpoint", Variant::endpoint}, {"left_z", Variant::left_z}};
  static constexpr SchemeInfo info = {"contact_1",
                                      "Herglotz contact integrator, first order",
                                      "herglotz-nonholonomic, (3.3)-(3.4), (4.7)",
                                      "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
                                      1,
                                      {},
                                      false,
                                      variants,
                                      true};
};

struct Contact1Rule {
  static constexpr int has_action = 1;
  static constexpr const SchemeInfo& info() { return Contact1Description::info; }
  template <class Scalar>
  static LIVENS_HD ContactWeights<Scalar> weights(Variant variant, bool constant_mass,
                                                  const Scalar& alpha_h) {
    const Variant standard = constant_mass ? Variant::endpoint : Variant::left_z;
    const Variant chosen = variant == Variant::standard ? standard : variant;
    return herglotz_weights(chosen == Variant::endpoint ? 0.0 : 0.5, 0.0, alpha_h);
  }
};

template <ContactSystem System>
using Contact1 = ContactForm<System, Contact1Rule>;

}  // namespace livens::inline LIVENS_ISA
