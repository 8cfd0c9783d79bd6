// Constraints, momentum maps, energy and time reversal.

#include "runs.hpp"

namespace livens::reference {
namespace {

constexpr int steps = 200;
constexpr double h = 0.01;

class Conservation : public ::testing::TestWithParam<Pair> {
 protected:
  const Model model = general_model(GetParam().system);
  const State initial = general_state(model);
  const Options options{GetParam().scheme, h, 0.0};
};

// ggl_vi and ems solve g = 0 anew in every step; del_nullspace composes its exponential maps, whose
// rounding adds up.
TEST_P(Conservation, PositionConstraintToRoundOff) {
  const auto nodes = run(model, options, initial, steps);
  const double q = largest(nodes, [](const Node& node) { return node.q.squaredNorm(); });
  const double rounding = GetParam().scheme == "del_nullspace" ? steps * eps * q : 64.0 * eps * q;
  EXPECT_LT(largest(nodes, [](const Node& node) { return node.constraint; }), rounding);
}

// A step leaves an error of some eps in the scaled row h M^-1 (..), hence M eps |q| / h in the momentum,
// and |q| times that in J.
TEST_P(Conservation, MomentumMapsToRoundOff) {
  const auto nodes = run(model, options, initial, steps);
  ASSERT_GT(nodes[0].momentum.size(), 0);
  const double J =
      largest(nodes, [](const Node& node) { return node.q.norm() * (node.q.norm() / h + node.p.norm()); });
  const double change = largest(
      nodes, [&](const Node& node) { return (node.momentum - nodes[0].momentum).lpNorm<Eigen::Infinity>(); });
  EXPECT_LT(change, std::sqrt(steps) * 16.0 * eps * J);
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Conservation,
                         ::testing::ValuesIn(pairs({"ggl_vi", "ems", "del_nullspace"})), pair_name);

class EnergyMomentum : public Conservation {};

// The energy error of a step is v.r with a residual r of some eps |M||q|/h, see above.
TEST_P(EnergyMomentum, EnergyAndVelocityConstraintToRoundOff) {
  const auto nodes = run(model, options, initial, steps);
  const double v = largest(nodes, [](const Node& node) { return node.v.norm(); });
  const double q = largest(nodes, [](const Node& node) { return node.q.norm(); });
  const double p = largest(nodes, [](const Node& node) { return node.p.norm(); });
  const double change =
      largest(nodes, [&](const Node& node) { return std::abs(node.energy - nodes[0].energy); });
  EXPECT_LT(change, std::sqrt(steps) * 16.0 * eps * (energy_terms(nodes) + p * q / h));
  EXPECT_LT(largest(nodes, [](const Node& node) { return node.velocity_constraint; }),
            64.0 * eps * (v * q + q * q / h));
}

INSTANTIATE_TEST_SUITE_P(Holonomic, EnergyMomentum, ::testing::ValuesIn(pairs({"ems"})), pair_name);

class Reversal : public Conservation {};

// There and back: ems and del_nullspace are symmetric. Their round-off of each step, condition x eps |q| /
// h in velocities, grows by `growth` on the way at most; 64 for the operations behind an unknown.
TEST_P(Reversal, ReturnsToTheStart) {
  Integrator there(model, options, initial);
  for (int n = 0; n < steps; ++n) there.advance();
  const double factor = growth(model, options, initial, steps);
  Integrator back(model, options, {there.node().q, -there.node().v});
  for (int n = 0; n < steps; ++n) back.advance();
  const double bound = 64.0 * eps * std::sqrt(steps) * there.condition() * factor * initial.q.norm() / h;
  EXPECT_LT((back.node().q - initial.q).lpNorm<Eigen::Infinity>(), bound);
  EXPECT_LT(bound, 1e-6) << "the bound says something: the truncation error of a step is larger";
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Reversal, ::testing::ValuesIn(pairs({"ems", "del_nullspace"})),
                         pair_name);

}  // namespace
}  // namespace livens::reference
