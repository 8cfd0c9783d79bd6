#include "ensembles/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace livens::ensembles {
namespace {

TEST(Moments, SmallSetByHand) {
  // All sums and quotients are exact in binary.
  const Moments m = moments(std::vector<double>{1.0, 2.0, 3.0, 6.0});
  EXPECT_EQ(m, (Moments{4, 3.0, 14.0, 1.0, 6.0}));
  EXPECT_EQ(standard_deviation(m), std::sqrt(3.5));
}

TEST(Moments, UnionByHand) {
  const Moments a = moments(std::vector<double>{1.0, 2.0});
  const Moments b = moments(std::vector<double>{3.0, 6.0});
  EXPECT_EQ(merge(a, b), (Moments{4, 3.0, 14.0, 1.0, 6.0}));
}

TEST(Moments, EmptySet) {
  const Moments a = moments(std::vector<double>{0.1, 0.2, 0.7});
  EXPECT_EQ(merge(a, Moments{}), a);
  EXPECT_EQ(merge(Moments{}, a), a);
  EXPECT_TRUE(std::isnan(standard_deviation(Moments{})));
}

// One value repeated: the deviation is exactly 0, so no cancellation is seen as spread.
TEST(Moments, SpreadOfEqualValues) {
  const std::vector<double> values(1000, 1e8 + 0.5);
  EXPECT_EQ(moments(values).m2, 0.0);
}

}  // namespace
}  // namespace livens::ensembles
