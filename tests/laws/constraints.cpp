// Constraints on positions are round-off at every node; those on velocities where the scheme claims so,
// otherwise small of its order.

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Constraints);

TEST_P(Constraints, PositionsAreOnTheManifold) {
  const PairKernels& pair = GetParam();
  if (!claims(pair).position_constraint) GTEST_SKIP() << "the scheme does not claim it";
  Random random(6);
  const int steps = 200;
  for (int sample = 0; sample < 10; ++sample) {
    const Instance instance = draw(*pair.system, random, Damping::off);
    Ensemble ensemble(pair, {instance});
    const double size = std::max(1.0, largest(instance.q));
    ensemble.advance(steps);
    ASSERT_EQ(ensemble.status(0), Status::ok);
    // g is a sum of squares of coordinates: evaluating it alone costs some eps |q|^2. Newton's last error is
    // below 1e-16 times the curvature of g, which is one or the inverse square of a length. A scheme that
    // multiplies rotations adds about eps a step to it, with random signs (multibody.md, section 1).
    const double walk = claims(pair).unit_vectors_drift ? std::sqrt(steps) : 1.0;
    EXPECT_LT(ensemble.column(0, Column::max_constraint), 16 * eps * size * size * walk);
  }
}

double largest_error(Column column, const PairKernels& pair, const Instance& instance, int steps) {
  Ensemble ensemble(pair, {instance});
  ensemble.advance(steps);
  EXPECT_EQ(ensemble.status(0), Status::ok);
  return ensemble.column(0, column);
}

TEST_P(Constraints, PositionsOffTheManifoldAreSmallOfTheOrder) {
  const PairKernels& pair = GetParam();
  if (claims(pair).position_constraint) GTEST_SKIP() << "they are on it";
  Random random(6);
  Instance instance = draw(*pair.system, random, Damping::off);
  const double coarse = largest_error(Column::max_constraint, pair, instance, 128);
  instance.h *= 0.5;
  const double fine = largest_error(Column::max_constraint, pair, instance, 256);
  EXPECT_GT(std::log2(coarse / fine), pair.scheme->order - 0.15) << coarse << ", " << fine;
}

TEST_P(Constraints, VelocitiesAreTangent) {
  const PairKernels& pair = GetParam();
  Random random(7);
  const int steps = 128;
  for (int sample = 0; sample < 5; ++sample) {
    Instance instance = draw(*pair.system, random, Damping::off);
    const double coarse = largest_error(Column::max_velocity_constraint, pair, instance, steps);
    // G v from rounded coordinates and velocities that were solved for as h v: eps q/h.
    const double rounding = 64 * eps * std::max(1.0, largest(instance.q)) / instance.h;
    if (claims(pair).velocity_constraint || coarse < rounding) {
      EXPECT_LT(coarse, rounding);
      continue;
    }
    instance.h *= 0.5;
    const double fine = largest_error(Column::max_velocity_constraint, pair, instance, 2 * steps);
    EXPECT_GT(std::log2(coarse / fine), pair.scheme->order - 0.15) << coarse << ", " << fine;
  }
}

}  // namespace livens::laws
