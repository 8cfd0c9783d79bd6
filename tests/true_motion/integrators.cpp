// reference_ode and reference_dae against exact solutions, conserved quantities, each other, and the limit of
// the schemes.

#include <numbers>

#include "tests/reference/runs.hpp"
#include "true_motion/true_motion.hpp"

namespace livens::true_motion {
namespace {

using namespace livens::reference;

std::vector<Node> follow(const Model& model, const std::string& scheme, const State& initial, double end,
                         int steps, double tolerance = 1e-12) {
  Integrator integrator(model, {scheme, end / steps, tolerance, 1e-2 * tolerance}, initial);
  std::vector<Node> nodes{integrator.node()};
  for (int n = 0; n < steps; ++n) nodes.push_back(integrator.advance());
  return nodes;
}

// A step may err by the tolerance in a mean over up to 26 entries, so that one of them errs by five times as
// much; at 1e-12 a period takes some 200 steps; up to ten periods.
constexpr double allowance = 1e4;

// herglotz.md section 3: q = rho(t)(sin wt, cos wt), through the rest position every half period.
TEST(ReferenceOde, IsTheExactFoucaultPendulum) {
  const Model model{"foucault_pendulum", {}};
  const double w = 7.292115e-5 * std::sin(49.0 * std::numbers::pi / 180.0), alpha = 1e-4;
  const double nu = std::sqrt(9.81 / 67.0 - w * w - alpha * alpha / 4.0);
  for (const Node& node : follow(model, "reference_ode", project(model, default_state(model)), 160.0, 16)) {
    const double t = node.time, rho = 0.67 * std::exp(-alpha * t / 2.0) *
                                      (std::cos(nu * t) + alpha / (2.0 * nu) * std::sin(nu * t));
    const Eigen::Vector2d exact = rho * Eigen::Vector2d(std::sin(w * t), std::cos(w * t));
    EXPECT_LT((node.q - exact).norm(), allowance * 1e-12) << t;
  }
}

// The automatic motion, which does not know that 0/0 is finite, needs the pendulum to miss the origin.
TEST(ReferenceOde, TakesInconsistentStates) {
  const Model model{"foucault_pendulum", {}};
  const State rest = default_state(model);  // qdot = 0 violates the constraint by w r^2
  const double violation = Integrator(model, {"reference_ode", 1.0}, rest).node().velocity_constraint;
  for (const Node& node : follow(model, "reference_ode", rest, 60.0, 6))
    EXPECT_NEAR(node.velocity_constraint, violation, allowance * 1e-12) << node.time;
}

class TrueMotion : public ::testing::TestWithParam<std::string> {};

// E - E_0 + D - W, momentum maps and constraints stay.
TEST_P(TrueMotion, OdeKeepsWhatIsConserved) {
  const Model model = general_model(GetParam());
  const auto nodes = follow(model, "reference_ode", general_state(model), 1.0, 4);
  for (const Node& node : nodes) {
    const double imbalance = node.energy - nodes[0].energy + node.dissipated - node.work;
    EXPECT_LT(std::abs(imbalance), allowance * 1e-12 * energy_terms(nodes)) << node.time;
    EXPECT_LT(node.constraint, allowance * 1e-12 * (1.0 + node.q.squaredNorm()));
    EXPECT_LT(node.velocity_constraint, allowance * 1e-12 * (1.0 + node.q.norm()) * (1.0 + node.v.norm()));
    if (node.momentum.size() > 0) {
      EXPECT_LT((node.momentum - nodes[0].momentum).norm(), allowance * 1e-12 * (1.0 + nodes[0].p.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, TrueMotion,
                         ::testing::Values("four_particle", "double_spherical_pendulum", "spring_pendulum",
                                           "unit_circle", "rolling_disk"));

class BothSolvers : public ::testing::TestWithParam<std::string> {};

// Two programs, two formulations: written out or automatic, with the multipliers eliminated or not.
TEST_P(BothSolvers, Agree) {
  const Model model = general_model(GetParam());
  const State initial = general_state(model);
  const double tolerance = 1e-9;
  const Node ode = follow(model, "reference_ode", initial, 1.0, 2).back(),
             dae = follow(model, "reference_dae", initial, 1.0, 2, tolerance).back();
  const double size = 1.0 + ode.q.norm() + ode.v.norm();
  EXPECT_LT((ode.q - dae.q).norm(), allowance * tolerance * size);
  EXPECT_LT((ode.v - dae.v).norm(), allowance * tolerance * size);
  EXPECT_LT((ode.lambda - dae.lambda).norm(), allowance * tolerance * size * (1.0 + ode.lambda.norm()));
  EXPECT_NEAR(ode.dissipated, dae.dissipated, allowance * tolerance * (1.0 + ode.energy));
  EXPECT_NEAR(ode.work, dae.work, allowance * tolerance * (1.0 + ode.energy));
}

INSTANTIATE_TEST_SUITE_P(Systems, BothSolvers,
                         ::testing::Values("four_particle", "double_spherical_pendulum", "rolling_disk"));

// A scheme of order two approaches this motion with h^2: the distance at h/2 is a quarter.
TEST(ReferenceOde, IsTheLimitOfContact2) {
  const Model model = general_model("rolling_disk");
  const State initial = general_state(model);
  const VectorXd q = follow(model, "reference_ode", initial, 0.5, 1).back().q;
  const auto distance = [&](int steps) {
    return (run(model, {"contact_2", 0.5 / steps, 0.0}, initial, steps).back().q - q).norm();
  };
  EXPECT_NEAR(std::log2(distance(100) / distance(200)), 2.0, 0.05);
}

// systems.md, experiment 2 with alpha = 0.1: at h = 0.1 theta stays within 0.034 of the motion over 20 s.
TEST(ReferenceOde, MatchesSecondExperiment) {
  const Model model{"rolling_disk", {{"damping", {0.1}}}};
  const State initial = default_state(model);
  const auto motion = follow(model, "reference_ode", initial, 20.0, 200),
             nodes = run(model, {"contact_2", 0.1, 0.0}, initial, 200);
  double difference = 0.0;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    difference = std::max(difference, std::abs(nodes[n].q[2] - motion[n].q[2]));
  expect_printed(difference, "0.034", "largest difference in theta");
}

TEST(Integrators, SayWhatTheyRun) {
  for (const std::string system :
       {"foucault_pendulum", "rolling_disk", "double_spherical_pendulum", "heavy_top"}) {
    EXPECT_TRUE(applicable({system, {}}, "reference_ode")) << system;
    EXPECT_TRUE(applicable({system, {}}, "reference_dae")) << system;
  }
  EXPECT_TRUE(applicable({"spring_pendulum", {}}, "reference_ode"));
  EXPECT_FALSE(applicable({"spring_pendulum", {}}, "reference_dae"));  // no constraints
  EXPECT_FALSE(applicable({"four_particle", {}}, "ems"));
  EXPECT_FALSE(applicable({"no_such_system", {}}, "reference_ode"));
  const Model model{"spring_pendulum", {}};
  EXPECT_THROW(Integrator(model, {"reference_dae", 0.1}, default_state(model)), std::invalid_argument);
  EXPECT_THROW(Integrator(model, {"reference_ode", 0.0}, default_state(model)), std::invalid_argument);
}

// Rates whose squares are not finite.
TEST(Integrators, AnInstanceThatFailsStaysAtItsLastNode) {
  const Model model{"rolling_disk", {}};
  State state = default_state(model);
  state.v << 0, 0, 0, 1e200, 0;
  state = project(model, state);
  for (const std::string scheme : {"reference_ode", "reference_dae"}) {
    Integrator integrator(model, {scheme, 0.1}, state);
    try {
      integrator.advance();
      FAIL() << scheme;
    } catch (const StepFailure& failure) {
      EXPECT_EQ(failure.reason, Failure::not_finite) << scheme;
      EXPECT_EQ(failure.step, 0);
      EXPECT_EQ(integrator.node().q, state.q);
    }
  }
}

// A = 0 at the origin: no multiplier, but the motion written out does not need one.
TEST(ReferenceOde, StartsAtTheOriginOfTheFoucaultPendulum) {
  const Model model{"foucault_pendulum", {{"damping", {0.0}}, {"earth_rate", {0.01}}}};
  const double w = 0.01 * std::sin(49.0 * std::numbers::pi / 180.0), nu = std::sqrt(9.81 / 67.0 - w * w);
  const Node node =
      follow(model, "reference_ode", {VectorXd{{0.0, 0.0}}, VectorXd{{0.1, 0.0}}}, 2.0, 1).back();
  const Eigen::Vector2d exact =
      0.1 / nu * std::sin(nu * 2.0) * Eigen::Vector2d(std::cos(w * 2.0), -std::sin(w * 2.0));
  EXPECT_LT((node.q - exact).norm(), allowance * 1e-12);
}

}  // namespace
}  // namespace livens::true_motion
