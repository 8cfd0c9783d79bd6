// The kernels of an assembly against the reference, which has other unknowns, other rotations and a dense or
// sparse LU with pivoting.

#include "tests/assembly/swings.hpp"

namespace livens::assemblies {
namespace {

using reference::AssemblyIntegrator;
using reference::AssemblyNode;

/// That both come to the same node. The reference's Newton method ends with updates of 1e-12 in unknowns of
/// size one and leaves their square, so that what differs is rounding: some eps of the coordinates a step, of
/// which the momenta have h/2 D^2 V times as much, of which the largest is EA/le.
template <class Scheme>
void expect_agreement(const reference::Assembly& assembly, const reference::State& start, double h,
                      int steps) {
  Stepped<Scheme> kernel(h, start);
  AssemblyIntegrator reference(assembly, {Scheme::info().name, h}, start);
  ASSERT_EQ(kernel.system().d, reference.system().coordinates());
  EXPECT_LT(largest_difference(kernel.system().assembled, reference.system().assembled()),
            4.0 * reference::eps);
  double momentum = 0.0, stiffness = 0.0;
  for (const reference::BeamElement& e : assembly.elements)
    stiffness =
        std::max(stiffness, e.section.axial_stiffness /
                                (assembly.bodies[e.end].position - assembly.bodies[e.start].position).norm());
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
  EXPECT_LT(largest_difference(carried.velocity, node.velocity), 1e-12 / h);
  // h lambda is a difference of momenta over directors of size one.
  EXPECT_LT(largest_difference(kernel.multipliers(), node.lambda), bound / h);
  const auto measured = kernel.scheme().measure(carried, Measuring::all);
  EXPECT_NEAR(measured.energy, node.energy, 1e-11 * node.energy);
  EXPECT_LT(measured.constraint, 1e-13);
  EXPECT_LT(measured.velocity_constraint, 1e-13 * std::max(1.0, node.velocity.lpNorm<Eigen::Infinity>()));
}

template <class System>
void expect_agreement_of_schemes(const reference::Assembly& assembly, const reference::State& start,
                                 int steps) {
  expect_agreement<DelNullspaceAssembly<System>>(assembly, start, 1e-3, steps);
  expect_agreement<DelMultiplierAssembly<System>>(assembly, start, 1e-3, steps);
}

TEST(AssemblyAgreement, SwingUnderItsLoad) {
  const auto swing = reference::three_bar_swing();
  expect_agreement_of_schemes<ThreeBarSwing<double>>(swing, at_rest(swing), 200);
}
TEST(AssemblyAgreement, SwingOutOfItsPlane) {
  const auto swing = reference::three_bar_swing();
  for (const unsigned seed : {1u, 2u, 3u})
    expect_agreement_of_schemes<ThreeBarSwing<double>>(swing, random_start(swing, seed), 200);
}
TEST(AssemblyAgreement, SwingsOfFourAndOfFortyElements) {
  const auto coarse = reference::three_bar_swing({.elements = 4});
  expect_agreement_of_schemes<OtherSwing<4>>(coarse, random_start(coarse, 4), 200);
  const auto fine = reference::three_bar_swing({.elements = 40});
  expect_agreement_of_schemes<OtherSwing<40>>(fine, at_rest(fine), 10);
}
TEST(AssemblyAgreement, AnotherMechanism) {
  const auto flail = reference::flail();
  expect_agreement_of_schemes<Flail>(flail, random_start(flail, 5), 200);
}

// The load of a step stands in its middle, on both sides of its corners and beyond them.
TEST(AssemblyAgreement, Loads) {
  const ThreeBarSwing<double> system(standard_parameters());
  const reference::AssembledSystem reference(reference::three_bar_swing());
  for (const double t : {-0.1, 0.0, 0.05, 0.125, 0.2, 0.25, 1.0})
    EXPECT_LT(largest_difference(system.load(t), reference.load(t)), 1e4 * 4.0 * reference::eps) << t;
}

// As the laws ask of every system: g and G of the kernels are those of the reference, at a place that is on
// nothing.
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
    for (int i = 0; i < d; ++i) EXPECT_NEAR(G(k, i), exact(k, i), 4.0 * reference::eps) << k << ", " << i;
}

// Off the constraints as well: G x = g, and P is the null space of G. Sums of some products of numbers of
// size one; the frames at random have volumes down to 1/100.
template <class System>
void expect_tangents(unsigned seed) {
  const System system(parameters_of<System>());
  constexpr int d = System::d, m = System::m;
  auto u = vector_of<d>(0.1 * reference::random_vector(d, seed));
  u = u + system.assembled;
  const auto g = vector_of<m>(reference::random_vector(m, seed + 1));
  const auto rates = system.constraint_rates(u, onto_constraints(system, u, g));
  for (int k = 0; k < m; ++k) EXPECT_NEAR(rates[k], g[k], 256.0 * reference::eps) << k;

  using Nulls = AssemblyNullSpace<System>;
  const Nulls nulls(system);
  typename Nulls::Columns P;
  nulls.columns_at(u, zero_vector<double, Nulls::unknowns>(), P);
  const auto nu = vector_of<Nulls::unknowns>(reference::random_vector(Nulls::unknowns, seed + 2));
  const auto velocity = nulls.along(P, u, nu);
  EXPECT_LT(norm_inf(system.constraint_rates(u, velocity)), 64.0 * reference::eps);
  // and project() is the transpose of along()
  const auto f = vector_of<d>(reference::random_vector(d, seed + 3));
  EXPECT_NEAR(dot(nulls.project(P, u, f), nu), dot(f, velocity), 64.0 * d * reference::eps);
}
TEST(AssemblyAgreement, TangentsOffTheConstraints) {
  expect_tangents<ThreeBarSwing<double>>(20);
  expect_tangents<Flail>(30);
}

// V and its derivatives, at a place where nothing is small: eps of the largest stiffness.
TEST(AssemblyAgreement, Potential) {
  const ThreeBarSwing<double> system(standard_parameters());
  const reference::AssembledSystem reference(reference::three_bar_swing());
  constexpr int d = ThreeBarSwing<double>::d;
  const reference::VectorXd x = reference.assembled() + 0.01 * reference::random_vector(d, 40),
                            y = reference::random_vector(d, 41);
  const auto q = vector_of<d>(x);
  const double V = reference.potential(x), stiffness = 547500.0 / 0.072;
  EXPECT_NEAR(system.potential(q), V, 256.0 * reference::eps * V);
  EXPECT_LT(largest_difference(system.gradient(q), reference.potential_gradient(x)),
            64.0 * reference::eps * stiffness);
  EXPECT_LT(largest_difference(system.hessian_times(q, vector_of<d>(y)), reference.potential_hessian(x) * y),
            64.0 * reference::eps * stiffness);
}

// The nearest consistent state: what it is moved by has no tangential part.
template <class System>
void expect_nearest_state(unsigned seed) {
  const System system(parameters_of<System>());
  constexpr int d = System::d;
  auto given = vector_of<d>(0.1 * reference::random_vector(d, seed));
  given = given + system.assembled;
  const auto given_v = vector_of<d>(reference::random_vector(d, seed + 1));
  auto u = given, v = given_v;
  ASSERT_TRUE(project_position(system, u));
  ASSERT_TRUE(project_velocity(system, u, v));
  EXPECT_LT(norm_inf(system.constraints_at(u)), 8.0 * reference::eps);
  EXPECT_LT(norm_inf(system.constraint_rates(u, v)), 64.0 * reference::eps);
  const AssemblyNullSpace<System> nulls(system);
  typename AssemblyNullSpace<System>::Columns P;
  nulls.columns_at(u, zero_vector<double, nulls.unknowns>(), P);
  EXPECT_LT(norm_inf(nulls.project(P, u, u - given)), 256.0 * reference::eps);
  EXPECT_LT(norm_inf(nulls.project(P, u, v - given_v)), 256.0 * reference::eps);
  EXPECT_GT(norm_inf(u - given), 0.05);
}
TEST(AssemblyAgreement, ProjectionsAreTheNearestStates) {
  expect_nearest_state<ThreeBarSwing<double>>(50);
  expect_nearest_state<OtherSwing<4>>(60);
  expect_nearest_state<Flail>(70);
}

// Both forms to the same node after a second, from starts without symmetry (the reference does so, too).
TEST(AssemblyAgreement, MultipliersAndNullSpaceAreOneScheme) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const auto start = random_start(reference::three_bar_swing(), seed);
    Stepped<DelMultiplierAssembly<ThreeBarSwing<double>>> multiplier(1e-3, start);
    Stepped<DelNullspaceAssembly<ThreeBarSwing<double>>> null_space(1e-3, start);
    for (int n = 1; n <= 1000; ++n) {
      ASSERT_EQ(multiplier.advance(), Status::ok) << n;
      ASSERT_EQ(null_space.advance(), Status::ok) << n;
      ASSERT_LT(norm_inf(multiplier.carried().q - null_space.carried().q), 1e-12) << n;
    }
    // Newton's method leaves g as it evaluates it; F_d multiplies rotations, eps each.
    const auto g = multiplier.system().constraints_at(multiplier.carried().q);
    EXPECT_LT(norm_inf(g), 8.0 * reference::eps);
  }
}

}  // namespace
}  // namespace livens::assemblies
