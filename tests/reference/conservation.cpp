// Constraints, momentum maps, energy and time reversal.

#include <Eigen/LU>

#include "reference/system.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

constexpr double h = 0.01;

class Conservation : public ::testing::TestWithParam<Pair> {
 protected:
  const Model model = general_model(GetParam().system);
  const System system = make_system(model);
  const State initial = general_state(model);
  const int steps = GetParam().system == "double_four_bar" ? 20 : 200;  // 118 to 148 unknowns
  const Options options{GetParam().scheme, h, 0.0};
  const std::vector<Node> nodes = run(model, options, initial, steps);

  double largest_norm(const VectorXd Node::*x) const {
    return largest(nodes, [=](const Node& node) { return (node.*x).norm(); });
  }
  double change_of_momentum(const std::vector<Node>& nodes) const {
    return largest(nodes, [&](const Node& node) {
      return (node.momentum - nodes[0].momentum).lpNorm<Eigen::Infinity>();
    });
  }
  // A step leaves an error of some eps in the scaled row h M^-1 (..), hence M eps |q| / h in the momentum,
  // and |q| times that in J.
  double momentum_rounding() const {
    const double J =
        largest(nodes, [](const Node& node) { return node.q.norm() * (node.q.norm() / h + node.p.norm()); });
    return std::sqrt(steps) * 16.0 * eps * J;
  }
  // The energy error of a step is v.r with a residual r of some eps |M||q|/h, see above.
  double energy_rounding(const std::vector<Node>& nodes) const {
    return std::sqrt(steps) * 16.0 * eps *
           (energy_terms(nodes) + largest_norm(&Node::p) * largest_norm(&Node::q) / h);
  }
  double velocity_constraint_rounding() const {
    const double q = largest_norm(&Node::q);
    return 64.0 * eps * q * (largest_norm(&Node::v) + q / h);
  }
};

// g = 0 is solved anew in every step; del_nullspace composes its exponential maps, whose rounding adds up.
TEST_P(Conservation, PositionConstraintToRoundOff) {
  const double q = largest_norm(&Node::q);
  const double rounding = GetParam().scheme == "del_nullspace" ? steps * eps * q * q : 64.0 * eps * q * q;
  const bool at_nodes = GetParam().scheme != "vi_a";
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    const VectorXd at = at_nodes ? nodes[n].q : VectorXd(0.5 * (nodes[n - 1].q + nodes[n].q));
    for (const double g : system.constraint(at)) ASSERT_LT(std::abs(g), rounding) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Conservation,
                         ::testing::ValuesIn(pairs({"ggl_vi", "vi_a", "vi_b", "ems", "ggl_mp", "livens",
                                                    "del_multiplier", "del_nullspace", "rattle"})),
                         pair_name);

class VelocityConstraint : public Conservation {};

// At the nodes, where it is part of the scheme.
TEST_P(VelocityConstraint, ToRoundOff) {
  EXPECT_LT(largest(nodes, [](const Node& node) { return node.velocity_constraint; }),
            velocity_constraint_rounding());
}

INSTANTIATE_TEST_SUITE_P(Holonomic, VelocityConstraint,
                         ::testing::ValuesIn(pairs({"vi_b", "ems", "ggl_mp", "rattle"})), pair_name);

class VelocityConstraintBetween : public Conservation {};

// ggl_vi: at qb = q0 + h v, with M v = p1 + h W M^-1 p1; vi_a and livens: at the mean position. The velocity
// of vi_a there is the mean of M^-1 p, that of livens Dq/h.
TEST_P(VelocityConstraintBetween, ToRoundOff) {
  const MatrixXd Minv = metric(system, initial.q).inverse();
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    const Node &before = nodes[n - 1], &node = nodes[n];
    VectorXd q = 0.5 * (before.q + node.q), u = 0.5 * (before.v + node.v);
    if (GetParam().scheme == "ggl_vi") {
      u = Minv * node.p;
      q = before.q + h * Minv * (node.p + h * constraint_curvature(system, before.q, node.gamma, u));
    }
    for (const double gv : constraint_rate(system, q, u)) {
      ASSERT_LT(std::abs(gv), velocity_constraint_rounding()) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Holonomic, VelocityConstraintBetween,
                         ::testing::ValuesIn(pairs({"ggl_vi", "vi_a", "livens"})), pair_name);

class MomentumMap : public Conservation {};

TEST_P(MomentumMap, ToRoundOff) {
  ASSERT_GT(nodes[0].momentum.size(), 0);
  EXPECT_LT(change_of_momentum(nodes), momentum_rounding());
}

INSTANTIATE_TEST_SUITE_P(Holonomic, MomentumMap,
                         ::testing::ValuesIn(without("double_four_bar",
                                                     pairs({"ggl_vi", "vi_a", "vi_b", "ems", "del_multiplier",
                                                            "del_nullspace", "rattle"}))),
                         pair_name);

class GeneralisedEnergy : public Conservation {};

TEST_P(GeneralisedEnergy, ToRoundOff) {
  const auto change = [](const std::vector<Node>& nodes) {
    return largest(nodes, [&](const Node& node) { return std::abs(node.energy - nodes[0].energy); });
  };
  EXPECT_LT(change(nodes), energy_rounding(nodes));
  if (GetParam().scheme != "livens") return;
  Options by_invariants = options;
  by_invariants.given["derivative"] = "invariants";
  const auto equivariant = run(model, by_invariants, initial, steps);
  EXPECT_LT(change(equivariant), energy_rounding(equivariant));
  if (nodes[0].momentum.size() == 0) return;
  EXPECT_LT(change_of_momentum(equivariant), momentum_rounding());
}

INSTANTIATE_TEST_SUITE_P(AllSystems, GeneralisedEnergy, ::testing::ValuesIn(pairs({"ems", "livens"})),
                         pair_name);

class Reversal : public Conservation {};

// There and back. Their round-off of each step, condition x eps |q| / h in velocities, grows by `growth` on
// the way at most; 64 for the operations behind an unknown. ggl_vi, which is not symmetric but for free
// motion on the circle, tells what else there could be.
TEST_P(Reversal, OfASymmetricSchemeReturnsToTheStart) {
  const int steps = 20;
  const auto there_and_back = [&](const std::string& scheme) {
    const Node there = run(model, {scheme, h, 0.0}, initial, steps).back();
    const Node back = run(model, {scheme, h, 0.0}, {there.q, -there.v}, steps).back();
    return (back.q - initial.q).lpNorm<Eigen::Infinity>();
  };
  Integrator integrator(model, options, initial);
  integrator.advance();
  const double bound = 64.0 * eps * std::sqrt(steps) * integrator.condition() *
                       growth(model, options, initial, steps) * initial.q.norm() / h;
  EXPECT_LT(there_and_back(GetParam().scheme), bound);
  EXPECT_LT(bound, 0.01 * there_and_back("ggl_vi"));
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Reversal,
                         ::testing::ValuesIn(without("unit_circle",
                                                     pairs({"vi_a", "ems", "ggl_mp", "livens",
                                                            "del_multiplier", "del_nullspace", "rattle"},
                                                           "ggl_vi"))),
                         pair_name);

}  // namespace
}  // namespace livens::reference
