// The elimination that the lanes of a warp share out is that of one thread to the bit, flag included:
// whatever the pattern, however many of the warp's instances take part, upwards or downwards.

#define LIVENS_ISA math_plain
#include "tests/math/matrices.hpp"
#include "tests/math/patterns.hpp"
#include "tests/math/tiles.hpp"

#include <gtest/gtest.h>

namespace livens {
namespace {

template <class Pattern>
class TileLu : public ::testing::Test {};
using Patterns =
    ::testing::Types<Full<10>, Full<16>, Full<17>, Full<32>, Band<13>, Saddle<14>, Saddle<42>, Band<118>>;
TYPED_TEST_SUITE(TileLu, Patterns);

TYPED_TEST(TileLu, IsOneThreadsToTheBit) { expect_the_bits_of_one_thread<TypeParam>(30); }

TEST(TileLu, TakesADenseMatrixToo) {
  constexpr int n = 10;
  Quick random(12);
  DenseMatrix<EmulatedWarp, n> A;
  Vec<EmulatedWarp, n> b;
  std::vector<DenseMatrix<double, n>> single(warp_size);
  std::vector<Vec<double, n>> exact(warp_size);
  for (int l = 0; l < warp_size; ++l) {
    single[l] = random_matrix<n>(random, 3.0);
    exact[l] = random_vector<n>(random);
    for (int i = 0; i < n; ++i) {
      set_lane(b[i], l, exact[l][i]);
      for (int j = 0; j < n; ++j) set_lane(A.at(i, j), l, single[l].at(i, j));
    }
  }
  const EmulatedMask raised = solve_unpivoted(A, b, EmulatedMask(true));
  for (int l = 0; l < warp_size; ++l) {
    EXPECT_EQ(lane_mask(raised, l), solve_unpivoted(single[l], exact[l]));
    for (int i = 0; i < n; ++i) EXPECT_EQ(lane(b[i], l), exact[l][i]);
  }
}

}  // namespace
}  // namespace livens
