// Names, projection, tolerance, failures and measurements at node 0.

#include <Eigen/LU>

#include "reference/system.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

TEST(Interface, RefusesUnknownNamesAndPairs) {
  EXPECT_THROW(default_state({"three_body", {}}), std::invalid_argument);
  EXPECT_THROW(default_state({"four_particle", {{"gravity", {9.81}}}}), std::invalid_argument);
  EXPECT_THROW(default_state({"four_particle", {{"mass", {1.0}}}}), std::invalid_argument);
  const Model model{"four_particle", {}};
  EXPECT_THROW(Integrator(model, {"contact_2", 0.1, 0.0}, default_state(model)), std::invalid_argument);
  Options variant{"ems", 0.1, 0.0};
  variant.given["variant"] = "endpoint";
  EXPECT_THROW(Integrator(model, variant, default_state(model)), std::invalid_argument);
  Options derivative{"livens", 0.1, 0.0};
  derivative.given["derivative"] = "paper";
  EXPECT_THROW(Integrator(model, derivative, default_state(model)), std::invalid_argument);
  derivative.given["derivative"] = 1.0;
  EXPECT_THROW(Integrator(model, derivative, default_state(model)), std::invalid_argument);
  EXPECT_THROW(Integrator(model, {"ems", 0.0, 0.0}, default_state(model)), std::invalid_argument);
  EXPECT_THROW(Integrator(model, {"euler", 0.1, 0.0}, default_state(model)), std::invalid_argument);
  EXPECT_THROW(Integrator(model, {"ems", 0.1, 0.0}, {VectorXd::Zero(3), VectorXd::Zero(3)}),
               std::invalid_argument);
}

// systems.md: constant regular M for all but livens; a constraint that can be followed for del_nullspace.
TEST(Interface, ApplicabilityFollowsFromConstraintsAndMass) {
  const std::vector<std::string> holonomic = {"ggl_vi", "vi_a",   "vi_b",           "ems",          "ggl_mp",
                                              "rattle", "livens", "del_multiplier", "del_nullspace"};
  for (const std::string& scheme : holonomic) {
    for (const std::string system :
         {"four_particle", "heavy_top", "double_four_bar", "double_spherical_pendulum", "unit_circle"}) {
      EXPECT_TRUE(applicable({system, {}}, scheme)) << system << " " << scheme;
    }
    for (const std::string system : {"foucault_pendulum", "rolling_disk"})
      EXPECT_FALSE(applicable({system, {}}, scheme)) << system << " " << scheme;
    EXPECT_EQ(applicable({"mass_spring", {}}, scheme), scheme == "livens") << scheme;
    EXPECT_EQ(applicable({"spring_pendulum", {}}, scheme), scheme == "livens") << scheme;
  }
  for (const std::string& system : systems()) {
    const bool nonholonomic = system == "foucault_pendulum" || system == "rolling_disk";
    for (const std::string scheme : {"contact_1", "contact_2", "lagrange_dalembert"})
      EXPECT_EQ(applicable({system, {}}, scheme), nonholonomic) << system << " " << scheme;
  }
}

TEST(Interface, MultipliersAreUndefinedAtNodeZero) {
  for (const Pair& pair : pairs()) {
    const Model model = general_model(pair.system);
    Integrator integrator(model, {pair.scheme, 0.01, 0.0}, general_state(model));
    EXPECT_FALSE(integrator.node().lambda.array().isFinite().any());
    EXPECT_EQ(integrator.node().lambda.size(), constraint_count(make_system(model)));
    EXPECT_TRUE(integrator.advance().lambda.allFinite());
    EXPECT_DOUBLE_EQ(integrator.node().time, 0.01);
  }
}

// The velocity of a node: vi_b and livens their own, else M^-1 p; and what each calls its energy.
TEST(Interface, NodesHaveTheVelocityAndEnergyOfTheirScheme) {
  for (const Pair& pair : pairs()) {
    if (applicable({pair.system, {}}, "contact_2")) continue;  // herglotz.cpp
    const Model model = general_model(pair.system);
    const System system = make_system(model);
    Integrator integrator(model, {pair.scheme, 0.01, 0.0}, general_state(model));
    EXPECT_EQ(integrator.node().p, mass(model, integrator.node().q) * integrator.node().v);
    const Node& node = integrator.advance();
    const MatrixXd M = mass(model, node.q);
    const double V = potential_energy(system, node.q), T = system.kinetic_energy(node.q, node.v);
    const double rounding = 64.0 * eps * (std::abs(V) + T + node.p.norm() * node.v.norm());
    EXPECT_NEAR(node.total_energy, T + V, rounding);
    if (pair.scheme == "vi_b") {
      EXPECT_NEAR(node.energy, 0.5 * node.p.dot(M.inverse() * node.p) + V, rounding);
    } else {
      EXPECT_NEAR(node.energy, node.p.dot(node.v) - T + V, rounding) << pair.system << " " << pair.scheme;
    }
    // p is not M v where the constraint acts on it once more, nor where M is that of two positions.
    const double difference = (M * node.v - node.p).norm();
    if (pair.scheme == "vi_b" || pair.system == "spring_pendulum") {
      EXPECT_GT(difference, 1e-6) << pair.system << " " << pair.scheme;
    } else {
      EXPECT_LT(difference, 64.0 * eps * node.p.norm() / 0.01) << pair.system << " " << pair.scheme;
    }
  }
}

