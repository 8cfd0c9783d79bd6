// The quantities evaluated at a node are those that the reference measures on the same state, written down
// without a look at the kernels.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/agreement/models.hpp"
#include "tests/laws/ensemble.hpp"
#include "tests/laws/tables.hpp"

namespace livens::laws {
namespace {

/// Values of NodeView::sampled at node 0.
std::vector<double> sampled_at_start(const PairKernels& pair, const Instance& instance) {
  const SystemInfo& info = *pair.system->info;
  Arrays arrays(info, {instance});
  arrays.records.assign(static_cast<std::size_t>(arrays.size()) * pair.record_width, 0.0);
  std::vector<std::uint8_t> status(arrays.size());
  const Settings settings = Ensemble::to_round_off(pair);
  pair.system->momenta(arrays.batch(), 0, arrays.size());
  pair.start(arrays.batch(), settings, status.data(), 0, arrays.size());
  const std::size_t d = info.coordinates, m = info.constraints, s = info.momentum_maps;
  std::vector<double> q(d), v(d), p(d), lambda(m), gamma(m), momentum(s),
      sampled(sampled_entries(extents_of(info)));
  NodeView view{q.data(),        v.data(), p.data(), lambda.data(), gamma.data(),
                momentum.data(), 0.0,      0.0,      0.0,           sampled.data()};
  pair.node(arrays.batch(), nullptr, 0, view);
  return sampled;
}

/// The reference's values for a row, none where the row is of the node's own state.
std::vector<double> expected(Sampled quantity, const reference::Node& node) {
  switch (quantity) {
    case Sampled::energy:
      return {node.energy};
    case Sampled::kinetic_energy:
      return {node.kinetic_energy};
    case Sampled::potential_energy:
      return {node.potential_energy};
    case Sampled::total_energy:
      return {node.total_energy};
    case Sampled::q:
      return list_of(node.q);
    case Sampled::v:
      return list_of(node.v);
    case Sampled::p:
      return list_of(node.p);
    case Sampled::momentum:
      return list_of(node.momentum);
    case Sampled::constraint:
      return list_of(node.constraints);
    case Sampled::velocity_constraint:
      return list_of(node.rates);
    case Sampled::own:
      return list_of(node.own);
    default:
      return {};
  }
}

void expect_agreement(const PairKernels& pair) {
  const SystemInfo& info = *pair.system->info;
  std::mt19937_64 random(60);
  for (int sample = 0; sample < 4; ++sample) {
    const Instance instance = draw(*pair.system, random, Damping::off);
    const reference::Options options{pair.scheme->name, instance.h};
    const reference::Integrator reference(model_of(info, instance), options,
                                          {vector_of(instance.q), vector_of(instance.v)});
    const reference::Node& node = reference.node();
    const std::vector<double> found = sampled_at_start(pair, instance);
    // Sums of some thirty products of entries of q, v, p and the parameters, each rounded on its own on
    // either side; a reduced form has gone to its own vectors and back.
    const double q = std::max(1.0, largest(instance.q)), v = std::max(1.0, largest(instance.v)),
                 p = std::max(1.0, node.p.cwiseAbs().maxCoeff());
    const double energy = std::abs(node.potential_energy) + node.kinetic_energy + p * v * q;
    const double bound = 64 * eps * std::max({energy, q * q, q * v, p * q});
    for (const SampledRow& row : sampled_rows) {
      const std::vector<double> exact = expected(row.quantity, node);
      const int entries = entries_of(row.entries, extents_of(info));
      ASSERT_EQ(static_cast<int>(exact.size()), entries) << row.name;
      for (int k = 0; k < entries; ++k)
        EXPECT_NEAR(found[sampled_entries(extents_of(info), row.quantity) + k], exact[k], bound)
            << name_of(pair) << ' ' << row.name << '[' << k << ']';
    }
  }
}

TEST(Quantities, AreThoseOfTheReference) {
  for (const PairKernels& pair : pairs()) expect_agreement(pair);
}

}  // namespace
}  // namespace livens::laws
