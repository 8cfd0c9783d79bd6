// Herglotz contact integrators of order 1 with nonholonomic constraints. Paper: herglotz-nonholonomic, (3.4)
// with remark 3.1: the action enters L_d by its value at the start of the step alone, D3 L_d = -alpha,
// D4 L_d = 0 (r = 0 in nonholonomic_step.hpp). Two variants:
//   endpoint  (4.6), (4.7): T and the constraint at (q0, (q1-q0)/h), s = c = 0
//   left_z    remark 3.1 to the letter: both at the midpoint as in contact_2, s = c = 1/2; of order 2 where
//             alpha = 0
// Standard: endpoint, as printed for the Foucault pendulum; left_z where M depends on q, as an inertia taken
// at the start of a step makes the steps of the paper too long for the disk.

#include "../nonholonomic_step.hpp"

namespace livens::reference {
namespace {

Point contact_1_step(const System& system, const Options& options, const Point& node) {
  const double alpha = system.action_damping;
  const bool endpoint =
      options.word("variant", system.mass_coordinates == 0 ? "endpoint" : "left_z") == "endpoint";
  const double place = endpoint ? 0.0 : 0.5;
  return nonholonomic_step(
      system, options, {.s = place, .c = place, .D3 = -alpha, .D4 = 0.0, .minus = 0.0, .plus = 0.0}, node);
}

}  // namespace

Scheme contact_1() {
  return {.name = "contact_1",
          .runs = is_nonholonomic,
          .step = contact_1_step,
          .legendre = nonholonomic_legendre,
          .has_action = true,
          .options = {{"start", {"legendre", "naive"}}, {"variant", {"endpoint", "left_z"}}}};
}

}  // namespace livens::reference
