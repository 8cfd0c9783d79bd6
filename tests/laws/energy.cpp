// Energy balance E_n - E_0 + dissipated - work (equations/systems.md). Exact schemes keep it to round-off,
// with damping too; the others to their order.

#include <algorithm>

#include "kernels/description/standard_tolerance.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Energy);

/// Largest error of the balance relative to the energies it is a sum of.
double relative_error(const PairKernels& pair, const Instance& instance, int steps) {
  Ensemble ensemble(pair, {instance});
  ensemble.advance(steps);
  EXPECT_EQ(ensemble.status(0), Status::ok);
  return ensemble.column(0, Column::max_energy_error) / ensemble.column(0, Column::energy_scale);
}

void expect_balance(const PairKernels& pair, Damping damping) {
  Random random(2);
  for (int sample = 0; sample < 5; ++sample) {
    Instance instance = draw(*pair.system, random, damping);
    // The linkage's own step is so short that errors would be round-off.
    if (pair.system->info->name == std::string("double_four_bar")) instance.h *= 10.0;
    const int steps = 128;
    if (claims(pair, damping).exact_energy) {
      // A step rounds some twenty products of the size of the energy; the full forms do it with a systematic
      // part of about eps a step (reduced.md, section 3), so the bound grows with the steps and not with
      // their square root.
      // The full form of livens has q alone as its unknown: rounding it moves the velocity by eps |q|/h.
      const bool position_alone =
          pair.scheme->name == std::string("livens") && pair.form == std::string("full");
      const double velocity = position_alone ? largest(instance.q) / (instance.h * largest(instance.v)) : 1.0;
      EXPECT_LT(relative_error(pair, instance, steps), 8 * eps * steps * std::max(1.0, velocity));
      continue;
    }
    instance.h *= 0.5;
    const double coarse = relative_error(pair, instance, steps);
    instance.h *= 0.5;
    const double fine = relative_error(pair, instance, 2 * steps);
    // Both runs end at the same time. The largest error is taken at nodes, which moves it by O(h) of itself.
    EXPECT_GT(std::log2(coarse / fine), pair.scheme->order - 0.15) << coarse << ", " << fine;
    EXPECT_GT(fine, 100 * eps * steps) << "round-off: an exact scheme should claim so";
  }
}

TEST_P(Energy, BalanceWithoutDamping) { expect_balance(GetParam(), Damping::off); }
TEST_P(Energy, BalanceWithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  expect_balance(GetParam(), Damping::on);
}

// The standard tolerance of a scheme that promises round-off is round-off, at its own step and at shorter
// ones: an error that the tolerance left would grow as h shrinks, since a scaled residual r is r/h in every
// velocity.
TEST_P(Energy, IsExactWithTheStandardTolerance) {
  const PairKernels& pair = GetParam();
  if (pair.precision != Precision::full || !pair.scheme->exact_energy)
    GTEST_SKIP() << "the scheme does not claim it";
  Random random(7);
  Instance instance = draw(*pair.system, random, Damping::off);
  const int steps = 128;
  for (const double shorter : {1.0, 0.5, 0.5}) {
    instance.h *= shorter;
    Settings settings = Ensemble::to_round_off(pair);
    settings.tolerance = standard_tolerance(*pair.system->info, *pair.scheme, settings, instance.h);
    Ensemble ensemble(pair, {instance}, settings);
    ensemble.advance(steps);
    ASSERT_EQ(ensemble.status(0), Status::ok);
    // As in expect_balance(), but rounding q may move the velocity by eps |q|/h, whatever the form: as a step
    // becomes shorter that is what is left. What a tolerance of 1e-10 leaves is a hundred times as much and
    // more.
    const double velocity = largest(instance.q) / (instance.h * largest(instance.v));
    EXPECT_LT(ensemble.column(0, Column::max_energy_error) / ensemble.column(0, Column::energy_scale),
              8 * eps * steps * std::max(1.0, velocity))
        << "h = " << instance.h;
  }
}

// A motion that starts at rest where V is zero has no energy, and yet an error relative to what it comes to:
// half of that is far beyond the error of a scheme of second order. One of first order has p and v half a
// step apart, and in its first step from rest an error as large as its energy.
TEST_P(Energy, ScaleIsThatOfTheMotion) {
  const PairKernels& pair = GetParam();
  if (pair.system->info->name != std::string("double_spherical_pendulum") || pair.scheme->order < 2)
    GTEST_SKIP() << "for a pendulum let go from the horizontal, of second order";
  Random random(8);
  Instance instance = draw(*pair.system, random, Damping::off);
  const double length[] = {instance.parameters[2], instance.parameters[3]};
  instance.q = {length[0], 0.0, 0.0, length[1], 0.0, 0.0};
  std::ranges::fill(instance.v, 0.0);
  Settings settings = Ensemble::to_round_off(pair);
  settings.energy_balance = 0.5;
  Ensemble ensemble(pair, {instance}, settings);
  EXPECT_EQ(ensemble.column(0, Column::energy_scale), 0.0);
  double kinetic = 0.0;
  for (int n = 0; n < 200; ++n) {
    ensemble.advance(1);
    const Node node = ensemble.node(0);
    double p_v = 0.0;
    for (std::size_t i = 0; i < node.p.size(); ++i) p_v += node.p[i] * node.v[i];
    kinetic = std::max(kinetic, 0.5 * std::abs(p_v));
    EXPECT_NEAR(ensemble.column(0, Column::energy_scale), kinetic, 64 * eps * kinetic) << n;
  }
  EXPECT_EQ(ensemble.status(0), Status::ok);
  EXPECT_GT(kinetic, 0.0);
}

TEST_P(Energy, DampingDissipates) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  Random random(3);
  const Instance instance = draw(*GetParam().system, random, Damping::on);
  Ensemble ensemble(GetParam(), {instance});
  ensemble.advance(100);
  const bool has_damping = [&] {
    for (const ParameterInfo& parameter : GetParam().system->info->parameters)
      if (parameter.damps) return true;
    return false;
  }();
  // C is positive semidefinite and the motion generic: energy is lost, and not to round-off.
  if (has_damping) {
    EXPECT_GT(ensemble.column(0, Column::dissipated_energy), 1e-6 * ensemble.column(0, Column::energy_scale));
  } else {
    EXPECT_EQ(ensemble.column(0, Column::dissipated_energy), 0.0);
  }
}

}  // namespace livens::laws
