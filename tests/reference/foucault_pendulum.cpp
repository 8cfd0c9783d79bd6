// contact_2 on the Foucault pendulum against the exact solution (herglotz.md section 3): the plane turns at
// -w, w = Omega sin(latitude), and in it
//   rho'' + alpha rho' + (g/l - w^2) rho = 0,   lambda_(3.1) = -m w (2 rho'/rho + alpha).

#include <numbers>

#include "runs.hpp"

namespace livens::reference {
namespace {

struct Exact {
  double m, l, w, alpha;
  double nu = std::sqrt(9.81 / l - w * w - alpha * alpha / 4.0), rho0 = l / 100.0;

  double rho(double t) const {
    return rho0 * std::exp(-alpha * t / 2.0) * (std::cos(nu * t) + alpha / (2.0 * nu) * std::sin(nu * t));
  }
  double rate(double t) const {
    return -rho0 * std::exp(-alpha * t / 2.0) * (nu + alpha * alpha / (4.0 * nu)) * std::sin(nu * t);
  }
  Eigen::Vector2d q(double t) const { return rho(t) * Eigen::Vector2d(std::sin(w * t), std::cos(w * t)); }
  Eigen::Vector2d v(double t) const {
    return rate(t) * Eigen::Vector2d(std::sin(w * t), std::cos(w * t)) +
           w * rho(t) * Eigen::Vector2d(std::cos(w * t), -std::sin(w * t));
  }
  double lambda(double t) const { return -m * w * (2.0 * rate(t) / rho(t) + alpha); }
};

const Model model = general_model("foucault_pendulum");
const Exact exact{.m = 2.0, .l = 5.0, .w = 0.2 * std::sin(49.0 * std::numbers::pi / 180.0), .alpha = 0.1};

std::vector<Node> pendulum(double end, int steps) {
  return run(model, {"contact_2", end / steps, 0.0}, project(model, default_state(model)), steps);
}

TEST(FoucaultPendulum, ProjectionMakesTheRestStateConsistent) {
  const State state = project(model, default_state(model));
  EXPECT_NEAR(state.v[0], exact.w * 5.0 / 100.0, 4.0 * eps);
  EXPECT_EQ(state.v[1], 0.0);
}

double position_error(const Node& node) { return (node.q - exact.q(node.time)).norm(); }
double velocity_error(const Node& node) { return (node.v - exact.v(node.time)).norm(); }

// 0.9 s: short of the rest position, which is reached at 1.1 s.
TEST(FoucaultPendulum, ConvergesToTheExactSolutionWithOrderTwo) {
  const Node coarse = pendulum(0.9, 100).back(), fine = pendulum(0.9, 200).back();
  EXPECT_NEAR(std::log2(position_error(coarse) / position_error(fine)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(velocity_error(coarse) / velocity_error(fine)), 2.0, 0.05);
}

// At the rest position A vanishes and the plane turns by an error of order w h^2 rho'/|q| of the nearest
// node: how near that comes is chance, so the error over h^2 stays bounded but has no limit. Seen: 0.008 to
// 0.015 over ten step sizes, 0.006 before the passage.
TEST(FoucaultPendulum, StaysOfOrderTwoThroughTheRestPosition) {
  for (const int steps : {100, 141, 200, 283, 400, 566, 800}) {
    const double h = 3.0 / steps;
    EXPECT_LT(position_error(pendulum(3.0, steps).back()), 0.03 * h * h) << steps;
  }
}

// On the real earth w is so small that this error is not seen: eight passages in 60 s.
TEST(FoucaultPendulum, OfThePaperHasOrderTwo) {
  const Model paper{"foucault_pendulum", {}};
  const Exact solution{
      .m = 28.0, .l = 67.0, .w = 7.292115e-5 * std::sin(49.0 * std::numbers::pi / 180.0), .alpha = 1e-4};
  const auto error = [&](int steps) {
    return (run(paper, {"contact_2", 60.0 / steps, 0.0}, project(paper, default_state(paper)), steps)
                .back()
                .q -
            solution.q(60.0))
        .norm();
  };
  EXPECT_NEAR(std::log2(error(400) / error(800)), 2.0, 0.02);
}

// herglotz.md section 5, item 11: -(1 + alpha h/2) lambda_j is the multiplier at t_j to order two. At node
// j+1 stands lambda_j.
TEST(FoucaultPendulum, MultiplierIsThatOfTheDifferentialEquationUpToSignAndFactor) {
  const auto error = [&](int steps) {
    const double end = 0.5, h = end / steps;
    const Node node = pendulum(end, steps).back();
    return std::abs((1.0 + exact.alpha * h / 2.0) * node.lambda[0] + exact.lambda(end - h));
  };
  EXPECT_NEAR(std::log2(error(100) / error(200)), 2.0, 0.1);
}

// E_n - E_0 + D - W with the trapezoidal rule (g) for the work. Without the work, or with the other sign, the
// error would not vanish with h.
TEST(FoucaultPendulum, EnergyBalanceHoldsWithTheWorkOfTheAffineConstraint) {
  const auto imbalance = [&](int steps) {
    const auto nodes = pendulum(0.9, steps);
    return std::abs(nodes.back().energy - nodes[0].energy + nodes.back().dissipated - nodes.back().work);
  };
  const auto nodes = pendulum(0.9, 1600);
  EXPECT_GT(std::abs(nodes.back().work), 20.0 * imbalance(1600));
  EXPECT_NEAR(std::log2(imbalance(800) / imbalance(1600)), 2.0, 0.1);
}

// z' = L with L = T - V - alpha z, integrated on the exact solution by Simpson's rule in w = exp(alpha t) z.
TEST(FoucaultPendulum, ActionVariableHasOrderTwo) {
  const double end = 1.0;
  const auto integrand = [&](double t) {
    const double T = 0.5 * exact.m * exact.v(t).squaredNorm(),
                 V = 0.5 * exact.m * 9.81 / exact.l * exact.q(t).squaredNorm();
    return std::exp(exact.alpha * t) * (T - V);
  };
  double integral = 0.0;
  const int panels = 1000;  // error of order (1e-3)^4
  for (int i = 0; i < panels; ++i) {
    const double a = end * i / panels, b = end * (i + 1) / panels;
    integral += (b - a) / 6.0 * (integrand(a) + 4.0 * integrand(0.5 * (a + b)) + integrand(b));
  }
  const double z = std::exp(-exact.alpha * end) * integral;
  const double coarse = std::abs(pendulum(end, 50).back().z - z),
               fine = std::abs(pendulum(end, 100).back().z - z);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

TEST(FoucaultPendulum, VelocityAtTheNodesSatisfiesTheConstraint) {
  const auto nodes = pendulum(5.0, 500);
  // Terms of A v + b: |q| |v| and w |q|^2, all below 0.05 * 0.1.
  EXPECT_LT(largest(nodes, [](const Node& node) { return node.velocity_constraint; }),
            16.0 * eps * 0.05 * 0.1);
}

}  // namespace
}  // namespace livens::reference
