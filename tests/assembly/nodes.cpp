// Nodes of the swing as it is compiled into the library against those of the reference under the same name:
// all that is measured there, with parameters of which no two are alike.

#include "host/backends/reference_options.hpp"
#include "tests/agreement/models.hpp"
#include "tests/assembly/swings.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::assemblies {
namespace {

using laws::Ensemble, laws::Instance, laws::largest, laws::list_of, reference::eps;

class Nodes : public laws::PairTest {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Nodes);  // a build may have other systems alone
INSTANTIATE_TEST_SUITE_P(Pairs, Nodes, ::testing::ValuesIn(laws::assembled_pairs()),
                         [](const auto& info) { return laws::name_of(info.param); });

/// Out of its plane and moving. Length and height are as they are, for the state is that of these.
Instance drawn(unsigned seed) {
  laws::Random random(seed);
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  const reference::State start = random_start(reference::three_bar_swing(), seed);
  const auto values = standard_parameters();
  Instance instance{
      {std::begin(values.data), std::end(values.data)}, list_of(start.q), list_of(start.v), 5e-4};
  for (std::size_t k = 2; k < instance.parameters.size(); ++k) instance.parameters[k] *= factor(random);
  return instance;
}

void expect_close(const std::vector<double>& found, const reference::VectorXd& exact, double bound,
                  const char* what) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(exact.size())) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(exact[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << what << i;
    } else {
      EXPECT_NEAR(found[i], exact[i], bound) << what << i;
    }
  }
}

/// To rounding: some eps a step of lengths and directors of size one, of which a momentum has h/2 D^2 V times
/// as much, EA/le from either side of a node. v is that over inertias, of which that of a node's directors is
/// the least, and h lambda a difference of momenta.
void expect_agreement(const PairKernels& pair, const Instance& instance, int order, int steps) {
  const reference::Model model = laws::model_of(*pair.system->info, instance);
  Settings settings = Ensemble::to_round_off(pair);
  settings.order = static_cast<std::uint8_t>(order);
  const reference::Options options = host::reference_options(*pair.scheme, settings, instance.h);
  reference::Integrator run(model, options, {laws::vector_of(instance.q), laws::vector_of(instance.v)});
  Ensemble ensemble(pair, {instance}, settings);
  const double scale = ensemble.column(0, Column::energy_scale);
  EXPECT_NEAR(scale, std::max(run.node().energy, run.node().kinetic_energy + run.node().potential_scale),
              16.0 * eps * scale);
  for (int n = 1; n <= steps; ++n) {
    ensemble.advance(1);
    run.advance();
  }
  ASSERT_EQ(ensemble.status(0), Status::ok);
  const laws::Node node = ensemble.node(0);
  const reference::Node& exact = run.node();
  const auto parameter = [&](const char* name) { return model.parameters.at(name).back(); };
  const double h = instance.h, le = 0.072,
               length = 16.0 * eps * steps * composition_of(settings.order).stages,
               momentum = h * parameter("axial_stiffness") / le * length,
               velocity = momentum / (parameter("line_inertia") * le / 6.0);
  expect_close(node.q, exact.q, length, "q");
  expect_close(node.p, exact.p, momentum, "p");
  expect_close(node.v, exact.v, velocity, "v");
  expect_close(node.lambda, exact.lambda, momentum / h, "lambda");
  expect_close(node.momentum, exact.momentum, 156.0 * momentum, "momentum");
  EXPECT_NEAR(node.energy, exact.energy, momentum * largest(node.v));
  EXPECT_NEAR(node.total_energy, exact.total_energy, momentum * largest(node.v));
  EXPECT_NEAR(ensemble.column(0, Column::work), exact.work, length * parameter("peak_load"));
  EXPECT_NE(exact.work, 0.0);
}

TEST_P(Nodes, AreThoseOfTheReference) {
  for (const unsigned seed : {21u, 22u, 23u}) expect_agreement(GetParam(), drawn(seed), 0, 40);
}

// A stage of negative length is a step like any other: only at node 0 the load may be less than whole.
TEST_P(Nodes, OfComposedStepsAreThoseOfTheReference) {
  Instance instance = drawn(24);
  for (const double load_in_start : {1.0, 0.0}) {
    instance.parameters[7] = load_in_start;
    expect_agreement(GetParam(), instance, 4, 8);
    expect_agreement(GetParam(), instance, 6, 4);
  }
}

TEST(AssembledPairs, AreKnownToTheReference) {
  for (const PairKernels& pair : laws::assembled_pairs())
    EXPECT_TRUE(reference::applicable({pair.system->info->name, {}}, pair.scheme->name))
        << laws::name_of(pair);
}

}  // namespace
}  // namespace livens::assemblies
