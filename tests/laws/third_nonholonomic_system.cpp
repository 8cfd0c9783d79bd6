// A nonholonomic system that livens does not have runs with every scheme of the family from one class: the
// particle with z' = y x' in a harmonic potential, constant M, no b, no loads, no closed form.

#define LIVENS_ISA laws_third
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/schemes/contact_1.hpp"
#include "kernels/schemes/contact_2.hpp"
#include "kernels/schemes/lagrange_dalembert.hpp"
#include "kernels/stepping/advance.hpp"
#include "kernels/stepping/projection.hpp"
#include "kernels/systems/shared/inertia.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

/// q = (z, x, y).
template <class Scalar_>
struct Particle {
  using Scalar = Scalar_;
  template <class Other>
  using Over = Particle<Other>;
  static constexpr int coordinates = 3, constraints = 1, momentum_maps = 0, parameter_count = 3;
  using Position = Vec<Scalar, 3>;
  static const SystemInfo& info() {
    static const SystemInfo info{"particle", "", "", "z, x, y", 3, 1, 0, true, {}, "contact_2", 0.1, 1.0};
    return info;
  }
  DiagonalInertia<Scalar, 1> inertia;
  Scalar stiffness, alpha;
  explicit Particle(const Vec<Scalar, 3>& p)
      : inertia(Vec<Scalar, 1>{{p[0]}}), stiffness(p[1]), alpha(p[2]) {}

  Position initial_position() const { return {{Scalar(0.1), Scalar(0.4), Scalar(0.7)}}; }
  Position initial_velocity() const { return {{Scalar(0.0), Scalar(1.0), Scalar(-0.5)}}; }
  Scalar potential(const Position& q) const { return Scalar(0.5) * stiffness * dot(q, q); }
  Scalar potential_scale(const Position& q) const { return potential(q); }
  Position gradient(const Position& q) const { return stiffness * q; }
  Vec<Scalar, 0> momentum_map(const Position&, const Position&) const { return {}; }
  Scalar dissipation_rate() const { return alpha; }

  Mat<Scalar, 1, 3> constraint_matrix(const Position& q) const { return {{Scalar(1.0), -q[2], Scalar(0.0)}}; }
  Mat<Scalar, 1, 3> constraint_slope(const Position&, const Position& x, const Scalar&) const {
    return {{Scalar(0.0), Scalar(0.0), -x[1]}};
  }
  static constexpr bool bends(int j) { return j == 2; }
};

struct End {
  NodeState<double, 3> node;
  double status, constraint;
};
template <class Scheme>
End end_of(double h, int steps, Settings settings = standard_settings(Scheme::info())) {
  settings.tolerance = 0.0;
  const Vec<double, 3> parameters{{1.7, 2.3, 0.2}};
  const Particle<double> system(parameters);
  const Scheme scheme(system, h, settings);
  auto q = system.initial_position(), v = system.initial_velocity();
  EXPECT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
  Record<Scheme> record;
  start_record(system, scheme, {q, momentum_of(system, q, v), v}, 0.0, record);
  advance_record<Scheme, DifficultSteps::redone>(parameters, h, Composition{}, settings,
                                                 static_cast<double>(steps), record);
  return {scheme.node(record.carried), record[Column::status], record[Column::max_velocity_constraint]};
}

template <class Scheme>
void expect_order(double order, const Settings& settings = standard_settings(Scheme::info())) {
  const Vec<double, 3> exact = end_of<Contact2<Particle<double>>>(1.0 / 8192, 8192).node.q;
  const auto error = [&](int n) {
    const End end = end_of<Scheme>(1.0 / n, n, settings);
    EXPECT_EQ(end.status, 0.0);
    EXPECT_LT(end.constraint, 64 * 2.2e-16);  // some ten products of the size of one
    return norm_inf(end.node.q - exact);
  };
  // The next term of the expansion is of the relative size h/T.
  EXPECT_NEAR(std::log2(error(128) / error(256)), order, 0.06);
}

TEST(ThirdNonholonomicSystem, RunsWithEveryScheme) {
  using System = Particle<double>;
  expect_order<Contact1<System>>(1.0);
  expect_order<Contact2<System>>(2.0);
  expect_order<LagrangeDalembert<System>>(1.0);
  using Variant = LagrangeDalembertDescription::Variant;
  Settings symmetric = standard_settings(LagrangeDalembertDescription::info);
  symmetric.options[LagrangeDalembertDescription::variant.place] = static_cast<double>(Variant::symmetric);
  expect_order<LagrangeDalembert<System>>(2.0, symmetric);
  Settings naive = standard_settings(Contact2Description::info);
  naive.options[start_option.place] = static_cast<double>(Start::naive);
  expect_order<Contact2<System>>(1.0, naive);
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
