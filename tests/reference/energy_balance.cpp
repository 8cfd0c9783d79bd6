// E_n - E_0 + dissipated energy, with viscous elements beside the springs of the four particles.

#include "runs.hpp"

namespace livens::reference {
namespace {

constexpr double end = 1.0;

double largest_imbalance(const std::vector<Node>& nodes) {
  return largest(nodes,
                 [&](const Node& node) { return std::abs(node.energy - nodes[0].energy + node.dissipated); });
}

std::vector<Node> damped(const std::string& scheme, int steps) {
  Model model = general_model("four_particle");
  model.parameters["damping"] = {0.3, 0.7};
  return run(model, {scheme, end / steps, 0.0}, general_state(model), steps);
}

// holonomic.md section 10: exact in every step; the round-off is that of the undamped energy
// (conservation.cpp).
TEST(EnergyBalance, OfEmsIsExact) {
  const auto nodes = damped("ems", 100);
  const double terms = energy_terms(nodes) + nodes[0].p.norm() * nodes[0].q.norm() * 100.0 / end;
  EXPECT_GT(nodes.back().dissipated, 0.1);
  EXPECT_LT(largest_imbalance(nodes), 10.0 * 16.0 * eps * terms);
}

// The variational integrators keep the balance to their order: halving h divides its error by 2^order, up
// to O(h).
TEST(EnergyBalance, OfTheVariationalIntegratorsIsOfTheirOrder) {
  EXPECT_NEAR(std::log2(largest_imbalance(damped("ggl_vi", 200)) / largest_imbalance(damped("ggl_vi", 400))),
              1.0, 0.15);
  EXPECT_NEAR(std::log2(largest_imbalance(damped("del_nullspace", 200)) /
                        largest_imbalance(damped("del_nullspace", 400))),
              2.0, 0.15);
}

// A step dissipates h v.C v >= 0.
TEST(EnergyBalance, DissipationNeverDecreases) {
  for (const std::string scheme : {"ems", "ggl_vi", "del_nullspace"}) {
    const auto nodes = damped(scheme, 100);
    for (std::size_t n = 1; n < nodes.size(); ++n)
      EXPECT_GE(nodes[n].dissipated, nodes[n - 1].dissipated) << scheme;
  }
}

}  // namespace
}  // namespace livens::reference
