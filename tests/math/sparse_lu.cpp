// LU with a pattern: the dense LU less the operations on zeros. With a full pattern it is the dense one to
// the bit; with any pattern no entry that fill-in creates may be missing.

#define LIVENS_ISA math_plain
#include "kernels/math/static_sparse_lu.hpp"
#include "tests/math/matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace livens {
namespace {

template <int N>
struct Full {
  static constexpr int size = N;
  static constexpr bool nonzero(int, int) { return true; }
};
/// An arrow that fills completely, a band, and a saddle point with zeros on its diagonal that fill before
/// they are pivots.
struct Arrow {
  static constexpr int size = 8;
  static constexpr bool nonzero(int i, int j) { return i == j || i == 0 || j == 0; }
};
struct Band {
  static constexpr int size = 9;
  static constexpr bool nonzero(int i, int j) { return i - j <= 2 && j - i <= 1; }
};
struct Saddle {
  static constexpr int size = 8;
  static constexpr bool nonzero(int i, int j) {
    if (i < 6 && j < 6) return i == j;
    return !(i >= 6 && j >= 6) && (i + j) % 2 == 0;
  }
};

template <class Pattern>
class SparseLu : public ::testing::Test {};
using Patterns = ::testing::Types<Full<1>, Full<5>, Full<8>, Arrow, Band, Saddle>;
TYPED_TEST_SUITE(SparseLu, Patterns);

template <class Pattern>
SparseMatrix<double, Pattern> sparse(const DenseMatrix<double, Pattern::size>& A) {
  SparseMatrix<double, Pattern> S;
  S.clear();
  unroll<Pattern::size>([&](auto i) {
    unroll<Pattern::size>([&](auto j) {
      if constexpr (Pattern::nonzero(i.value, j.value)) S.template at<i.value, j.value>() = A.at(i, j);
    });
  });
  return S;
}

TYPED_TEST(SparseLu, IsTheDenseOneToTheBit) {
  constexpr int n = TypeParam::size;
  Quick random(4);
  int flagged = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    auto A = random_matrix<n>(random, sample % 2 ? 3.0 : 0.0);  // with and without good pivots
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (!TypeParam::nonzero(i, j)) A.at(i, j) = 0.0;
    auto S = sparse<TypeParam>(A);
    auto x = random_vector<n>(random), y = x;
    const bool of_dense = solve_unpivoted(A, x), of_sparse = solve_unpivoted(S, y);
    EXPECT_EQ(of_dense, of_sparse);
    if (of_dense) {
      ++flagged;
      continue;
    }
    // x + 0.0 takes the sign off zeros, which skipped operations may leave differently.
    for (int i = 0; i < n; ++i) {
      const double a = x[i] + 0.0, c = y[i] + 0.0;
      EXPECT_EQ(std::memcmp(&a, &c, sizeof a), 0) << x[i] - y[i];
    }
  }
  EXPECT_LT(flagged, 1500);
}

TYPED_TEST(SparseLu, SolvesAndStoresNoMoreThanFillIn) {
  constexpr int n = TypeParam::size;
  Quick random(5);
  for (int sample = 0; sample < 200; ++sample) {
    auto A = random_matrix<n>(random, n + 1.0);
    auto S = sparse<TypeParam>(A);
    const auto original = S;
    const auto b = random_vector<n>(random);
    auto x = b;
    if (any(solve_unpivoted(S, x))) continue;
    // As for the dense one; the saddle point's multipliers are not below one, its growth is within the flag's
    // 1024.
    EXPECT_LE(backward_error<n>(original, x, b), (6.0 * n + 2.0) * 64);
  }
  EXPECT_LE(Symbolic<TypeParam>::table.count, n * n);
  if constexpr (std::is_same_v<TypeParam, Band>) {
    EXPECT_EQ(Symbolic<Band>::table.count, 9 + 8 + 8 + 7);  // a band fills nothing
  }
  if constexpr (std::is_same_v<TypeParam, Arrow>) {
    EXPECT_EQ(Symbolic<Arrow>::table.count, 64);  // the wrong order fills everything
  }
}

