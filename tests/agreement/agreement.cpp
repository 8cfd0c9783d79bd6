// The fast kernels against the reference, which shares no line with them: the same node after the same steps,
// for every pair, with random parameters and states. Both solve to round-off, so the difference is round-off
// alone:
//   a step changes the state by at most some 64 eps of its size times the condition of the scaled Newton
//   matrix, a difference made in one step grows by at most `growth` until the end, and there are `steps` of
//   them.
// A larger difference is a finding, never a reason for a larger factor. In single precision eps is that of
// floats: the same bound over a few steps, where it is below one.

#include "host/backends/reference_options.hpp"
#include "reference/composition.hpp"
#include "reference/watched_integrator.hpp"
#include "tests/agreement/models.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Agreement);
OVER_SINGLE_PAIRS(AgreementInSinglePrecision);

/// Both not a number everywhere, or close everywhere.
void expect_close(const std::vector<double>& a, const reference::VectorXd& b, double bound,
                  const char* what) {
  ASSERT_EQ(a.size(), static_cast<std::size_t>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(b[i])) {
      EXPECT_TRUE(std::isnan(a[i])) << what << i;
    } else {
      EXPECT_NEAR(a[i], b[i], bound) << what << i;
    }
  }
}

/// The stages of a composed step count as steps, the shortest of them as h.
void expect_agreement(const PairKernels& pair, Damping damping, const Settings& settings, int samples = 4) {
  Random random(50);
  const Composition composition = composition_of(settings.order);
  const auto shorter = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double shortest =
      std::abs(*std::min_element(composition.factors, composition.factors + composition.stages, shorter));
  const bool single = pair.precision == Precision::single;
  const double unit = single ? std::numeric_limits<float>::epsilon() : eps;
  const int steps = single ? 5 : 40 / composition.stages, stages = steps * composition.stages;
  for (int sample = 0; sample < samples; ++sample) {
    const Instance instance = draw(*pair.system, random, damping, 0.7);
    const reference::Model model = model_of(*pair.system->info, instance);
    reference::Options options = host::reference_options(*pair.scheme, settings, instance.h);
    options.tolerance = 0.0;
    options.max_iterations = 50;
    const reference::State state{vector_of(instance.q), vector_of(instance.v)};
    reference::WatchedIntegrator reference(model, options, state);
    Ensemble ensemble(pair, {instance}, settings);
    const double E = ensemble.column(0, Column::energy_scale);
    double condition = 1.0;
    for (int n = 1; n <= steps; ++n) {
      ensemble.advance(1);
      reference.advance();
      // Of some: it takes as long as the step, and a smaller one makes the bound no wider.
      if (n % 8 == 0 || n == steps) condition = std::max(condition, reference.condition());
    }
    ASSERT_EQ(ensemble.status(0), Status::ok);
    const Node node = ensemble.node(0);
    const reference::Node& exact = reference.node();
    const double growth = reference.growth(), bound = 64 * unit * stages * condition * growth;
    const double q = std::max(largest(list_of(exact.q)), largest(instance.q));
    const double p = largest(list_of(exact.p)), v = largest(list_of(exact.v)), h = instance.h * shortest;
    expect_close(node.q, exact.q, bound * std::max(q, h * v), "q");
    expect_close(node.p, exact.p, bound * p * std::max(1.0, q / (h * v)), "p");
    expect_close(node.v, exact.v, bound * std::max(v, q / h), "v");
    // The multipliers are unknowns h^2 lambda and h gamma beside m q, m = p/v.
    expect_close(node.lambda, exact.lambda, bound * p * q / (v * h * h), "lambda");
    expect_close(node.gamma, exact.gamma, bound * p * q / (v * h), "gamma");
    EXPECT_NEAR(node.energy, exact.energy, bound * E * std::max(1.0, q / (h * v)));
    EXPECT_NEAR(ensemble.column(0, Column::dissipated_energy), exact.dissipated,
                bound * E * std::max(1.0, q / (h * v)));
    EXPECT_NEAR(ensemble.column(0, Column::work), exact.work, bound * E * std::max(1.0, q / (h * v)));
    expect_close(node.momentum, exact.momentum, bound * p * q * std::max(1.0, q / (h * v)), "momentum");
    if (std::isnan(exact.z)) {
      EXPECT_TRUE(std::isnan(node.z));
    } else {
      EXPECT_NEAR(node.z, exact.z, bound * E * steps * h);
    }
    // The top's inertias span four orders of magnitude: its condition is some 1e6 (holonomic.md, section 8).
    const bool top = pair.system->info->name == std::string("heavy_top");
    EXPECT_LT(bound / unit, (top ? 1e-5 : 1e-6) / eps)
        << "the bound is too wide to mean anything: condition " << condition << ", growth " << growth;
  }
}

