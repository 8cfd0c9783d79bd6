// Momentum maps: conserved to round-off where the symmetry is not broken by damping.

#include <cmath>
#include <set>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Momentum);

/// Largest error relative to the terms q_i p_j it is a sum of.
double relative_momentum_error(const PairKernels& pair, const Instance& instance, int steps) {
  Ensemble ensemble(pair, {instance});
  const Node start = ensemble.node(0);
  const double scale = largest(start.q) * largest(start.p);
  ensemble.advance(steps);
  EXPECT_EQ(ensemble.status(0), Status::ok);
  return ensemble.column(0, Column::max_momentum_error) / scale;
}

TEST_P(Momentum, MapsAreConserved) {
  const PairKernels& pair = GetParam();
  if (pair.system->info->momentum_maps == 0) GTEST_SKIP() << "the system has none";
  if (!claims(pair).momentum) GTEST_SKIP() << "the scheme does not claim it";
  Random random(4);
  const int steps = 200;
  for (int sample = 0; sample < 10; ++sample) {
    const Instance instance = draw(*pair.system, random, Damping::off);
    // About 2 d products a step, each rounded to eps/2 of a term not more than a few times the initial ones.
    EXPECT_LT(relative_momentum_error(pair, instance, steps), 16 * eps * steps);
  }
}

// What a step rounds does not grow as it becomes shorter: a momentum that came from a difference of positions
// would be off by eps |q| m/h, and walk with it.
TEST_P(Momentum, MapsOfReducedVectorsAreRoundedAsMomenta) {
  const PairKernels& pair = GetParam();
  if (pair.system->info->name != std::string("four_particle") || pair.form != std::string("reduced") ||
      pair.precision != Precision::full || !claims(pair).momentum)
    GTEST_SKIP() << "not a reduced form of vectors in space";
  Random random(9);
  Instance instance = draw(*pair.system, random, Damping::off);
  instance.h *= 0.02;
  // Twenty roundings a step of momenta of this size, each half of eps, add up as their root: six deviations
  // of a walk of `steps`, for each of the four particles.
  const int steps = 10000;
  EXPECT_LT(relative_momentum_error(pair, instance, steps), 6 * std::sqrt(20.0 * steps) * 0.5 * eps * 4);
}

TEST_P(Momentum, ViscousElementsThatBreakTheSymmetryShow) {
  const PairKernels& pair = GetParam();
  // Full velocities, of ends relative to each other or of masses (systems.md): the elements exert a torque.
  const std::set<std::string> torque = {"four_particle", "heavy_top", "double_spherical_pendulum",
                                        "unit_circle"};
  if (!pair.damped || !torque.contains(pair.system->info->name)) GTEST_SKIP() << "no such elements";
  Random random(5);
  const Instance instance = draw(*pair.system, random, Damping::on);
  EXPECT_GT(relative_momentum_error(pair, instance, 200), 1e-6);
}

// The element beside the pendulum's spring exerts no torque.
TEST_P(Momentum, RadialElementsLeaveTheMap) {
  const PairKernels& pair = GetParam();
  if (pair.system->info->name != std::string("spring_pendulum")) GTEST_SKIP() << "no such element";
  Random random(6);
  const int steps = 200;
  const Instance instance = draw(*pair.system, random, Damping::on);
  EXPECT_LT(relative_momentum_error(pair, instance, steps), 16 * eps * steps);
}

}  // namespace livens::laws
