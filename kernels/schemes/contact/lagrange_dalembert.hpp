#pragma once
// Nonholonomic integrator of Cortes and Martinez, the damping a force -alpha dT/dv: herglotz-nonholonomic
// (2.4).
//   endpoint    s = 0: T, constraint and force at q0; (4.4) for the Foucault pendulum. Standard.
//   symmetric   s = 1/2: all at the midpoint, of order 2.
// Its multiplier is unscaled as in (4.7): lambda_1/h of (4.4).

#include "kernels/schemes/contact/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

struct LagrangeDalembertDescription {
  static constexpr NamedVariant variants[] = {{"endpoint", Variant::endpoint},
                                              {"symmetric", Variant::symmetric}};
  static constexpr SchemeInfo info = {"lagrange_dalembert",
                                      "nonholonomic integrator of Cortes and Martinez",
                                      "herglotz-nonholonomic, (2.4), (4.4)",
                                      "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
                                      1,
                                      {},
                                      false,
                                      variants,
                                      true};
};

struct LagrangeDalembertRule {
  static constexpr int has_action = 0;
  static constexpr const SchemeInfo& info() { return LagrangeDalembertDescription::info; }
  template <class Scalar>
  static LIVENS_HD ContactWeights<Scalar> weights(Variant variant, bool, const Scalar& alpha_h) {
    return dalembert_weights(variant == Variant::symmetric ? 0.5 : 0.0, alpha_h);
  }
};

template <ContactSystem System>
using LagrangeDalembert = ContactForm<System, LagrangeDalembertRule>;

}  // namespace livens::inline LIVENS_ISA
