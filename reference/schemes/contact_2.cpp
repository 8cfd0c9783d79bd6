// Herglotz contact integrator of order 2 with nonholonomic constraints. Paper: herglotz-nonholonomic, (3.2),
// (3.4) and the discretisation of appendix A: T and the constraint at the midpoint, s = c = 1/2, V, F and the
// action by the trapezoidal rule, so that D3 L_d = D4 L_d = -alpha/2 (r = 1/2 in nonholonomic_step.hpp) and
//   D1 L_d(q_j,q_{j+1}) + (1 - alpha h/2)/(1 + alpha h/2) D2 L_d(q_{j-1},q_j) = A(q_j)^T lambda_j

#include "../nonholonomic_step.hpp"

namespace livens::reference {
namespace {

Point contact_2_step(const System& system, const Options& options, const Point& node) {
  const double alpha = system.action_damping;
  return nonholonomic_step(
      system, options,
      {.s = 0.5, .c = 0.5, .D3 = -0.5 * alpha, .D4 = -0.5 * alpha, .minus = 0.0, .plus = 0.0}, node);
}

}  // namespace

Scheme contact_2() {
  return {.name = "contact_2",
          .runs = is_nonholonomic,
          .step = contact_2_step,
          .legendre = nonholonomic_legendre,
          .has_action = true,
          .options = {{"start", {"legendre", "naive"}}}};
}

}  // namespace livens::reference
