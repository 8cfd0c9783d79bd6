// Sums and products with their errors, against 113-bit arithmetic.

#define LIVENS_ISA math_plain
#include "kernels/math/exact.hpp"

#include <gtest/gtest.h>

#include <random>

namespace livens {
namespace {

constexpr double eps = 2.220446049250313e-16;

/// Either sign, 2^-20 to 2^20: a product of two spans 106 bits and a sum of two 94, both within 113.
double any_size(std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-20.0, 20.0), mantissa(-1.0, 1.0);
  return mantissa(random) * std::exp2(std::floor(exponent(random)));
}

TEST(TwoSum, LosesNothing) {
  std::mt19937_64 random(1);
  bool inexact = false;
  for (int i = 0; i < 100000; ++i) {
    const double a = any_size(random), b = any_size(random);
    const auto sum = two_sum(a, b);
    EXPECT_EQ(sum.value, a + b);
    EXPECT_TRUE(static_cast<__float128>(a) + b == static_cast<__float128>(sum.value) + sum.error);
    inexact = inexact || sum.error != 0.0;
  }
  EXPECT_TRUE(inexact);
}

TEST(TwoProduct, LosesNothing) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const double a = any_size(random), b = any_size(random);
    const auto product = two_product(a, b);
    EXPECT_EQ(product.value, a * b);
    EXPECT_TRUE(static_cast<__float128>(a) * b == static_cast<__float128>(product.value) + product.error);
  }
}

TEST(AccurateDot, KeepsWhatCancellationLeaves) {
  // a . b + c with c chosen to cancel the rounded dot product: what is left is of the size of eps, and a
  // plain sum has no digit of it. The bound is that of Ogita, Rump and Oishi: eps of the result and n^2 eps^2
  // of the terms.
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double worst_plain = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const Vec3<double> a{{uniform(random), uniform(random), uniform(random)}};
    const Vec3<double> b{{uniform(random), uniform(random), uniform(random)}};
    const double c = i % 2 ? -dot(a, b) : uniform(random);
    __float128 exact = c;
    double terms = std::abs(c);
    for (int k = 0; k < 3; ++k) {
      exact += static_cast<__float128>(a[k]) * b[k];
      terms += std::abs(a[k] * b[k]);
    }
    const double size = std::abs(static_cast<double>(exact));
    EXPECT_LE(std::abs(static_cast<double>(accurate_dot(a, b, c) - exact)),
              2 * eps * size + 16 * eps * eps * terms);
    worst_plain = std::max(worst_plain, std::abs(static_cast<double>(dot(a, b) + c - exact)) / (eps * terms));
  }
  EXPECT_GT(worst_plain, 0.1);  // the plain sum would not have passed
}

TEST(PowerOfTwoBelow, IsThatOfTheExponent) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100000; ++i) {
    const double a = any_size(random);
    EXPECT_EQ(power_of_two_below(a), std::exp2(std::ilogb(a))) << a;
  }
  for (const double power : {0x1p-40, 0x1p-9, 1.0, 0x1p7})
    for (const double a : {power, std::nextafter(power, 2 * power), std::nextafter(2 * power, power)})
      EXPECT_EQ(power_of_two_below(a), power);
}

TEST(Accumulate, CompensatedSumsForgetNothing) {
  // 10^5 increments of 1e-3 of the sum's last place each: plain sums never move.
  const Vec<double, 1> tiny{{1e-3 * eps}};
  Vec<double, 1> plain{{1.0}}, compensated{{1.0}}, low{{0.0}}, unused{{0.0}};
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    accumulate(plain, unused, tiny, false);
    accumulate(compensated, low, tiny, true);
  }
  EXPECT_EQ(plain[0], 1.0);
  EXPECT_EQ(unused[0], 0.0);
  // The low part is rounded to eps of itself in every addition.
  EXPECT_NEAR(((compensated[0] - 1.0) + low[0]) / (count * tiny[0]), 1.0, 1e-10);
}

}  // namespace
}  // namespace livens
