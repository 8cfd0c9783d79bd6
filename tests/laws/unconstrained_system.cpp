// A system that says V and T alone, without constraints, damping or momentum maps, runs with every holonomic
// scheme; and what duals make of V agrees with what systems say themselves.

#define LIVENS_ISA laws_unconstrained
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "kernels/schemes/del_multiplier.hpp"
#include "kernels/schemes/ems.hpp"
#include "kernels/schemes/ggl_mp.hpp"
#include "kernels/schemes/ggl_vi.hpp"
#include "kernels/schemes/livens.hpp"
#include "kernels/schemes/rattle.hpp"
#include "kernels/schemes/vi_a.hpp"
#include "kernels/schemes/vi_b.hpp"
#include "kernels/stepping/advance.hpp"
#include "kernels/stepping/projection.hpp"
#include "kernels/systems/four_particle.hpp"
#include "kernels/systems/shared/capabilities.hpp"
#include "kernels/systems/shared/check_system.hpp"
#include "kernels/systems/shared/from_potential.hpp"
#include "kernels/systems/shared/inertia.hpp"
#include "kernels/systems/spring_pendulum.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct HenonHeilesDescription {
  static constexpr double mass[] = {1.3, 0.8};
  static constexpr double coupling[] = {0.9};
  static constexpr ParameterInfo parameters[] = {
      {"mass", "m", "kg", "masses", Domain::positive, mass},
      {"coupling", "c", "N/m^2", "of the cubic terms", Domain::real, coupling}};
  static constexpr SystemInfo info = {.name = "henon_heiles",
                                      .meaning = "a star in a galaxy",
                                      .paper = "Henon, Heiles 1964",
                                      .layout = "x, y",
                                      .coordinates = 2,
                                      .parameters = parameters,
                                      .default_scheme = "ems",
                                      .default_step = 0.1,
                                      .default_end = 1.0};
};

/// V = (x^2 + y^2)/2 + c (x^2 y - y^3/3).
template <class Scalar_>
struct HenonHeiles : Described<HenonHeilesDescription>,
                     FromPotential<HenonHeiles<Scalar_>, Scalar_, 2>,
                     NoConstraints<Scalar_, 2>,
                     NoDamping<Scalar_>,
                     NoMomentumMaps<Scalar_, 2> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = HenonHeiles<Other>;
  using Position = Vec<Scalar, 2>;
  using Inertia = DiagonalInertia<Scalar, 2, 1>;
  Vec<Scalar, 3> parameters;
  Inertia inertia;

  explicit HenonHeiles(const Vec<Scalar, 3>& parameter)
      : parameters(parameter), inertia(part<0, 2>(parameter)) {}
  Position initial_position() const { return {{Scalar(0.1), Scalar(-0.2)}}; }
  Position initial_velocity() const { return {{Scalar(0.3), Scalar(0.1)}}; }
  Scalar potential(const Position& q) const {
    const Scalar &x = q[0], &y = q[1], third = Scalar(1.0 / 3.0);
    return Scalar(0.5) * (x * x + y * y) + parameters[2] * (x * x * y - third * (y * y * y));
  }
};

using System = HenonHeiles<double>;
const Vec<double, 3> parameters{{1.3, 0.8, 0.9}};
static_assert(check_system<System>());
static_assert(HolonomicSystem<System>);
static_assert(on_holonomic[0].without(capabilities_of<System>()).empty());

struct End {
  NodeState<double, 2> node;
  double status, energy_error;
};
template <class Scheme>
End end_of(double h, int steps) {
  Settings settings = standard_settings(Scheme::info());
  settings.tolerance = 0.0;
  const System system(parameters);
  const Scheme scheme(system, h, settings);
  auto q = system.initial_position(), v = system.initial_velocity();
  EXPECT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
  Record<Scheme> record;
  start_record(system, scheme, {q, momentum_of(system, q, v), v}, 0.0, record);
  advance_record<Scheme, DifficultSteps::redone>(parameters, h, Composition{}, settings,
                                                 static_cast<double>(steps), record);
  return {scheme.node(record.carried), record[Column::status], record[Column::max_energy_error]};
}

template <class Scheme>
class Unconstrained : public testing::Test {};
using Schemes = testing::Types<Ems<System>, GglMp<System>, GglVi<System>, ViA<System>, ViB<System>,
                               Rattle<System>, Livens<System>, DelMultiplier<System>>;
TYPED_TEST_SUITE(Unconstrained, Schemes);

TYPED_TEST(Unconstrained, RunsToItsOrder) {
  const Vec<double, 2> exact = end_of<Ems<System>>(1.0 / 8192, 8192).node.q;
  const auto error = [&](int n) {
    const End end = end_of<TypeParam>(1.0 / n, n);
    EXPECT_EQ(end.status, 0.0);
    return norm_inf(end.node.q - exact);
  };
  // The next term of the expansion is of the relative size h.
  EXPECT_NEAR(std::log2(error(64) / error(128)), TypeParam::info().order, 0.1);
}

