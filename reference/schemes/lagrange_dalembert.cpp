// Nonholonomic integrators of Cortes and Martinez with damping as a force, F = -alpha D_v T. Paper:
// herglotz-nonholonomic, (2.4), (4.4). Two variants:
//   endpoint   (4.4), order 1: T and the constraint at (q0, (q1-q0)/h), s = c = 0; F- = -h alpha D_v T, F+ =
//   0 symmetric  order 2: both at the midpoint, s = c = 1/2, and half of the force at each node
// Standard: endpoint. lambda is that of (4.4) divided by h, so that it compares with that of (4.7).

#include "../nonholonomic_step.hpp"

namespace livens::reference {
namespace {

Point lagrange_dalembert_step(const System& system, const Options& options, const Point& node) {
  const double alpha = system.action_damping, half = 0.5 * alpha;
  const NonholonomicRule rule =
      options.word("variant", "endpoint") == "symmetric"
          ? NonholonomicRule{.s = 0.5, .c = 0.5, .D3 = 0.0, .D4 = 0.0, .minus = half, .plus = half}
          : NonholonomicRule{.s = 0.0, .c = 0.0, .D3 = 0.0, .D4 = 0.0, .minus = alpha, .plus = 0.0};
  return nonholonomic_step(system, options, rule, node);
}

}  // namespace

Scheme lagrange_dalembert() {
  return {.name = "lagrange_dalembert",
          .runs = is_nonholonomic,
          .step = lagrange_dalembert_step,
          .legendre = nonholonomic_legendre,
          .options = {{"start", {"legendre", "naive"}}, {"variant", {"endpoint", "symmetric"}}}};
}

}  // namespace livens::reference
