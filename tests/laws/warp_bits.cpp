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

void expect_the_bits_of_one_instance(const PairKernels& pair, Damping damping, const Settings& settings) {
  const auto instances = beside_bad_ones(pair, damping, count);
  Ensemble on_warps(pair, instances, settings), alone(find_first(pair), instances, settings);
  for (const bool downwards : {false, true}) {
    warps_run_downwards = downwards;
    on_warps.advance(pair.unknowns > warp_size ? 5 : 20);
    alone.advance(pair.unknowns > warp_size ? 5 : 20);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(on_warps.record(i), alone.record(i)))
          << (downwards ? "downwards" : "upwards") << ", instance " << i;
  }
  warps_run_downwards = false;
  EXPECT_NE(on_warps.status(not_finite), Status::ok);
  EXPECT_EQ(on_warps.status(not_finite + 1), Status::ok);
}

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
  expect_the_bits_of_one_instance(GetParam(), GetParam().damped ? Damping::on : Damping::off, settings);
}

}  // namespace
}  // namespace livens::laws
