// Identical bits on the warps of a GPU, emulated: the steps of the larger pairs, whose eliminations a warp
// shares out, are those of one instance at a time. Some instances go wrong in the middle of a warp, some are
// done before their neighbours, and the lanes of a phase run upwards or downwards.

#include <algorithm>

#include "kernels/math/gpu/emulated_warp.hpp"
#include "kernels/math/gpu/tile_lu.hpp"
#include "tests/laws/bad_neighbours.hpp"
#include "tests/laws/warps.hpp"

namespace livens::laws {
namespace {

class Warps : public PairTest {};
// A build of small systems has none.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Warps);
INSTANTIATE_TEST_SUITE_P(Pairs, Warps, ::testing::ValuesIn(warps()),
                         [](const auto& info) { return name_of(info.param); });

constexpr int count = 40;  // a warp and a part of one

/// After as many steps, or stages, and as many again.
void expect_the_bits_of_one_instance(const PairKernels& pair, Damping damping, const Settings& settings) {
  const int steps = std::max(1, (pair.unknowns > warp_size ? 5 : 20) / composition_of(settings.order).stages);
  const auto instances = beside_bad_ones(pair, damping, count);
  Ensemble on_warps(pair, instances, settings), alone(find_first(pair), instances, settings);
  for (const bool downwards : {false, true}) {
    warps_run_downwards = downwards;
    on_warps.advance(steps);
    alone.advance(steps);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(on_warps.record(i), alone.record(i)))
          << (downwards ? "downwards" : "upwards") << ", instance " << i;
  }
  warps_run_downwards = false;
  EXPECT_NE(on_warps.status(not_finite), Status::ok);
  EXPECT_EQ(on_warps.status(not_finite + 1), Status::ok);
}

Damping damping_of(const PairKernels& pair) { return pair.damped ? Damping::on : Damping::off; }

// In the forms that are compiled for CUDA: those that are taken by default, or all.
TEST(EmulatedWarps, RunEveryPairThatIsTooLargeForAThread) {
  for (const PairKernels& pair : pairs()) {
    const bool emulated = std::any_of(warps().begin(), warps().end(), [&](const PairKernels& other) {
      return name_of(other) == name_of(pair);
    });
    const bool compiled = emulated || taken_by_default(pair);
    EXPECT_EQ(emulated, compiled && pair.unknowns >= smallest_shared_out) << name_of(pair);
  }
}

TEST_P(Warps, AreOneInstanceToTheBit) {
  expect_the_bits_of_one_instance(GetParam(), Damping::off, Ensemble::to_round_off(GetParam()));
}
TEST_P(Warps, AreOneInstanceToTheBitWhereManyStepsAreRetried) {
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.tolerance = 1e-13;
  settings.max_iterations = 3;
  expect_the_bits_of_one_instance(GetParam(), damping_of(GetParam()), settings);
}
// So that all agree with the reference as one instance does (tests/agreement): with every option, and
// composed.
TEST_P(Warps, AreOneInstanceToTheBitWithEveryOption) {
  if (choices(GetParam()).size() == 1) GTEST_SKIP() << "there are no others";
  for (const Settings& settings : choices(GetParam()))
    expect_the_bits_of_one_instance(GetParam(), damping_of(GetParam()), settings);
}
TEST_P(Warps, AreOneInstanceToTheBitInComposedSteps) {
  const PairKernels& pair = GetParam();
  Settings settings = Ensemble::to_round_off(pair);
  settings.order = static_cast<std::uint8_t>(
      pair.scheme->composable(settings, pair.system->capabilities.has(Capability::regular_mass)).highest);
  if (settings.order == 0) GTEST_SKIP() << "not composed";
  expect_the_bits_of_one_instance(pair, damping_of(pair), settings);
}

}  // namespace
}  // namespace livens::laws
