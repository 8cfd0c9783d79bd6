// LU of band matrices: the dense LU less the operations on zeros; and when it refuses.

#define LIVENS_ISA math_plain
#include "kernels/math/band_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/newton/newton.hpp"
#include "tests/math/matrices.hpp"

namespace livens {
namespace {

constexpr int n = 30, half = 4;
using Band = BandMatrix<double, n, half>;

/// Symmetric positive definite but for a thousandth, with diagonal entries of one and more; then rows and
/// columns scaled by 10^spread at most.
Band sample(Quick& random, double spread) {
  Band L, A;
  L.clear();
  A.clear();
  double scale[n];
  for (int i = 0; i < n; ++i) {
    scale[i] = std::pow(10.0, spread * entry(random));
    for (int j = std::max(0, i - half); j <= i; ++j) L.at(i, j) = i == j ? 1.0 : 0.4 * entry(random);
  }
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - half); j <= std::min(n - 1, i + half); ++j) {
      A.at(i, j) = 1e-3 * entry(random);
      for (int k = 0; k <= std::min(i, j); ++k) A.at(i, j) += L.get(i, k) * L.get(j, k);
      A.at(i, j) *= scale[i] * scale[j];
    }
  return A;
}

// Near symmetric and definite no pivot is wanted, whatever the scale of rows and columns.
TEST(BandLu, SolvesWithoutPivots) {
  Quick random(1);
  for (int draw = 0; draw < 100; ++draw) {
    const Band A = sample(random, draw % 2 * 3.0);
    const Vec<double, n> b = random_vector<n>(random);
    Band factored = A;
    Vec<double, n> x = b;
    EXPECT_FALSE(solve_unpivoted(factored, x)) << draw;
    EXPECT_LT(backward_error(A, x, b), 64.0) << draw;
  }
}

// Rows in turn, with a window on those above, have the bits of the elimination column by column.
TEST(BandLu, RowsHaveTheBitsOfColumns) {
  Quick random(5);
  for (int draw = 0; draw < 50; ++draw) {
    const Band A = sample(random, draw % 2 * 3.0);
    const Vec<double, n> b = random_vector<n>(random);
    Band by_rows = A, by_columns = A;
    Vec<double, n> x = b, y = b;
    EXPECT_FALSE(solve_unpivoted(by_rows, x)) << draw;
    double reciprocal[n];
    for (int k = 0; k < n; ++k) {
      reciprocal[k] = 1.0 / by_columns.at(k, k);
      for (int i = k + 1; i <= std::min(n - 1, k + half); ++i) {
        const double multiplier = by_columns.at(i, k) * reciprocal[k];
        for (int j = k + 1; j <= std::min(n - 1, k + half); ++j)
          by_columns.at(i, j) = fnma(multiplier, by_columns.at(k, j), by_columns.at(i, j));
        y[i] = fnma(multiplier, y[k], y[i]);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = std::min(n - 1, k + half); j > k; --j) y[k] = fnma(by_columns.at(k, j), y[j], y[k]);
      y[k] = y[k] * reciprocal[k];
    }
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(x[i], y[i]) << draw << ", " << i;
      for (int j = i; j <= std::min(n - 1, i + half); ++j)
        EXPECT_EQ(by_rows.at(i, j), by_columns.at(i, j)) << draw << ", " << i << ", " << j;
    }
  }
}

// A pivot that vanishes is refused, whichever it is but the last; with pivots the same matrix is solved.
TEST(BandLu, RefusesWhatWantsPivots) {
  Quick random(2);
  for (int k = 0; k + 1 < n; ++k) {
    Band A = sample(random, 0.0);
    for (int j = std::max(0, k - half); j <= k; ++j) A.at(k, j) = 0.0;
    const Vec<double, n> b = random_vector<n>(random);
    Band factored = A;
    Vec<double, n> x = b;
    EXPECT_TRUE(solve_unpivoted(factored, x)) << k;
    x = b;
    EXPECT_TRUE(solve_again(A, x)) << k;
    EXPECT_LT(backward_error(A, x, b), 64.0) << k;
  }
}

TEST(BandLu, WhatIsSingularIsNotSolved) {
  Quick random(3);
  Band A = sample(random, 0.0);
  for (int i = 0; i <= half; ++i) A.at(i, 0) = 0.0;
  Vec<double, n> x = random_vector<n>(random);
  EXPECT_FALSE(solve_again(A, x));
}

TEST(BandLu, EntriesBeyondTheBandAreZero) {
  Quick random(4);
  const Band A = sample(random, 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) > half) {
        EXPECT_EQ(A.get(i, j), 0.0);
      }
}

}  // namespace
}  // namespace livens
