#pragma once
// Nonholonomic integrator of Cortes and Martinez, the damping a force -alpha dT/dv: herglotz-nonholonomic
// (2.4).
//   endpoint    s = 0: T, constraint and force at q0; (4.4) for the Foucault pendulum. Standard.
//   symmetric   s = 1/2: all at the midpoint, of order 2.
// Its multiplier is unscaled as in (4.7): lambda_1/h of (4.4).

#include "kernels/schemes/contact_form.hpp"

namespace livens::inline LIVENS_ISA {

struct LagrangeDalembertDescription {
  enum class Variant { endpoint, symmetric };
  static constexpr const char* variants[] = {"endpoint", "symmetric"};
  static constexpr WordOption<Variant> variant = {
      {.name = "variant",
       .place = 1,
       .meaning = "T, constraint and force at the start of the step, or at its middle",
       .standard = static_cast<double>(Variant::endpoint),
       .words = variants}};
  static constexpr SchemeOption options[] = {start_option, variant};
  static constexpr SchemeInfo info = {
      .name = "lagrange_dalembert",
      .meaning = "nonholonomic integrator of Cortes and Martinez",
      .paper = "herglotz-nonholonomic, (2.4), (4.4)",
      .needs = "nonholonomic constraints A(q) v + b(q) = 0 and a contact Lagrangian",
      .order = 1,
      .options = options,
      .runs_on = on_contact,
      .composable = [](const Settings& settings, bool regular_mass) -> Composable {
        if (settings.value<variant>() == Variant::symmetric)
          return composable_from_momenta(settings, regular_mass);
        return {0,
                "with variant = \"endpoint\" it is not its own adjoint; with variant = \"symmetric\" it is"};
      }};
};

struct LagrangeDalembertRule {
  static constexpr int has_action = 0;
  static constexpr const SchemeInfo& info() { return LagrangeDalembertDescription::info; }
  template <class Scalar>
  static LIVENS_HD ContactWeights<Scalar> weights(const Settings& settings, bool, const Scalar& alpha_h) {
    const bool symmetric = settings.value<LagrangeDalembertDescription::variant>() ==
                           LagrangeDalembertDescription::Variant::symmetric;
    return dalembert_weights(symmetric ? 0.5 : 0.0, alpha_h);
  }
};

template <ContactSystem System>
using LagrangeDalembert = ContactForm<System, LagrangeDalembertRule>;

}  // namespace livens::inline LIVENS_ISA
