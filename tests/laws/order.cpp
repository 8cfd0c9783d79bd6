// Order of convergence: a scheme of order r leaves an error C h^r + O(h^(r+1)) in q and p at a fixed time.
// The solution it is compared with is that of a second-order scheme of the same system at a step 16 times
// smaller than the smallest, so that every scheme of a system must converge to the same motion. States are
// random: from the paper's own state of four_particle ggl_vi looks second order, because DV(q0) = 0 there.

#include "kernels/description/standard_tolerance.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

/// q and p at time T = steps h.
std::vector<double> end_state(const PairKernels& pair, Instance instance, double end, int steps,
                              double tolerance = 0.0) {
  instance.h = end / steps;
  Settings settings = Ensemble::to_round_off(pair);
  settings.tolerance = tolerance;
  Ensemble ensemble(pair, {instance}, settings);
  ensemble.advance(steps);
  EXPECT_EQ(ensemble.status(0), Status::ok);
  const Node node = ensemble.node(0);
  std::vector<double> state = node.q;
  state.insert(state.end(), node.p.begin(), node.p.end());
  return state;
}

const PairKernels& second_order_pair(const SystemKernels& system, Damping damping) {
  for (const PairKernels& pair : pairs()) {
    const bool suits = pair.scheme->order == 2 && (damping == Damping::off || pair.damped);
    if (suits && pair.system->info->name == std::string(system.info->name)) return pair;
  }
  throw std::runtime_error("no second-order scheme");
}

OVER_PAIRS(Order);

/// ggl_vi and vi_b differ from symmetric schemes only by the place of the forces; the circle has none but
/// drag. contact_1 on the disk takes nothing but alpha z from the start of a step.
int expected_order(const PairKernels& pair, Damping damping) {
  const std::string system = pair.system->info->name, scheme = pair.scheme->name;
  const bool symmetric = system == "unit_circle" || (scheme == "contact_1" && system == "rolling_disk");
  return symmetric && damping == Damping::off ? 2 : pair.scheme->order;
}

void expect_order(const PairKernels& pair, Damping damping) {
  Random random(1);
  for (int sample = 0; sample < 3; ++sample) {
    const Instance instance = draw(*pair.system, random, damping);
    // Without damping the pendulum's first-order schemes err to first order by the slow turn of the plane
    // alone; with 64 steps the next term would be half as large.
    const bool pendulum = pair.system->info->name == std::string("foucault_pendulum");
    const int finer = pendulum && pair.scheme->order == 1 ? 8 : 1, steps = 64 * finer;
    // The linkage's own step is so short that errors would be round-off.
    const double longer = pair.system->info->name == std::string("double_four_bar") ? 40.0 : 1.0;
    const double end = 0.1 * 64 * pair.system->info->default_step * longer;
    const auto exact = end_state(second_order_pair(*pair.system, damping), instance, end, 2 * steps * 16);
    const double coarse = distance(end_state(pair, instance, end, steps), exact);
    const double fine = distance(end_state(pair, instance, end, 2 * steps), exact);
    // The solution compared with is 2^-8 of `fine` away for order 2 and much closer for order 1, which moves
    // the slope by 0.005; the next term of the expansion is of the relative size h/T = 1/64, which moves it
    // by some hundredths.
    EXPECT_NEAR(std::log2(coarse / fine), expected_order(pair, damping), 0.1)
        << "errors " << coarse << ", " << fine;
    EXPECT_GT(fine, 1e-10) << "the error is round-off: the slope says nothing";
  }
}

TEST_P(Order, IsTheOneClaimed) { expect_order(GetParam(), Damping::off); }
// The tolerance taken by default follows the step: what it leaves is no more than a hundredth of what the
// step does, whose error is at least as large as the difference to half of it (order 1; more for others).
// What is beyond is round-off: 64 eps a step in q, over h in p.
TEST_P(Order, IsNotSpoiltByTheToleranceTakenByDefault) {
  const PairKernels& pair = GetParam();
  if (pair.precision != Precision::full) GTEST_SKIP() << "in single precision it is round-off";
  Random random(2);
  const Instance instance = draw(*pair.system, random, Damping::off);
  const double end = 6.4 * pair.system->info->default_step;
  for (const int steps : {16, 64, 256, 1024, 4096}) {
    const double h = end / steps, tolerance = standard_tolerance(*pair.system->info, *pair.scheme,
                                                                 Ensemble::to_round_off(pair), h);
    const auto strict = end_state(pair, instance, end, steps);
    const double error = distance(strict, end_state(pair, instance, end, 2 * steps));
    const double left = distance(strict, end_state(pair, instance, end, steps, tolerance));
    const double size = largest(strict), round_off = 64 * 0x1p-52 * steps * size * std::max(1.0, 1.0 / h);
    EXPECT_LE(left, 1e-2 * error + round_off) << "h = " << h << ", tolerance " << tolerance;
  }
}
TEST_P(Order, IsTheOneClaimedWithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  expect_order(GetParam(), Damping::on);
}

}  // namespace livens::laws
