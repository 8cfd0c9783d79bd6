// The kernels of an assembly against the reference, which has other unknowns, other rotations and a dense or sparse LU
// with pivoting.

#include "tests/assembly/swings.hpp"

namespace livens::assemblies {
namespace {

using reference::AssemblyIntegrator;
using reference::AssemblyNode;

/// That both come to the same node. The reference's Newton method ends with updates of 1e-12 in unknowns of size one
/// and leaves their square, so that what differs is rounding: some eps of the coordinates a step, of which the momenta
/// have h/2 D^2 V times as much, of which the largest is EA/le.
template <class Scheme>
void expect_agreement(const reference::Assembly& assembly, const reference::State& start, double h, int steps) {
  Stepped<Scheme> kernel(h, start);
  AssemblyIntegrator reference(assembly, {"del_nullspace", h}, start);
  ASSERT_EQ(kernel.system().d, reference.system().coordinates());
  EXPECT_LT(largest_difference(kernel.system().assembled, reference.system().assembled()), 4.0 * reference::eps);
  double momentum = 0.0, stiffness = 0.0;
  for (const reference::BeamElement& e : assembly.elements)
    stiffness = std::max(stiffness, e.section.axial_stiffness / (assembly.bodies[e.end].position -
                                                                 assembly.bodies[e.start].position).norm());
  for (int n = 1; n <= steps; ++n) {
    ASSERT_EQ(kernel.advance(), Status::ok) << n;
    const AssemblyNode& node = reference.advance();
    momentum = std::max(momentum, node.momentum.lpNorm<Eigen::Infinity>());
  }
  const AssemblyNode& node = reference.node();
  const auto& carried = kernel.carried();
  const double bound = 1e-12 * momentum + 16.0 * reference::eps * h * stiffness;
  EXPECT_LT(largest_difference(carried.q, node.q), 1e-12);
  EXPECT_LT(largest_difference(carried.c, node.momentum), bound);
  EXPECT_LT(largest_difference(carried.velocity, node.increment / h), 1e-12 / h);
  // h lambda is a difference of momenta over directors of size one.
  EXPECT_LT(largest_difference(kernel.multipliers(), node.lambda), bound / h);
  const auto measured = kernel.scheme().measure(carried, Measuring::all);
  EXPECT_NEAR(measured.energy, node.energy, 1e-11 * node.energy);
  EXPECT_LT(measured.constraint, 1e-13);
  EXPECT_LT(measured.velocity_constraint, 1e-13 * std::max(1.0, node.increment.lpNorm<Eigen::Infinity>() / h));
}

TEST(AssemblyAgreement, SwingUnderItsLoad) {
  const auto swing = reference::three_bar_swing();
  expect_agreement<DelNullspaceAssembly<ThreeBarSwing<double>>>(swing, at_rest(swing), 1e-3, 200);
}
TEST(AssemblyAgreement, SwingOutOfItsPlane) {
  const auto swing = reference::three_bar_swing();
  for (const unsigned seed : {1u, 2u, 3u})
    expect_agreement<DelNullspaceAssembly<ThreeBarSwing<double>>>(swing, random_start(swing, seed), 1e-3, 200);
}
TEST(AssemblyAgreement, SwingsOfFourAndOfFortyElements) {
  const auto coarse = reference::three_bar_swing({.elements = 4});
  expect_agreement<DelNullspaceAssembly<OtherSwing<4>>>(coarse, random_start(coarse, 4), 1e-3, 200);
  const auto fine = reference::three_bar_swing({.elements = 40});
  expect_agreement<DelNullspaceAssembly<OtherSwing<40>>>(fine, at_rest(fine), 1e-3, 10);
}
TEST(AssemblyAgreement, AnotherMechanism) {
  const auto flail = reference::flail();
  expect_agreement<DelNullspaceAssembly<Flail>>(flail, random_start(flail, 5), 1e-3, 200);
}

// The load of a step stands in its middle, on both sides of its corners and beyond them.
TEST(AssemblyAgreement, Loads) {
  const ThreeBarSwing<double> system(standard_parameters());
  const reference::AssembledSystem reference(reference::three_bar_swing());
  for (const double t : {-0.1, 0.0, 0.05, 0.125, 0.2, 0.25, 1.0})
    EXPECT_LT(largest_difference(system.load(t), reference.load(t)), 1e4 * 4.0 * reference::eps) << t;
}

// As the laws ask of every system: g and G of the kernels are those of the reference, at a place that is on nothing.
TEST(AssemblyAgreement, Constraints) {
  const ThreeBarSwing<double> system(standard_parameters());
  const reference::AssembledSystem reference(reference::three_bar_swing());
  constexpr int d = ThreeBarSwing<double>::d, m = ThreeBarSwing<double>::m;
  const reference::VectorXd x = reference::random_vector(d, 7);
  const auto q = vector_of<d>(x);
  EXPECT_LT(largest_difference(system.constraints_at(q), reference.constraint(x)), 16.0 * reference::eps);
  const auto G = system.constraint_jacobian(q);
  const Eigen::MatrixXd exact = reference.constraint_jacobian(x);
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < d; ++i) {
      EXPECT_NEAR(G(k, i), exact(k, i), 4.0 * reference::eps) << k << ", " << i;
      EXPECT_TRUE(system.constrains(k, i) || exact(k, i) == 0.0) << k << ", " << i;
    }
}

}  // namespace
}  // namespace livens::assemblies