// On a sphere the nearest point is the radial one; the pendulum couples its spheres through M, so the four
// particles' bar serves: with equal masses the middle stays and the bar keeps its direction.
TEST(Projection, OfABarKeepsItsMiddleAndDirection) {
  const Model model{"four_particle", {{"mass", {2.0, 2.0, 2.0, 2.0}}}};
  State state = default_state(model);
  state.q.segment<3>(3) = Eigen::Vector3d(1.2, 0.9, -0.4);
  const State projected = project(model, state);
  const Eigen::Vector3d given = state.q.segment<3>(3), r = projected.q.segment<3>(3) - projected.q.head<3>();
  EXPECT_LT((r - given.normalized()).norm(), 16.0 * eps);
  EXPECT_LT((projected.q.segment<3>(3) + projected.q.head<3>() - given).norm(), 16.0 * eps);
}

// Stationarity: M (q - q_given) in range G(q)^T, that is orthogonal to the tangent vectors, of which the
// projected velocities are samples.
TEST(Projection, IsOrthogonalInTheMetricOfTheMass) {
  for (const auto& [system, scheme] : pairs({"ems"})) {
    const Model model = general_model(system);
    State given = default_state(model);
    for (Eigen::Index i = 0; i < given.q.size(); ++i)
      given.q[i] += 0.1 * std::sin(1.0 + 2.3 * static_cast<double>(i));
    const State projected = project(model, given);
    Integrator integrator(model, {"ems", 0.1, 0.0}, projected);
    EXPECT_LT(integrator.node().constraint, 16.0 * eps);
    EXPECT_LT(integrator.node().velocity_constraint, 16.0 * eps * given.v.norm());
    const State momentum{projected.q, projected.q - given.q};
    const VectorXd M_dq = Integrator(model, {"ems", 0.1, 0.0}, momentum).node().p;
    EXPECT_NEAR(M_dq.dot(projected.v), 0.0, 64.0 * eps * M_dq.norm() * projected.v.norm());
  }
}

// A residual below the tolerance leaves an error of tolerance x condition a step in the scaled unknowns, /h
// in velocities.
TEST(Newton, ToleranceBoundsTheDifferenceToRoundOff) {
  for (const Pair& pair : pairs()) {
    const int steps = pair.system == "double_four_bar" ? 5 : 50;
    const Model model = general_model(pair.system);
    const State initial = general_state(model);
    const double h = 0.01, tolerance = 1e-10;
    const Options to_tolerance{pair.scheme, h, tolerance}, to_round_off{pair.scheme, h, 0.0};
    Integrator loose(model, to_tolerance, initial), tight(model, to_round_off, initial);
    for (int n = 0; n < steps; ++n) {
      loose.advance();
      tight.advance();
    }
    const double bound =
        steps * tolerance * tight.condition() * growth(model, to_round_off, initial, steps) / h;
    EXPECT_LT((loose.node().q - tight.node().q).lpNorm<Eigen::Infinity>(), bound)
        << pair.system << " " << pair.scheme;
  }
}

TEST(Failures, NameStepAndReason) {
  const Model model{"four_particle", {}};
  const State initial = project(model, default_state(model));
  Integrator few_iterations(model, {"ems", 0.05, 0.0, 1}, initial);
  try {
    few_iterations.advance();
    FAIL();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.step, 0);
    EXPECT_EQ(failure.reason, Failure::newton_diverged);
    EXPECT_EQ(few_iterations.node().time, 0.0);
  }
  State broken = initial;
  broken.v[0] = std::numeric_limits<double>::quiet_NaN();
  try {
    Integrator(model, {"ems", 0.05, 0.0}, broken).advance();
    FAIL();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.reason, Failure::not_finite);
  }
  // Both particles of a bar in one place: G loses a row.
  State collapsed = initial;
  collapsed.q.segment<3>(3) = collapsed.q.head<3>();
  try {
    project(model, collapsed);
    FAIL();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.reason, Failure::singular_matrix);
  }
}

// Two equal bars of length one turn against each other by theta a step, without springs, with viscous
// elements: the null space equation is (1 + h eta/m) sin theta = 2 h a/1 for end velocities a, with the
// roots theta and pi - theta. Newton's method starts at 2 h a = 3, next to the wrong one: there G(u1).G(u0)
// = cos theta < 0.
TEST(Failures, RootOnTheWrongBranch) {
  const Model model{"four_particle",
                    {{"mass", {1.0, 1.0, 1.0, 1.0}}, {"stiffness", {0.0, 0.0}}, {"damping", {20.0, 20.0}}}};
  State state = default_state(model);
  state.v << 0, -1.5, 0, 0, 1.5, 0, 0, 1.5, 0, 0, -1.5, 0;
  try {
    Integrator(model, {"del_nullspace", 1.0, 0.0}, state).advance();
    FAIL();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.reason, Failure::wrong_branch);
  }
}

}  // namespace
}  // namespace livens::reference
