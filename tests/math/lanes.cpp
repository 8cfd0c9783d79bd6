// Every operation on lanes is the scalar one, lane by lane and to the bit: NaN, infinities, signed zeros and
// all.

#include "tests/math/lanes.hpp"

#include <gtest/gtest.h>

namespace livens::tests {

TEST(Lanes, AreScalarsToTheBit) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this processor has no AVX-512";
  const LaneReport report = compare_lanes_avx512();
  EXPECT_GT(report.compared, 100000);
  EXPECT_EQ(report.different, 0) << "first: " << report.first;
}

}  // namespace livens::tests
