// Dense LU: right answers where it says so, a raised flag where a pivot was too small, and the pivoted answer
// then.

#define LIVENS_ISA math_plain
#include "tests/math/matrices.hpp"

#include <gtest/gtest.h>

namespace livens {
namespace {

template <class Size>
class DenseLu : public ::testing::Test {
 public:
  static constexpr int n = Size::value;
};
template <int N>
using Size = std::integral_constant<int, N>;
using Sizes = ::testing::Types<Size<1>, Size<2>, Size<4>, Size<7>, Size<10>, Size<30>>;
TYPED_TEST_SUITE(DenseLu, Sizes);

TYPED_TEST(DenseLu, SolvesDominantMatrices) {
  constexpr int n = TestFixture::n;
  Quick random(1);
  for (int sample = 0; sample < 500; ++sample) {
    const auto A = random_matrix<n>(random, n + 1.0);
    const auto b = random_vector<n>(random);
    auto factors = A;
    auto x = b;
    ASSERT_FALSE(any(solve_unpivoted(factors, x)));
    // Dominant by columns: multipliers below one and |L||U| <= 2 |A| or so. Elimination commits n rounding
    // errors per entry, the substitutions n each and one reciprocal.
    EXPECT_LE(backward_error<n>(A, x, b), 6.0 * n + 2.0);
    const auto exact = exact_solution<n>(A, b);
    // The condition of I + (random of norm < n/(n+1)) is below 2 n + 2.
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(x[i], static_cast<double>(exact[i]),
                  2.2e-16 * (6.0 * n + 2.0) * (2.0 * n + 2.0) * norm_inf(x));
  }
}

TYPED_TEST(DenseLu, PivotedSolvesAnything) {
  constexpr int n = TestFixture::n;
  Quick random(2);
  for (int sample = 0; sample < 500; ++sample) {
    auto A = random_matrix<n>(random, 0.0);
    if (n > 1) A.at(0, 0) = 0.0;
    const auto b = random_vector<n>(random);
    auto factors = A;
    auto x = b;
    ASSERT_TRUE(solve_pivoted<n>(factors.entries.data, x.data));
    // Growth under partial pivoting is at most n^(2/3) for random matrices (Trefethen and Schreiber 1990).
    EXPECT_LE(backward_error<n>(A, x, b), (6.0 * n + 2.0) * n);
  }
}

TYPED_TEST(DenseLu, FlagIsRaisedWherePivotsAreTooSmall) {
  constexpr int n = TestFixture::n;
  if constexpr (n > 1) {
    Quick random(3);
    for (const double pivot : {0.0, -0.0, 1e-12, 0.9 / growth_limit, 1e-300, std::nan("")}) {
      auto A = random_matrix<n>(random, n + 1.0);
      A.at(0, 0) = pivot;
      A.at(n - 1, 0) = 1.0;
      auto x = random_vector<n>(random);
      EXPECT_TRUE(any(solve_unpivoted(A, x))) << pivot;
    }
    // Later pivots count too.
    auto A = random_matrix<n>(random, n + 1.0);
    for (int j = 0; j < n; ++j) A.at(n - 2, j) = j == n - 1 ? 1.0 : 0.0;
    A.at(n - 1, n - 2) = 1.0;
    auto x = random_vector<n>(random);
    EXPECT_TRUE(any(solve_unpivoted(A, x)));
  }
}

TEST(PivotedLu, SaysWhenAMatrixIsSingular) {
  double zero_column[4] = {0.0, 1.0, 0.0, 2.0}, b[2] = {1.0, 1.0};
  EXPECT_FALSE(solve_pivoted<2>(zero_column, b));
  double rank_one[4] = {1.0, 2.0, 2.0, 4.0}, c[2] = {1.0, 1.0};
  EXPECT_FALSE(solve_pivoted<2>(rank_one, c));
  double not_a_number[4] = {std::nan(""), 1.0, 1.0, 2.0}, e[2] = {1.0, 1.0};
  EXPECT_FALSE(solve_pivoted<2>(not_a_number, e));
}

TEST(PivotedLu, TakesTheFirstOfEqualCandidates) {
  // Rows 0 and 1 tie. With the first one kept the elimination is this chain, to the bit; exchanged it rounds
  // otherwise.
  const double third = 1.0 / 3.0;
  double A[4] = {3.0, 0.1, -3.0, 0.7}, b[2] = {0.3, 0.9};
  ASSERT_TRUE(solve_pivoted<2>(A, b));
  const double multiplier = -3.0 * third;
  const double x1 = fnma(multiplier, 0.3, 0.9) * (1.0 / fnma(multiplier, 0.1, 0.7));
  const double exchanged = fnma(multiplier, 0.9, 0.3) * (1.0 / fnma(multiplier, 0.7, 0.1));
  EXPECT_EQ(b[1], x1);
  EXPECT_EQ(b[0], fnma(0.1, x1, 0.3) * third);
  EXPECT_TRUE(exchanged != x1 || fnma(0.7, exchanged, 0.9) * -third != b[0]) << "this matrix cannot tell";
}

}  // namespace
}  // namespace livens
