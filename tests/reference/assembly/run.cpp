// An assembly under its name, behind the interface that systems have (docs/equations/assembly.md, section 7).

#include <Eigen/QR>
#include <algorithm>

#include "assemblies.hpp"
#include "reference/composition.hpp"
#include "reference/mechanism.hpp"
#include "reference/registry.hpp"

namespace livens::reference {
namespace {

const Model swing{"three_bar_swing", {}};

double largest_entry(const VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }

/// An orthonormal basis of the directions with G u = 0, n x (n - m).
MatrixXd directions_on(const AssembledSystem& system, const VectorXd& q) {
  const MatrixXd G = system.constraint_jacobian(q);
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(G.transpose()).householderQ();
  return Q.rightCols(G.cols() - G.rows());
}

TEST(AssemblyRun, IsFoundByItsName) {
  EXPECT_EQ(assemblies(), std::vector<std::string>{"three_bar_swing"});
  EXPECT_EQ(std::ranges::count(systems(), "three_bar_swing"), 0) << "it has parts, and no formulas";
  for (const std::string& scheme : schemes())
    EXPECT_EQ(applicable({"three_bar_swing", {}}, scheme),
              scheme == "del_multiplier" || scheme == "del_nullspace")
        << scheme;
  EXPECT_EQ(mass(swing, default_state(swing).q).rows(), 156);
}

TEST(AssemblyRun, WhatItDoesNotKnowIsRefused) {
  const State start = default_state(swing);
  EXPECT_THROW(default_state({"three_bar_swing", {{"gravity", {9.81}}}}), std::invalid_argument);
  EXPECT_THROW(default_state({"three_bar_swing", {{"line_inertia", {1.0}}}}), std::invalid_argument);
  EXPECT_THROW(Integrator(swing, {"ems", 1e-3}, start), std::invalid_argument);
  EXPECT_THROW(Integrator(swing, {"del_nullspace", 0.0}, start), std::invalid_argument);
  EXPECT_THROW(Integrator(swing, {"del_nullspace", 1e-3}, {start.q.head(12), start.v.head(12)}),
               std::invalid_argument);
  EXPECT_THROW(Integrator(swing, {.scheme = "del_nullspace", .step = 1e-3, .order = 3}, start),
               std::invalid_argument);
  Options option{"del_nullspace", 1e-3};
  option.given["alpha"] = 0.5;
  EXPECT_THROW(Integrator(swing, option, start), std::invalid_argument);
}

// Every number in its place: no two are alike, and the start is out of the plane.
TEST(AssemblyRun, ParametersAreThoseOfTheParts) {
  const ThreeBarSwing given{.length = 0.8,
                            .height = 0.4,
                            .rod_mass = 0.02,
                            .rod_edge = 0.03,
                            .midspan_mass = 6.0,
                            .peak_load = 9000.0,
                            .load_peaks_at = 0.1,
                            .load_in_start = 0.7,
                            .section = {1.5e5, 5.0e5, 110.0, 11.0, 13.0, 7000.0, 1.4, 0.15}};
  const Model model{"three_bar_swing",
                    {{"length", {0.8}},
                     {"height", {0.4}},
                     {"rod_mass", {0.02}},
                     {"rod_edge", {0.03}},
                     {"midspan_mass", {6.0}},
                     {"peak_load", {9000.0}},
                     {"load_peaks_at", {0.1}},
                     {"load_in_start", {0.7}},
                     {"shear_stiffness", {1.5e5}},
                     {"axial_stiffness", {5.0e5}},
                     {"bending_stiffness", {110.0, 11.0}},
                     {"torsional_stiffness", {13.0}},
                     {"line_mass", {7000.0}},
                     {"line_inertia", {1.4, 0.15}}}};
  const Assembly parts = three_bar_swing(given);
  EXPECT_EQ(default_state(model).q, at_rest(parts).q);
  const State start = random_start(parts, 12);
  AssemblyIntegrator direct(parts, {"del_nullspace", 1e-3}, start);
  Integrator by_name(model, {"del_nullspace", 1e-3}, start);
  for (int n = 0; n < 10; ++n) EXPECT_EQ(by_name.advance().q, direct.advance().q);
  // 1/2 (0.1 s x 9000 N)^2 over 7000 kg/m x 0.8 m + 6 kg.
  EXPECT_NEAR(by_name.node().potential_scale - by_name.node().potential_energy, 810000.0 / (2.0 * 5606.0),
              1e-10);
}

// M v + G^T mu = p and G v = 0 for some mu, which is v on its own: its part along the constraints. Sums over
// the directions are rounded to some hundred eps of p.
TEST(AssemblyRun, VelocityOfANodeIsThatOfItsMomentum) {
  const AssembledSystem system(three_bar_swing());
  const State start = random_start(three_bar_swing(), 13);
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    Integrator run(swing, {scheme, 1e-3}, start);
    EXPECT_EQ(run.node().v, start.v);
    EXPECT_EQ(run.node().energy, run.node().kinetic_energy + run.node().potential_energy);
    for (int n = 0; n < 20; ++n) run.advance();
    const Node& node = run.node();
    const VectorXd along = directions_on(system, node.q).transpose() * (node.p - system.mass() * node.v);
    EXPECT_LT(largest_entry(along), 256.0 * eps * largest_entry(node.p)) << scheme;
    EXPECT_LT(node.velocity_constraint, 64.0 * eps * largest_entry(node.v)) << scheme;
    EXPECT_GT(largest_entry(node.v - start.v), 0.01) << scheme;
  }
}

// The load works on phi of the mass alone, by F(t_m).Du a step, and what it has brought when it is gone is
// the energy, to second order: a half of the step leaves a quarter of the difference.
TEST(AssemblyRun, EnergyIsTheWorkOfTheLoad) {
  const Model model{"three_bar_swing", {{"load_peaks_at", {0.02}}}};
  std::vector<double> differences;
  for (const int steps : {100, 200, 400}) {
    const double h = 0.05 / steps;
    Integrator run(model, {"del_nullspace", h}, default_state(model));
    double work = 0.0;
    for (int n = 0; n < steps; ++n) {
      const double before = run.node().q[12 * midspan() + 1], t = (n + 0.5) * h;
      work += 1e4 * std::max(0.0, 1.0 - std::abs(t - 0.02) / 0.02) *
              (run.advance().q[12 * midspan() + 1] - before);
    }
    EXPECT_NEAR(run.node().work, work, steps * 4.0 * eps * 1e4 * 0.72);
    differences.push_back(std::abs(run.node().energy - work) / work);
  }
  EXPECT_NEAR(std::log2(differences[0] / differences[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(differences[1] / differences[2]), 2.0, 0.1);
}

// What a state is moved by has no part along the constraints.
TEST(AssemblyRun, ProjectionIsTheNearestState) {
  const AssembledSystem system(three_bar_swing());
  State given = default_state(swing);
  given.q += 0.01 * random_vector(156, 14);
  given.v += random_vector(156, 15);
  const State state = project(swing, given);
  EXPECT_LT(largest_entry(system.constraint(state.q)), 8.0 * eps);
  EXPECT_LT(largest_entry(system.constraint_jacobian(state.q) * state.v), 64.0 * eps);
  const MatrixXd along = directions_on(system, state.q).transpose();
  EXPECT_LT(largest_entry(along * (state.q - given.q)), 64.0 * eps);
  EXPECT_LT(largest_entry(along * (state.v - given.v)), 64.0 * eps);
  EXPECT_GT(largest_entry(state.q - given.q), 1e-3);
}

// Differences of ends as 2^order : 1; of order 4 with steps so long that they are not rounding.
TEST(AssemblyRun, ComposedStepsHaveTheirOrder) {
  const State start = random_start(flail(), 16);
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    std::vector<VectorXd> ends;
    for (const int steps : {40, 80, 160}) {
      AssemblyIntegrator integrator(flail(), {scheme, 0.1 / steps, 25, 4}, start);
      for (int n = 0; n < steps; ++n) integrator.advance();
      EXPECT_NEAR(integrator.node().time, 0.1, 1e-15);
      ends.push_back(integrator.node().q);
    }
    EXPECT_NEAR(std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm()), 4.0, 0.2) << scheme;
  }
}

TEST(AssemblyRun, AFailureStaysAtItsNode) {
  const Model thrown{"three_bar_swing", {{"peak_load", {1e8}}}};
  Integrator run(thrown, {"del_nullspace", 0.02}, default_state(thrown));
  long steps = 0;
  VectorXd last = run.node().q;
  try {
    for (; steps < 20; ++steps) last = run.advance().q;
    FAIL() << "it does not fail";
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.step, steps);
    EXPECT_EQ(run.node().q, last);
  }
}

}  // namespace
}  // namespace livens::reference
