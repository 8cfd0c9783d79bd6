#pragma once
// Instances beside others that go wrong: in the middle of a register, or of a warp.

#include <cmath>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

inline constexpr int absurd =
    5;  // this instance's step is far too long: with most pairs it retries and fails
inline constexpr int not_finite = 11;  // this one's state holds a NaN
inline constexpr int doubtful =
    20;  // this one's step is long: Newton's method takes more iterations, or retries

/// Instances that differ in everything, with the bad ones among them.
inline std::vector<Instance> beside_bad_ones(const PairKernels& pair, Damping damping, int count) {
  Random random(10);
  auto instances = draw_many(*pair.system, random, damping, count);
  std::uniform_real_distribution<double> factor(0.5, 2.0);
  for (Instance& instance : instances) instance.h *= factor(random);
  instances[absurd].h *= 1e4;
  instances[not_finite].v[1] = std::nan("");
  instances[doubtful].h *= 8;
  return instances;
}

}  // namespace livens::laws
