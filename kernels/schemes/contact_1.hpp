#pragma once
// Herglotz contact integrator of first order: herglotz-nonholonomic (3.3)-(3.4) with z at the start of a step
// only, r = 0. Two readings of "first order":
//   endpoint   s = 0: T and the constraint at q0, too; (4.7) for the Foucault pendulum. Standard for constant
//              M: with M(q) the momentum of a step is off by O(h) and a disk in steps of 0.1 s falls over.
//   left_z     s = 1/2: remark 3.1 to the letter, of order 2 without damping. Standard for M(q).

#include "kernels/schemes/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

struct Contact1Description {
  enum class Variant { endpoint, left_z };
  static constexpr const char* variants[] = {"endpoint", "left_z"};
  static constexpr WordOption<Variant> variant = {
      {.name = "variant",
       .place = 1,
       .meaning = "T and the constraint at the start of the step, or at its middle",
       .standard = of_system,
       .expected = "endpoint where M is constant, left_z where it is not",
       .words = variants}};
  static constexpr SchemeOption options[] = {start_option, variant};
  static constexpr SchemeInfo info = {
      .name = "contact_1",
      .meaning = "Herglotz contact integrator, first order",
      .paper = "herglotz-nonholonomic, (3.3)-(3.4), (4.7)",
      .needs = "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
      .order = 1,
      .options = options,
      .runs_on = on_contact,
      .composable = [](const Settings&, bool) -> Composable {
        return {
            0,
            "it is not its own adjoint: the action damps by its value at the start of a step; contact_2 is"};
      }};
};

struct Contact1Rule {
  static constexpr int has_action = 1;
  static constexpr const SchemeInfo& info() { return Contact1Description::info; }
  template <class Scalar>
  static LIVENS_HD ContactWeights<Scalar> weights(const Settings& settings, bool constant_mass,
                                                  const Scalar& alpha_h) {
    using Variant = Contact1Description::Variant;
    const Variant variant = settings.value<Contact1Description::variant>();
    const bool given = variant == Variant::endpoint || variant == Variant::left_z;
    const bool endpoint = given ? variant == Variant::endpoint : constant_mass;
    return herglotz_weights(endpoint ? 0.0 : 0.5, 0.0, alpha_h);
  }
};

template <ContactSystem System>
using Contact1 = ContactForm<System, Contact1Rule>;

}  // namespace livens::inline LIVENS_ISA
