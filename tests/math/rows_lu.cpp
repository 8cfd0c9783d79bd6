// The elimination by rows is that of one thread to the bit. Its flag is raised wherever that one's is, and
// beyond that only where the solution is not a number.

#define LIVENS_ISA math_plain
#include "kernels/math/gpu/rows_lu.hpp"

#include <gtest/gtest.h>

#include "tests/math/patterns.hpp"
#include "tests/math/tiles.hpp"

namespace livens {
namespace {

template <class Pattern>
class RowsLu : public ::testing::Test {};
// One row more than whole blocks, one less, and forms with velocity level as they are.
using Patterns = ::testing::Types<Full<10>, Full<17>, Band<13>, Band<31>, Saddle<14>, Saddle<42>>;
TYPED_TEST_SUITE(RowsLu, Patterns);

TYPED_TEST(RowsLu, IsOneThreadsToTheBit) {
  constexpr int n = TypeParam::size;
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int solved = 0, flagged = 0;
  for (int sample = 0; sample < 400; ++sample) {
    auto A = random_entries<TypeParam>(random, sample), B = A;
    Vec<double, n> expected, x;
    for (int i = 0; i < n; ++i) x[i] = expected[i] = uniform(random);
    const bool grown = solve_unpivoted(A, expected), raised = solve_by_rows(B, x);
    bool lost = false;
    for (int i = 0; i < n; ++i) {
      ASSERT_TRUE(same_value(x[i], expected[i])) << "sample " << sample << ", row " << i;
      lost = lost || x[i] != x[i];
    }
    EXPECT_GE(raised, grown) << "sample " << sample;
    if (!lost) {
      EXPECT_EQ(raised, grown) << "sample " << sample;
    }
    ++(raised ? flagged : solved);
  }
  EXPECT_GT(solved, 200);
  EXPECT_GT(flagged, 10);
}

}  // namespace
}  // namespace livens
