// What del_multiplier and del_nullspace promise of any assembly.

#include "assemblies.hpp"

namespace livens::reference {
namespace {

double distance(const VectorXd& a, const VectorXd& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

/// Both forms side by side: the same trajectory to 1e-12, both on the constraints. Newton's method leaves g
/// as it evaluates it, to some eps. F_d multiplies rotations, eps each, with random signs.
void expect_one_scheme(const Assembly& assembly, double h, int steps, unsigned seed) {
  const State start = random_start(assembly, seed);
  AssemblyIntegrator multiplier(assembly, {"del_multiplier", h}, start),
      null_space(assembly, {"del_nullspace", h}, start);
  const AssembledSystem& system = multiplier.system();
  for (int n = 1; n <= steps; ++n) {
    const AssemblyNode &a = multiplier.advance(), &b = null_space.advance();
    ASSERT_LT(distance(a.q, b.q), 1e-12) << n;
    ASSERT_LT(system.constraint(a.q).lpNorm<Eigen::Infinity>(), 8.0 * eps) << n;
    ASSERT_LT(system.constraint(b.q).lpNorm<Eigen::Infinity>(), (8.0 + 4.0 * std::sqrt(n)) * eps) << n;
    const double scale = a.lambda.lpNorm<Eigen::Infinity>();
    ASSERT_LT((a.lambda - b.lambda).lpNorm<Eigen::Infinity>(), 1e-6 * scale) << n;
  }
  EXPECT_GT(distance(multiplier.node().q, start.q), 0.01) << "or nothing moved";
}

class ThreeStarts : public ::testing::TestWithParam<unsigned> {};

TEST_P(ThreeStarts, MultiplierAndNullSpaceAreOneScheme) {
  expect_one_scheme(three_bar_swing(), 1e-3, 1000, GetParam());
}

INSTANTIATE_TEST_SUITE_P(OutOfPlane, ThreeStarts, ::testing::Values(1u, 2u, 3u));

TEST(AssemblyLaws, MultiplierAndNullSpaceAreOneSchemeOfOtherAssemblies) {
  expect_one_scheme(three_bar_swing({.elements = 4}), 1e-3, 100, 4);
  expect_one_scheme(three_bar_swing({.elements = 40}), 1e-3, 20, 5);
  expect_one_scheme(flail(), 1e-3, 300, 6);
}

// A turn about the line through both joints on the ground leaves the swing as it is, and the load along that
// line has no moment about it. A step's rounding, eps |u x c| with |c| of some 540 kg x 1 m/s, adds up at
// random.
TEST(AssemblyLaws, AngularMomentumOfTheSwingAboutItsGround) {
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    AssemblyIntegrator swing(three_bar_swing(), {scheme, 1e-3}, random_start(three_bar_swing(), 9));
    const Vector3d before = angular_momentum(swing.node());
    for (int n = 0; n < 200; ++n) swing.advance();
    const Vector3d after = angular_momentum(swing.node());
    EXPECT_NEAR(after[1], before[1], 16.0 * eps * 540.0 * std::sqrt(200.0)) << scheme;
    EXPECT_GT((after - before).norm(), 1.0) << "the others change";
  }
}

// All of it about a single ball joint on the ground.
TEST(AssemblyLaws, AngularMomentumOfTheFlailAboutItsGround) {
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    State start = random_start(flail(), 10);
    start.v *= 10.0;
    AssemblyIntegrator integrator(flail(), {scheme, 2e-3}, start);
    const Vector3d before = angular_momentum(integrator.node());
    const double energy = integrator.advance().energy;
    for (int n = 0; n < 500; ++n) integrator.advance();
    EXPECT_LT((angular_momentum(integrator.node()) - before).norm(), 16.0 * eps * 10.0 * std::sqrt(500.0))
        << scheme;
    EXPECT_GT(before.norm(), 0.1);
    EXPECT_NEAR(integrator.node().energy, energy, 0.05 * energy) << "it oscillates, and does not drift";
  }
}

// The errors of order 2 of three steps are as 16 : 4 : 1, their differences as 4 : 1. The next order is
// smaller by (omega h)^2/12 or so, 1e-3 for the fastest motion of a node, about 1100/s.
TEST(AssemblyLaws, SecondOrder) {
  const Assembly swing = three_bar_swing();
  const State start = random_start(swing, 11);
  std::vector<VectorXd> ends;
  for (const int steps : {200, 400, 800}) {
    AssemblyIntegrator integrator(swing, {"del_multiplier", 0.02 / steps}, start);
    for (int n = 0; n < steps; ++n) integrator.advance();
    ends.push_back(integrator.node().q);
  }
  EXPECT_NEAR(std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm()), 2.0, 0.02);
}

// A cone on its tip is an assembly of one body: the heavy top of the systems, its weight a constant load.
// There the unknowns are the same, their matrix is dense and automatic. Positions differ by eps a step, and
// that many times more in velocity and time. lambda is a second difference of them: some eps m/h^2.
TEST(AssemblyLaws, HeavyTopIsAnAssembly) {
  const Model model{"heavy_top", {{"precession_rate", {3.0}}, {"spin_rate", {9.0}}, {"nutation", {0.8}}}};
  const State start = default_state(model);
  const VectorXd M = mass(model, start.q).diagonal();
  const double gravity = 9.81, l = 0.075, h = 1e-3;
  Assembly top;
  top.bodies.push_back({start.q.head(3), start.q.tail(9).reshaped(3, 3), M[0], {M[3], M[6], M[9]}});
  top.joints.push_back({.on = {ground, {0, 0, 0}}, .of = {0, {0, 0, -l}}, .axis = {}});
  top.loads.push_back({0, -Vector3d::UnitZ(), {{0.0, M[0] * gravity}}});
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    AssemblyIntegrator assembly(top, {scheme, h}, start);
    Integrator system(model, {scheme, h, 0.0}, start);
    for (int n = 1; n <= 300; ++n) {
      const AssemblyNode& a = assembly.advance();
      const Node& b = system.advance();
      ASSERT_LT(distance(a.q, b.q), 1e-12) << scheme << " " << n;
      ASSERT_LT(distance(a.lambda, b.lambda), 64.0 * eps * M[0] / (h * h)) << scheme << " " << n;
    }
    EXPECT_GT(distance(assembly.node().q, start.q), 0.5);
  }
}

}  // namespace
}  // namespace livens::reference