// With eps the unit of rounding, the determinant is off by eps (|a00 a11| + |det|), a numerator by eps times
// one of its products and itself, and there are two more roundings. A first pivot of zero does no harm.
TEST(TwoEquations, AreSolvedByCramersRule) {
  Quick random(7);
  int flagged = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    auto A = random_matrix<2>(random, 0.0);
    if (sample % 10 == 0) A.at(0, 0) = 0.0;
    if (sample % 10 == 1)
      A.at(1, 1) = A.at(0, 1) * A.at(1, 0) / A.at(0, 0) * (1.0 + 1e-4);  // nearly singular
    auto S = sparse<Full<2>>(A);
    const auto b = random_vector<2>(random);
    auto x = b;
    const bool refused = solve_unpivoted(S, x);
    const long double a00 = A.at(0, 0), a01 = A.at(0, 1), a10 = A.at(1, 0), a11 = A.at(1, 1), b0 = b[0],
                      b1 = b[1];
    const long double determinant = a00 * a11 - a01 * a10;
    const long double growth = (std::abs(a00 * a11) + std::abs(a01 * a10)) / std::abs(determinant);
    EXPECT_EQ(refused, growth > growth_limit) << growth;
    flagged += refused;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_EQ(S.get(i, j), A.at(i, j));
    if (refused) continue;
    const long double exact[] = {(a11 * b0 - a01 * b1) / determinant, (a00 * b1 - a10 * b0) / determinant};
    const long double product[] = {std::abs(a11 * b0 / determinant), std::abs(a00 * b1 / determinant)};
    for (int i = 0; i < 2; ++i)
      EXPECT_LE(std::abs(x[i] - exact[i]),
                1.01L * 0x1p-53L * ((growth + 4.0L) * std::abs(exact[i]) + product[i]));
  }
  EXPECT_GE(flagged, 190);
  EXPECT_LT(flagged, 250);
  auto singular = sparse<Full<2>>({{{1.0, 2.0, 2.0, 4.0}}});
  Vec<double, 2> b{{1.0, 1.0}};
  EXPECT_TRUE(solve_unpivoted(singular, b));
}

/// Symmetric: a chain, and two of them side by side.
struct Chain {
  static constexpr int size = 7;
  static constexpr bool nonzero(int i, int j) { return i - j <= 1 && j - i <= 1; }
};
struct Chains {
  static constexpr int size = 12;
  static constexpr bool nonzero(int i, int j) { return i % 2 == j % 2 && i - j <= 2 && j - i <= 2; }
};

template <class Pattern>
class FactorsOf : public ::testing::Test {};
using Symmetric = ::testing::Types<Full<1>, Full<6>, Arrow, Chain, Chains>;
TYPED_TEST_SUITE(FactorsOf, Symmetric);

TYPED_TEST(FactorsOf, SolveForSeveralRightHandSides) {
  constexpr int n = TypeParam::size;
  Quick random(6);
  for (int sample = 0; sample < 200; ++sample) {
    auto A = random_matrix<n>(random, n + 1.0);  // positive definite: its diagonal dominates
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) A.at(i, j) = A.at(j, i);
    const auto S = sparse<TypeParam>(A);
    const SparseFactors<double, TypeParam> factors(S);
    EXPECT_TRUE(factors.positive_definite());
    for (int side = 0; side < 3; ++side) {
      const auto b = random_vector<n>(random);
      // As for the dense one, without growth: multipliers are below one.
      EXPECT_LE(backward_error<n>(S, factors.solve(b), b), 6.0 * n + 2.0);
    }
  }
}

TYPED_TEST(FactorsOf, SayWhereAMatrixIsNotPositiveDefinite) {
  constexpr int n = TypeParam::size;
  for (int place = 0; place < n; ++place) {
    auto A = DenseMatrix<double, n>{};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) A.at(i, j) = i == j ? n + 1.0 : 1.0;
    A.at(place, place) = -0.1;
    EXPECT_FALSE((SparseFactors<double, TypeParam>(sparse<TypeParam>(A)).positive_definite())) << place;
  }
}

struct Everything {
  static constexpr int size = 190;
  static constexpr bool nonzero(int, int) { return true; }
};
// More entries than a short can number.
static_assert(Symbolic<Everything>::slot(189, 189) == 190 * 190 - 1);

}  // namespace
}  // namespace livens
