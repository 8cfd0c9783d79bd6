// The running columns of a record are what a user would compute from the nodes with the system's own
// functions.

#include "kernels/stepping/advance.hpp"
#include "tests/laws/inside.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using Coordinates = Vec<double, tested_coordinates>;

Coordinates vector_of(const std::vector<double>& values) {
  Coordinates r;
  for (int i = 0; i < tested_coordinates; ++i) r[i] = values[i];
  return r;
}

/// max |a_i - b_i|, zero of nothing.
template <int S>
double largest_change(const Vec<double, S>& a, const Vec<double, S>& b) {
  if constexpr (S > 0) return norm_inf(a - b);
  return 0.0;
}

/// H(q, p) (contract, section 3); for livens p.v - T(q, v) + V(q).
double energy_of(const TestedSystem& system, const std::string& scheme,
                 const NodeState<double, tested_coordinates>& n) {
  const double V = system.potential(n.q);
  if (scheme == "livens") return dot(n.p, n.v) - 0.5 * dot(n.v, momentum_of(system, n.q, n.v)) + V;
  return 0.5 * dot(n.p, velocity_of(system, n.q, n.p)) + V;
}

void equal_what_the_nodes_give(const PairKernels& pair) {
  laws::Random random(40);
  const laws::Instance instance =
      laws::draw(*pair.system, random, pair.damped ? laws::Damping::on : laws::Damping::off);
  Vec<double, TestedSystem::parameter_count> parameters;
  for (int k = 0; k < TestedSystem::parameter_count; ++k) parameters[k] = instance.parameters[k];
  const TestedSystem system(parameters);

  laws::Ensemble ensemble(pair, {instance});
  const auto measured = [&] {
    const laws::Node node = ensemble.node(0);
    const NodeState<double, tested_coordinates> state{vector_of(node.q), vector_of(node.p),
                                                      vector_of(node.v)};
    auto at = measure_node(system, state, Measuring::all);
    at.energy = energy_of(system, pair.scheme->name, state);
    return at;
  };
  const auto start = measured();
  const double E = ensemble.column(0, Column::energy_scale);
  const Coordinates q0 = vector_of(instance.q), v0 = vector_of(instance.v);
  const double kinetic = 0.5 * dot(v0, momentum_of(system, q0, v0));
  const double q_p = max(1.0, laws::largest(instance.q)) * max(1.0, laws::largest(ensemble.node(0).p));
  // A reduced scheme measures in its own vectors, so that both sides round some twenty terms on their own.
  const double rounding = 64 * laws::eps;
  EXPECT_NEAR(E, max(abs(start.energy), kinetic + system.potential_scale(vector_of(instance.q))),
              rounding * E);
  EXPECT_NEAR(ensemble.column(0, Column::initial_energy), start.energy, rounding * E);
  EXPECT_EQ(ensemble.column(0, Column::max_energy_error), 0.0);

  // Each running column against the nodes, to round-off; what is kept of it over the steps, to the bit.
  double error = 0.0, sum = 0.0, momentum = 0.0, scale = E;
  double constraint = ensemble.column(0, Column::constraint),
         velocity = ensemble.column(0, Column::velocity_constraint);
  EXPECT_NEAR(constraint, start.constraint, rounding * q_p);
  EXPECT_NEAR(velocity, start.velocity_constraint, rounding * q_p / instance.h);
  const int steps = 50;
  for (int n = 1; n <= steps; ++n) {
    ensemble.advance(1);
    const auto now = measured();
    const double e = ensemble.column(0, Column::energy_error);
    EXPECT_NEAR(e,
                now.energy - start.energy + ensemble.column(0, Column::dissipated_energy) -
                    ensemble.column(0, Column::work),
                rounding * E);
    EXPECT_NEAR(ensemble.column(0, Column::constraint), now.constraint, rounding * q_p);
    EXPECT_NEAR(ensemble.column(0, Column::velocity_constraint), now.velocity_constraint,
                rounding * q_p / instance.h);
    EXPECT_NEAR(ensemble.column(0, Column::momentum_error), largest_change(now.momentum, start.momentum),
                rounding * q_p);
    EXPECT_GE(ensemble.column(0, Column::energy_scale), scale);
    scale = ensemble.column(0, Column::energy_scale);
    error = max(error, abs(e));
    sum = fma(e, e, sum);
    constraint = max(constraint, ensemble.column(0, Column::constraint));
    velocity = max(velocity, ensemble.column(0, Column::velocity_constraint));
    momentum = max(momentum, ensemble.column(0, Column::momentum_error));
    EXPECT_EQ(ensemble.column(0, Column::max_energy_error), error);
    EXPECT_EQ(ensemble.column(0, Column::sum_squared_energy_error), sum);
    EXPECT_EQ(ensemble.column(0, Column::max_constraint), constraint);
    EXPECT_EQ(ensemble.column(0, Column::max_velocity_constraint), velocity);
    EXPECT_EQ(ensemble.column(0, Column::max_momentum_error), momentum);
  }
  ASSERT_EQ(ensemble.status(0), Status::ok);
  EXPECT_EQ(ensemble.column(0, Column::steps), steps);
}

/// The host finds the values of SystemInfo::observables behind the initial momentum maps.
template <class Scheme>
void observables_stand_first() {
  using System = typename Scheme::System;
  if constexpr (WatchedSystem<System>) {
    EXPECT_EQ(System::Watch::observables, static_cast<int>(System::info().observables.size()));
    EXPECT_LE(System::Watch::observables * sizeof(double), sizeof(typename System::Watch));
    Record<Scheme> record{};
    EXPECT_EQ(static_cast<const void*>(&record.watch), static_cast<const void*>(&record.columns + 1));
  } else {
    EXPECT_TRUE(System::info().observables.empty());
    EXPECT_EQ(Record<Scheme>::width(),
              Record<Scheme>::common + System::momentum_maps +
                  static_cast<int>(sizeof(typename Scheme::Carried) / sizeof(double)));
  }
}

template <class Scheme>
void columns_of_pair() {
  observables_stand_first<Scheme>();
  for (const PairKernels& pair : laws::pairs())
    if (laws::name_of(pair) == tested_pair<Scheme>()) return equal_what_the_nodes_give(pair);
  FAIL() << "no such pair";
}

const bool columns_registered = [] {
  for_each_compiled<TestedSystem, Forms::LAWS_FORMS>([](auto type) {
    using Scheme = typename decltype(type)::type;
    register_check("Columns", tested_pair<Scheme>(), __FILE__, __LINE__, columns_of_pair<Scheme>);
  });
  return true;
}();

}  // namespace
}  // namespace livens::inline LIVENS_ISA