// A state is its Scalars and nothing else: empty members must not pad it.
TYPED_TEST(Unconstrained, CarriesNoPadding) {
  constexpr int d = System::coordinates;
  constexpr int entries = std::is_same_v<TypeParam, DelMultiplier<System>>
                              ? 5 * d + 2                                   // q, c, p and two more; h, 0 or 1
                          : std::is_same_v<TypeParam, ViB<System>> ? 3 * d  // q, p, v
                                                                   : 2 * d;  // q, p
  EXPECT_EQ(sizeof(typename TypeParam::Carried), entries * sizeof(double));
}

TEST(Unconstrained, EnergyIsConserved) {
  // 1000 steps, each off by the round-off of some tens of operations on energies below one.
  EXPECT_LT(end_of<Ems<System>>(0.05, 1000).energy_error, 1000 * 64 * eps);
  EXPECT_LT(end_of<Livens<System>>(0.05, 1000).energy_error, 1000 * 64 * eps);
}

Vec<double, 2> random_point(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  return {{uniform(random), uniform(random)}};
}

TEST(FromPotential, DiscreteGradientIsExactAtEveryDistance) {
  std::mt19937_64 random(7);
  const System system(parameters);
  for (double distance = 1.0; distance > 1e-16; distance *= 0.1) {
    const Vec<double, 2> q0 = random_point(random), q1 = q0 + distance * random_point(random);
    const double V0 = system.potential(q0), V1 = system.potential(q1);
    // A dozen roundings of numbers no larger than the scale.
    EXPECT_NEAR(dot(system.discrete_gradient(q0, q1), q1 - q0), V1 - V0,
                16 * eps * (std::abs(V0) + std::abs(V1) + norm_inf(system.gradient(q0)) * distance));
    // Near its limit it is DV at the middle: the correction is O(distance^2), third derivatives are below 3,
    // and what round-off leaves of b, eps V/|Dq| after division, is kept only where b is larger.
    EXPECT_LT(norm_inf(system.discrete_gradient(q0, q1) - system.gradient(0.5 * (q0 + q1))),
              distance * distance + 16 * eps);
  }
  const Vec<double, 2> q = random_point(random), at = system.discrete_gradient(q, q), DV = system.gradient(q);
  EXPECT_EQ(at[0], DV[0]);
  EXPECT_EQ(at[1], DV[1]);
}

TEST(FromPotential, JacobianEqualsDualNumbers) {
  using D = Dual<2, double>;
  std::mt19937_64 random(8);
  const System system(parameters);
  const HenonHeiles<D> dual(constants<D>(parameters));
  for (int sample = 0; sample < 20; ++sample) {
    const auto q0 = random_point(random), q1 = random_point(random);
    const auto J = system.discrete_gradient_jacobian(q0, q1);
    const auto by_duals = dual.discrete_gradient(constants<D>(q0), variables<D>(q1));
    // Quotients by Dq.Dq of numbers of the size of one.
    const double bound = 64 * eps * (1.0 + 1.0 / dot(q1 - q0, q1 - q0));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_NEAR(J(i, j), by_duals[i].partial[j], bound);
  }
}

/// DV, and D^2 V where the system has it, against duals of V.
template <class Tested>
void expect_derivatives(std::mt19937_64& random) {
  constexpr int d = Tested::coordinates;
  Vec<double, Tested::parameter_count> values;
  std::uniform_real_distribution<double> factor(0.7, 1.5), near(-0.3, 0.3);
  int k = 0;
  for (const ParameterInfo& parameter : Tested::info().parameters)
    for (const double standard : parameter.defaults) values[k++] = factor(random) * standard;
  const Tested system(values);
  auto q = system.initial_position();
  for (int i = 0; i < d; ++i) q[i] += near(random);
  const auto DV = system.gradient(q), lifted = lifted_gradient<Tested>(values, q);
  double largest = 1.0;
  for (int i = 0; i < d; ++i) largest = max(largest, abs(DV[i]));
  // Polynomials of degree four in some tens of operations.
  for (int i = 0; i < d; ++i) EXPECT_NEAR(DV[i], lifted[i], 64 * eps * largest);
  if constexpr (requires { system.hessian(q); }) {
    const auto K = system.hessian(q), by_duals = lifted_hessian<Tested>(values, q);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        EXPECT_NEAR(Tested::stiff(i, j) ? K(i, j) : 0.0, by_duals(i, j), 64 * 4 * eps * largest)
            << i << " " << j;
  }
}

TEST(FromPotential, AgreesWithWhatSystemsGive) {
  std::mt19937_64 random(9);
  for (int sample = 0; sample < 10; ++sample) {
    expect_derivatives<FourParticle<double>>(random);
    expect_derivatives<SpringPendulum<double>>(random);
  }
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