void expect_agreement(const PairKernels& pair, Damping damping) {
  for (const Settings& settings : choices(pair)) expect_agreement(pair, damping, settings);
}

TEST_P(Agreement, WithoutDamping) { expect_agreement(GetParam(), Damping::off); }
TEST_P(Agreement, WithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  expect_agreement(GetParam(), Damping::on);
}

TEST_P(Agreement, OfComposedSteps) {
  const PairKernels& pair = GetParam();
  const bool regular_mass = pair.system->capabilities.has(Capability::regular_mass);
  for (Settings settings : choices(pair)) {
    const int highest = pair.scheme->composable(settings, regular_mass).highest;
    if (highest == 0) continue;
    settings.order = static_cast<std::uint8_t>(highest);
    expect_agreement(pair, pair.damped ? Damping::on : Damping::off, settings, 1);
    return;
  }
  GTEST_SKIP() << "not composed";
}

TEST(Agreement, LengthsOfStagesAgree) {
  for (const ComposedOrder& row : composed_orders) {
    const Composition composition = composition_of(row.order);
    const auto lengths = reference::printed_lengths(row.order);
    ASSERT_EQ(static_cast<std::size_t>(composition.stages), lengths.size());
    for (std::size_t s = 0; s < lengths.size(); ++s)
      EXPECT_EQ(composition.factors[s], std::stod(lengths[s])) << "order " << row.order << ", stage " << s;
  }
}

TEST_P(AgreementInSinglePrecision, WithoutDamping) { expect_agreement(GetParam(), Damping::off); }
TEST_P(AgreementInSinglePrecision, WithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  expect_agreement(GetParam(), Damping::on);
}

TEST(Agreement, TheReferenceKnowsThePairs) {
  for (const PairKernels& pair : pairs())
    EXPECT_TRUE(reference::applicable({pair.system->info->name, {}}, pair.scheme->name)) << name_of(pair);
}

TEST(Agreement, ProjectionsAgree) {
  Random random(51);
  for (const PairKernels& pair : pairs()) {
    for (int sample = 0; sample < 10; ++sample) {
      Instance instance = draw(*pair.system, random, Damping::off);
      const double scale = length_scale(*pair.system->info);
      std::uniform_real_distribution<double> uniform(-0.1 * scale, 0.1 * scale);
      for (double& x : instance.q) x += uniform(random);
      for (double& x : instance.v) x += uniform(random);
      const reference::State exact = reference::project(model_of(*pair.system->info, instance),
                                                        {vector_of(instance.q), vector_of(instance.v)});
      Arrays arrays(*pair.system->info, {instance});
      std::vector<std::uint8_t> status(arrays.size());
      pair.system->make_consistent(arrays.batch(), Consistency::project, status.data(), 0, arrays.size());
      ASSERT_EQ(status[0], 0);
      const std::size_t d = instance.q.size();
      // Conditions of the KKT systems are a few tens (mass ratios below ten); the top's, whose mass is 3000
      // times its inertias, and the closed loops of the linkage have some thousands.
      const bool small = pair.system->info->constraints <= 2;
      const double bound = 64 * eps * (small ? 30 : 5000);
      expect_close({arrays.q.begin(), arrays.q.begin() + d}, exact.q,
                   bound * std::max(1.0, largest(instance.q)), "q");
      expect_close({arrays.v.begin(), arrays.v.begin() + d}, exact.v,
                   bound * std::max(1.0, largest(instance.v)), "v");
    }
  }
}

}  // namespace livens::laws
