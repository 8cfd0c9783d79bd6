// Roots of a step that no motion has, and the guard on directors.

#include "assemblies.hpp"

namespace livens::reference {
namespace {

constexpr int body_count = 13;

/// Under load, some steps on.
AssemblyIntegrator swinging(double h) {
  AssemblyIntegrator swing(three_bar_swing(), {"del_multiplier", h}, at_rest(three_bar_swing()));
  for (int n = 0; n < 20; ++n) swing.advance();
  return swing;
}

/// The increment of the step before, but for one body half a turn about its director `axis`: on the
/// constraints of a node in the middle of the beam.
VectorXd half_turn(const AssemblyNode& node, int body, int axis) {
  VectorXd Du = node.length * node.velocity;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Index d = 12 * body + 3 + 3 * i;
    if (i != axis) Du.segment<3>(d) = -2.0 * node.q.segment<3>(d);
  }
  return Du;
}

// As on the paper's circle, example 3.1: equations and constraints hold, the increment is of size one however
// small the step is, and h lambda grows as 1/h. Terms of the equation are M Du/h and s G^T lambda.
TEST(AssemblyGuard, JumpsSolveTheEquations) {
  std::vector<double> reaction;
  for (const double h : {1e-3, 1e-4}) {
    const AssemblyIntegrator swing = swinging(h);
    const AssemblyNode& node = swing.node();
    const AssembledSystem& system = swing.system();
    const AssembledStep step{system, h, h, node.q, node.momentum, 0.5 * h * system.load(node.time + 0.5 * h)};
    const AssembledRoot root =
        assembled_multiplier_form(three_bar_swing(), 25)->solve(step, half_turn(node, midspan(), 2));
    const VectorXd u1 = step.u0 + root.Du,
                   impulse = step.s * (system.constraint_jacobian(step.u0).transpose() * root.lambda);
    EXPECT_LT((step.bracket(root.Du) + impulse).lpNorm<Eigen::Infinity>(),
              64.0 * eps * impulse.lpNorm<Eigen::Infinity>());
    EXPECT_LT(system.constraint(u1).lpNorm<Eigen::Infinity>(), 8.0 * eps);
    EXPECT_NEAR(root.Du.norm(), 2.0 * std::sqrt(2.0), 0.01);
    EXPECT_FALSE(keeps_directors(step.u0, u1));
    reaction.push_back(h * root.lambda.lpNorm<Eigen::Infinity>());
  }
  EXPECT_NEAR(reaction[1] / reaction[0], 10.0, 0.1);
}

// Every body of the swing has such roots, about each axis. The integrator says so, stays, and goes on.
TEST(AssemblyGuard, JumpsAreRefused) {
  AssemblyIntegrator swing = swinging(1e-3);
  AssemblyIntegrator undisturbed = swinging(1e-3);
  const VectorXd before = swing.node().q;
  for (int body = 0; body < body_count; ++body) {
    for (int axis = 0; axis < 3; ++axis) {
      try {
        swing.advance(half_turn(swing.node(), body, axis));
        ADD_FAILURE() << "body " << body << " jumped about " << axis;
      } catch (const StepFailure& failure) {
        EXPECT_EQ(failure.step, 20);
        EXPECT_EQ(failure.reason, Failure::wrong_branch) << "body " << body << " about " << axis;
      }
      EXPECT_EQ(swing.node().q, before);
    }
  }
  EXPECT_EQ(swing.advance().q, undisturbed.advance().q);
}

// The last one that passes, and the first that does not, of both forms: a rod that spins about its axis turns
// by a in a step, sin a = h times its rate.
TEST(AssemblyGuard, SixtyDegreesAreTheMost) {
  const double h = 0.1;
  Assembly rod;
  rod.bodies.push_back({{0, 0, 0.3}, Matrix3d::Identity(), 1.0, {0.1, 0.1, 0.2}});
  rod.joints.push_back({.on = {ground, {0, 0, 0}}, .of = {0, {0, 0, -0.3}}, .axis = {}});
  State start = at_rest(rod);
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    for (const double degrees : {59.0, 61.0}) {
      const double rate = std::sin(degrees * M_PI / 180.0) / h;
      start.v.segment<3>(3) = rate * Vector3d::UnitY();  // e3 x d1
      start.v.segment<3>(6) = -rate * Vector3d::UnitX();
      AssemblyIntegrator integrator(rod, {scheme, h}, start);
      if (degrees < 60.0) {
        EXPECT_NEAR(integrator.advance().q[3], std::cos(degrees * M_PI / 180.0), 1e-12) << scheme;
      } else {
        EXPECT_THROW(integrator.advance(), StepFailure) << scheme;
      }
    }
  }
}

}  // namespace
}  // namespace livens::reference
