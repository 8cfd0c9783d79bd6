// Order of convergence of positions and velocities, by self-comparison on three step sizes.

#include <Eigen/LU>

#include "reference/system.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

class Order : public ::testing::TestWithParam<Pair> {};

// With e(h) = x_h - x_{h/2} at a fixed time, log2 |e(h)|/|e(h/2)| = p + O(h): at these steps within 0.1 of p.
TEST_P(Order, IsThatOfThePaper) {
  const auto [system, scheme] = GetParam();
  const Model model = general_model(system);
  const State initial = general_state(model);
  const auto end = [&](int steps) {
    const Node node = run(model, {scheme, 0.5 / steps, 0.0}, initial, steps).back();
    VectorXd x(node.q.size() + node.v.size());
    x << node.q, node.v;
    return x;
  };
  const int coarse = 100;
  const VectorXd x1 = end(coarse), x2 = end(2 * coarse), x4 = end(4 * coarse);
  const double order = std::log2((x1 - x2).norm() / (x2 - x4).norm());
  EXPECT_NEAR(order, scheme == "ggl_vi" ? 1.0 : 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, Order, ::testing::ValuesIn(pairs()), pair_name);

class Limit : public ::testing::TestWithParam<std::string> {};

// All schemes of a system approach the same motion: ems and del_nullspace differ by O(h^2), ggl_vi from
// them by O(h).
TEST_P(Limit, IsTheSameForAllSchemes) {
  const Model model = general_model(GetParam());
  const State initial = general_state(model);
  const auto distance = [&](const std::string& scheme, int steps) {
    const Options options{scheme, 0.5 / steps, 0.0}, ems{"ems", 0.5 / steps, 0.0};
    return (run(model, options, initial, steps).back().q - run(model, ems, initial, steps).back().q).norm();
  };
  EXPECT_NEAR(distance("del_nullspace", 50) / distance("del_nullspace", 100), 4.0, 0.3);
  EXPECT_NEAR(distance("ggl_vi", 50) / distance("ggl_vi", 100), 2.0, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Limit, ::testing::Values("four_particle", "double_spherical_pendulum"));

class Multiplier : public ::testing::TestWithParam<Pair> {};

// The multiplier of M q'' = -DV - G^T lambda with G q'' + D(G v) v = 0; (14) of del_nullspace has the other
// sign. Those of the first steps approach it with O(h), at the first also where it stands for half a step.
TEST_P(Multiplier, ApproachesThatOfTheDifferentialEquation) {
  const auto [name, scheme] = GetParam();
  const Model model = general_model(name);
  const System system = make_system(model);
  const State start = general_state(model);
  const MatrixXd G = constraint_jacobian(system, start.q), Minv = mass_matrix(system, start.q).inverse();
  const VectorXd curvature = derivative_along(
      [&](const auto& q) { return constraint_rate(system, q, constant(start.v)); }, start.q, start.v);
  const VectorXd force = potential_gradient(system, start.q);
  const VectorXd lambda = (G * Minv * G.transpose()).inverse() * (curvature - G * Minv * force);
  const double sign = scheme == "del_nullspace" ? -1.0 : 1.0;
  for (const int n : {1, 2}) {
    const auto error = [&](double h) {
      return (run(model, {scheme, h, 0.0}, start, n).back().lambda - sign * lambda).norm();
    };
    EXPECT_NEAR(error(2e-3) / error(1e-3), 2.0, 0.1) << "node " << n;
    EXPECT_LT(error(1e-3), 0.1 * lambda.norm()) << "node " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Multiplier,
                         ::testing::ValuesIn(pairs({"ggl_vi", "ems", "del_nullspace"})), pair_name);

}  // namespace
}  // namespace livens::reference
