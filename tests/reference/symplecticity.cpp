// dq1.dp2 - dq2.dp1 of two variations of the solution is conserved by the variational integrators. With p0
// in place of p1 behind W in (41b), as printed, ggl_vi misses this by 3e-4 to 3e-2.

#include "runs.hpp"

namespace livens::reference {
namespace {

class Symplecticity : public ::testing::TestWithParam<Pair> {};

TEST_P(Symplecticity, OfOneStepOnTheConstraintManifold) {
  const auto [system, scheme] = GetParam();
  const Model model = general_model(system);
  const State state = general_state(model);
  const Eigen::Index d = state.q.size();
  constexpr double displacement = 1e-4;

  // The nodes 0 and 5 of two runs displaced to either side; few steps, for the defect of each to add up.
  struct Variation {
    VectorXd dq0, dp0, dq1, dp1;
  };
  const auto variation = [&](double phase) {
    std::vector<std::vector<Node>> sides;
    for (const double side : {-displacement, displacement}) {
      State displaced = state;
      for (Eigen::Index i = 0; i < d; ++i) {
        displaced.q[i] += side * std::sin(phase + 2.3 * static_cast<double>(i));
        displaced.v[i] += side * std::cos(phase + 1.7 * static_cast<double>(i));
      }
      sides.push_back(run(model, {scheme, 0.05, 0.0}, project(model, displaced), 5));
    }
    const auto difference = [&](const VectorXd& a, const VectorXd& b) {
      return VectorXd((b - a) / (2.0 * displacement));
    };
    return Variation{difference(sides[0].front().q, sides[1].front().q),
                     difference(sides[0].front().p, sides[1].front().p),
                     difference(sides[0].back().q, sides[1].back().q),
                     difference(sides[0].back().p, sides[1].back().p)};
  };
  const Variation a = variation(0.3), b = variation(1.9);
  const double before = a.dq0.dot(b.dp0) - b.dq0.dot(a.dp0), after = a.dq1.dot(b.dp1) - b.dq1.dot(a.dp1);
  const double scale = a.dq1.norm() * b.dp1.norm() + b.dq1.norm() * a.dp1.norm();
  // Central differences err by displacement^2 = 1e-8 times third derivatives (hundreds), against a defect
  // of 3e-4 or more.
  EXPECT_NEAR(after, before, 1e-5 * scale);
  EXPECT_GT(std::abs(before), 1e-2 * scale) << "the two variations say something";
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Symplecticity, ::testing::ValuesIn(pairs({"ggl_vi", "del_nullspace"})),
                         pair_name);

}  // namespace
}  // namespace livens::reference
