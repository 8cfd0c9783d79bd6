// livens where M is singular or depends on the configuration. Paper: livens-energy-consistent section 6.

#include "runs.hpp"

namespace livens::reference {
namespace {

std::vector<Node> paper(const std::string& system, double h, int steps, bool invariants, double tolerance) {
  const Model model{system, {}};
  Options options{"livens", h, tolerance};
  options.given["derivative"] = invariants ? "invariants" : "plain";
  return run(model, options, default_state(model), steps);
}

// systems.md, with eight digits behind the point.
TEST(SpringPendulum, EndsAtTheDocumentedPosition) {
  const VectorXd q = paper("spring_pendulum", 0.01, 100, false, 0.0).back().q;
  expect_printed(q[0], "1.02215969", "r");
  expect_printed(q[1], "2.35597075", "theta");
  expect_printed(q[2], "1.54143495", "phi");
}

// holonomic.md section 7; figures 7 and 8 of the paper.
TEST(SpringPendulum, ConservesTheGeneralisedEnergyAndNotTheTotal) {
  const auto nodes = paper("spring_pendulum", 0.01, 100, false, 0.0);
  EXPECT_LT(largest_step(nodes, &Node::energy), 1e-14);
  expect_printed(largest_step(nodes, &Node::total_energy), "4.3e-5", "Etot in a step");
  EXPECT_NEAR(mean_iterations(paper("spring_pendulum", 0.01, 100, false, 1e-12)), 2.1, 0.5);
}

// The discrete derivative (26) takes part of its correction along phi, by invariants it does not.
TEST(SpringPendulum, ConservesTheMomentumByInvariantsOnly) {
  const auto change = [](const std::vector<Node>& nodes) {
    return largest(nodes,
                   [&](const Node& node) { return std::abs(node.momentum[0] - nodes[0].momentum[0]); });
  };
  const auto plain = paper("spring_pendulum", 0.01, 100, false, 0.0),
             equivariant = paper("spring_pendulum", 0.01, 100, true, 0.0);
  EXPECT_GT(change(plain), 1e-5);
  EXPECT_LT(change(equivariant), 100 * 4.0 * eps);
  EXPECT_LT(largest_step(equivariant, &Node::energy), 1e-14);
}

// At a turning point of r the difference quotient of V is lost in rounding; the energy must not feel it. Each
// step rounds the terms of E, of size 2, some ten times.
TEST(SpringPendulum, ConservesTheGeneralisedEnergyThroughTurningPoints) {
  for (const bool invariants : {false, true}) {
    EXPECT_LT(largest_step(paper("spring_pendulum", 0.01, 10000, invariants, 0.0), &Node::energy), 1e-14);
  }
}

TEST(MassSpring, ConservesEnergyAndConstraints) {
  for (const bool invariants : {false, true}) {
    const auto nodes = paper("mass_spring", 0.1, 100, invariants, 0.0);
    EXPECT_LT(largest_step(nodes, &Node::energy), 2e-15) << "figure 3";
    EXPECT_LT(largest(nodes, [](const Node& node) { return node.constraint; }), 2e-15) << "figure 4";
    // q2 - x1 is constant, so the mean velocities satisfy G v = 0 to round-off /h; and so, one after the
    // other, do those of the nodes, whose errors alternate and add up.
    EXPECT_LT(largest(nodes, [](const Node& node) { return node.velocity_constraint; }),
              100 * 4.0 * eps / 0.1);
    EXPECT_NEAR(mean_iterations(paper("mass_spring", 0.1, 100, invariants, 1e-12)), 2.2, 0.5);
  }
}

// By invariants the discrete derivative is each coordinate's own difference quotient. In (30), eliminated:
// x2 is not reached by the constraint, m2 (v2+v3) its momentum.
TEST(MassSpring, ByInvariantsTakesDifferenceQuotients) {
  const auto nodes = paper("mass_spring", 0.1, 20, true, 0.0);
  const auto V2 = [](double x) { return 0.75 * (x * x + x * x * x * x); };
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    const Node &before = nodes[n - 1], &node = nodes[n];
    const double dx = node.q[2] - before.q[2], dV = V2(node.q[2]) - V2(before.q[2]);
    EXPECT_NEAR((node.p[2] - before.p[2]) * dx, -0.1 * dV, 64.0 * eps) << n;
  }
}

}  // namespace
}  // namespace livens::reference
