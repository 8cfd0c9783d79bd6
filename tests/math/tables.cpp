// Functions by tables: polynomials from point to point, and their quotients, accurate however near the two
// numbers are, in one piece and over the point between two.

#define LIVENS_ISA math_tables
#include "kernels/math/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace livens {
namespace {

/// f = x^3 - x up to 1 and the parabola with the same value, slope and curvature behind it, f = 3 x^2 - 4 x + 1,
/// with points at -1, 0.3, 1, 2; what is outside goes on as the nearest piece.
struct Smooth {
  static constexpr int pieces = 5, first_step = 4;
  static constexpr double period = 0.0;
  static long double f(long double x) { return x < 1 ? x * x * x - x : 3 * x * x - 4 * x + 1; }
  static long double slope(long double x) { return x < 1 ? 3 * x * x - 1 : 6 * x - 4; }
  static long double curvature(long double x) { return x < 1 ? 6 * x : 6; }
  /// The mean of f' over part of a piece, without a division.
  static long double quotient(long double a, long double b) {
    return std::max(a, b) <= 1 ? a * a + a * b + b * b - 1 : 3 * (a + b) - 4;
  }
  static const double* data() {
    static const std::vector<double> numbers = [] {
      std::vector<double> all;
      const double starts[] = {-1.0, -1.0, 0.3, 1.0, 2.0};
      for (int k = 0; k < pieces; ++k) {
        const long double x = starts[k];
        const double twist = k < 3 ? 1.0 : 0.0;
        for (const long double number :
             {x, f(x), slope(x), 0.5L * curvature(x), static_cast<long double>(twist), 0.0L})
          all.push_back(static_cast<double>(number));
      }
      return all;
    }();
    return numbers.data();
  }
};
/// A triangle of height 1 and period 2, from (0, 0) by (1, 1) to (2, 0).
struct Triangle {
  static constexpr int pieces = 4, first_step = 2;
  static constexpr double period = 2.0;
  static const double* data() {
    static constexpr double numbers[] = {0.0, 0.0, 0.0,  0.0, 0.0, 0.0,  0.0, 0.0, 1.0, 0.0, 0.0, 2.0,
                                         1.0, 1.0, -1.0, 0.0, 0.0, -2.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    return numbers;
  }
};

TEST(Tables, AreTheirPolynomials) {
  for (double x = -1.5; x < 3.0; x += 0.0137) {
    EXPECT_NEAR(table_value<0>(Smooth{}, x), static_cast<double>(Smooth::f(x)), 1e-14) << x;
    EXPECT_NEAR(table_value<1>(Smooth{}, x), static_cast<double>(Smooth::slope(x)), 1e-14) << x;
    EXPECT_NEAR(table_value<2>(Smooth{}, x), static_cast<double>(Smooth::curvature(x)), 1e-14) << x;
    EXPECT_EQ(table_value<3>(Smooth{}, x), x < 1.0 ? 6.0 : 0.0) << x;
  }
  EXPECT_TRUE(std::isnan(table_value<0>(Smooth{}, __builtin_nan(""))));
}

TEST(Tables, ChangeAtTheirPoints) {
  EXPECT_EQ(piece_of(Smooth{}, -1.5), 0);
  EXPECT_EQ(piece_of(Smooth{}, -1.0), 1);
  EXPECT_EQ(piece_of(Smooth{}, std::nextafter(0.3, 0.0)), 1);
  EXPECT_EQ(piece_of(Smooth{}, 0.3), 2);
  EXPECT_EQ(piece_of(Smooth{}, 2.0), 3) << "the last point belongs to what ends there";
  EXPECT_EQ(piece_of(Smooth{}, std::nextafter(2.0, 3.0)), 4);
}

TEST(Tables, ComeAgainAfterAPeriod) {
  for (int turns = -5; turns <= 5; ++turns) {
    EXPECT_EQ(table_value<0>(Triangle{}, 2.0 * turns), 0.0);
    EXPECT_EQ(table_value<0>(Triangle{}, 2.0 * turns + 0.25), 0.25);
    EXPECT_EQ(table_value<0>(Triangle{}, 2.0 * turns + 1.75), 0.25);
    // At a corner the slope is that to the right, at the end of a period, too.
    EXPECT_EQ(table_value<1>(Triangle{}, 2.0 * turns), 1.0);
    EXPECT_EQ(table_value<1>(Triangle{}, 2.0 * turns + 1.0), -1.0);
    EXPECT_EQ(table_value<1>(Triangle{}, 2.0 * turns - 1e-9), -1.0);
  }
  EXPECT_EQ(table_quotient<0>(Triangle{}, 0.5, 8.5), 0.0);
  EXPECT_EQ(table_quotient<0>(Triangle{}, 0.5, 7.0), 0.5 / 6.5);
}

/// Pairs of numbers from 2^-52 apart to several pieces, many of them around a point.
std::vector<std::pair<double, double>> pairs() {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(-1.4, 2.4), exponent(-52.0, 1.0), share(0.0, 1.0);
  std::vector<std::pair<double, double>> all;
  for (int i = 0; i < 200000; ++i) {
    const double d = std::exp2(exponent(random));
    const double a = i % 3 == 0 ? place(random) : (i % 3 == 1 ? 0.3 : 1.0) - d * share(random);
    all.emplace_back(a, a + d);
    if (i % 2 == 0) std::swap(all.back().first, all.back().second);
  }
  return all;
}

TEST(Tables, HaveQuotientsThatAreAccurateHoweverNearTheNumbersAre) {
  // What is added up of a piece is at most |c1| + 2 |c2| h + 3 |c3| h^2, 26 here, with s up to 1.4.
  for (const auto& [a, b] : pairs()) {
    const long double low = std::min(a, b), high = std::max(a, b);
    const long double exact =
        low < 1 && high > 1
            ? ((1 - low) * Smooth::quotient(low, 1) + (high - 1) * (3 * (1 + high) - 4)) / (high - low)
            : Smooth::quotient(low, high);
    ASSERT_NEAR(table_quotient<0>(Smooth{}, a, b), static_cast<double>(exact), 16 * 0x1p-53 * 26.0)
        << std::hexfloat << a << " " << b;
  }
}
TEST(Tables, HaveSlopesOfQuotientsThatAreAsAccurate) {
  for (const auto& [a, b] : pairs()) {
    const long double x = a, y = b, low = std::min(x, y), high = std::max(x, y);
    // Of x^3 - x the derivative of the quotient by y is x + 2 y, of the parabola 3; over the point between,
    // with u and w the ways on either side, [f'(y) - Q]/(y - x) multiplied out.
    long double exact = x + 2 * y;
    if (low >= 1) exact = 3;
    if (low < 1 && high > 1) {
      const long double u = 1 - low, w = high - 1, d = high - low;
      exact = y > x ? (3 * w * w + u * (6 * w + u * (3 - u))) / (d * d)
                    : (u * u * (3 - 2 * u) + w * (3 * w + u * (6 - 3 * u))) / (d * d);
    }
    ASSERT_NEAR(table_quotient_slope<0>(Smooth{}, a, b), static_cast<double>(exact),
                b < a - 1.0 || b > a + 1.0 ? 1e-13 : 64 * 0x1p-53 * 26.0)
        << std::hexfloat << a << " " << b;
  }
}
TEST(Tables, HaveQuotientsOfTheirDerivatives) {
  for (const auto& [a, b] : pairs()) {
    const long double low = std::min(a, b), high = std::max(a, b);
    const long double of_slope =
        high <= 1 ? 3 * (low + high)
                  : (low >= 1 ? 6 : ((1 - low) * 3 * (low + 1) + (high - 1) * 6) / (high - low));
    ASSERT_NEAR(table_quotient<1>(Smooth{}, a, b), static_cast<double>(of_slope), 1e-13);
    const long double of_curvature = high <= 1 ? 6 : low >= 1 ? 0 : (1 - low) * 6 / (high - low);
    ASSERT_NEAR(table_quotient<2>(Smooth{}, a, b), static_cast<double>(of_curvature), 1e-13);
  }
}

TEST(Tables, HaveTheDerivativesThatDualNumbersHave) {
  using One = Dual<1>;
  for (const auto& [a, b] :
       {std::pair{-0.2, 0.1}, {0.2, 0.9}, {0.9, 1.4}, {1.4, 0.9}, {-0.5, 1.5}, {2.2, -1.2}}) {
    EXPECT_NEAR(table_value<0>(Smooth{}, One::variable(a, 0)).partial[0], table_value<1>(Smooth{}, a), 1e-14);
    EXPECT_NEAR(table_quotient<0>(Smooth{}, One(a), One::variable(b, 0)).partial[0],
                table_quotient_slope<0>(Smooth{}, a, b), 1e-13)
        << a << " " << b;
  }
}

}  // namespace
}  // namespace livens
