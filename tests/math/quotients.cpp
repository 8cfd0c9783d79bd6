// Difference quotients of quotients.hpp: functions below 4 units in the last place, slopes below 128, at 0
// and on both sides of where the series ends; several instances as one.

#define LIVENS_ISA math_quotients
#include "kernels/math/quotients.hpp"
#include "kernels/math/dual.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace livens {
namespace {

using Function = std::function<double(double)>;
using Truth = std::function<long double(long double)>;

double worst_ulps(const Function& f, const Truth& exact, double farthest) {
  double worst = 0.0;
  constexpr int count = 200000;
  for (int i = 1; i <= count; ++i) {
    // More points near 0: cubes.
    const double s = static_cast<double>(i) / count, x = farthest * s * s * s;
    for (const double at : {x, -x}) {
      const long double truth = exact(at);
      int exponent;
      std::frexp(static_cast<double>(truth), &exponent);
      worst = std::max(worst, static_cast<double>(std::abs(f(at) - truth) / std::ldexp(1.0L, exponent - 53)));
    }
  }
  return worst;
}

/// The quotient's own formula, but near 0 the first terms of its series in long double.
Truth by_formula(Truth far, std::vector<long double> series) {
  return [=](long double x) {
    if (std::abs(x) > 0.02L) return far(x);
    long double sum = 0.0, power = 1.0;
    for (const long double c : series) {
      sum += c * power;
      power *= x * x;
    }
    return sum;
  };
}

const Truth sinc_truth = by_formula([](long double x) { return std::sin(x) / x; },
                                    {1.0L, -1.0L / 6, 1.0L / 120, -1.0L / 5040, 1.0L / 362880});
const Truth sinhc_truth = by_formula([](long double x) { return std::sinh(x) / x; },
                                     {1.0L, 1.0L / 6, 1.0L / 120, 1.0L / 5040, 1.0L / 362880});
const Truth tanhc_truth = by_formula([](long double x) { return std::tanh(x) / x; },
                                     {1.0L, -1.0L / 3, 2.0L / 15, -17.0L / 315, 62.0L / 2835});
const Truth atanc_truth = by_formula([](long double x) { return std::atan(x) / x; },
                                     {1.0L, -1.0L / 3, 1.0L / 5, -1.0L / 7, 1.0L / 9});
const Truth atanhc_truth = by_formula([](long double x) { return std::atanh(x) / x; },
                                      {1.0L, 1.0L / 3, 1.0L / 5, 1.0L / 7, 1.0L / 9});

TEST(Quotients, StayBelow4Ulp) {
  // sin x/x is relative to its largest value where it passes zero, so the range ends before.
  EXPECT_LT(worst_ulps([](double x) { return sinc(x); }, sinc_truth, 3.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return sinhc(x); }, sinhc_truth, 50.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return tanhc(x); }, tanhc_truth, 50.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return atanhc(x); }, atanhc_truth, 0.999), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return atanc(x); }, atanc_truth, 50.0), 4.0);
}

TEST(Quotients, SlopesStayBelow128Ulp) {
  // Above 0.02 long double loses at most the square of that, twelve of its bits, to the difference.
  const auto sinc_slope_truth =
      by_formula([](long double x) { return (std::cos(x) - std::sin(x) / x) / (x * x); },
                 {-1.0L / 3, 1.0L / 30, -1.0L / 840, 1.0L / 45360, -1.0L / 3991680});
  const auto sinhc_slope_truth =
      by_formula([](long double x) { return (std::cosh(x) - std::sinh(x) / x) / (x * x); },
                 {1.0L / 3, 1.0L / 30, 1.0L / 840, 1.0L / 45360, 1.0L / 3991680});
  const auto tanhc_slope_truth = by_formula(
      [](long double x) { return (1 / (std::cosh(x) * std::cosh(x)) - std::tanh(x) / x) / (x * x); },
      {-2.0L / 3, 8.0L / 15, -102.0L / 315, 496.0L / 2835, -13820.0L / 155925});
  const auto atanhc_slope_truth =
      by_formula([](long double x) { return (1 / (1 - x * x) - std::atanh(x) / x) / (x * x); },
                 {2.0L / 3, 4.0L / 5, 6.0L / 7, 8.0L / 9, 10.0L / 11});
  EXPECT_LT(worst_ulps([](double x) { return sinc_slope(x); }, sinc_slope_truth, 3.0), 128.0);
  EXPECT_LT(worst_ulps([](double x) { return sinhc_slope(x); }, sinhc_slope_truth, 50.0), 128.0);
  EXPECT_LT(worst_ulps([](double x) { return tanhc_slope(x); }, tanhc_slope_truth, 50.0), 128.0);
  EXPECT_LT(worst_ulps([](double x) { return atanhc_slope(x); }, atanhc_slope_truth, 0.99), 128.0);
  const auto atanc_slope_truth =
      by_formula([](long double x) { return (1 / (1 + x * x) - std::atan(x) / x) / (x * x); },
                 {-2.0L / 3, 4.0L / 5, -6.0L / 7, 8.0L / 9, -10.0L / 11});
  EXPECT_LT(worst_ulps([](double x) { return atanc_slope(x); }, atanc_slope_truth, 50.0), 128.0);
}

/// Gauss and Legendre's points and weights from 0 to 1.
std::vector<std::pair<long double, long double>> gauss_points() {
  constexpr int n = 12;
  std::vector<std::pair<long double, long double>> points;
  for (int i = 0; i < n; ++i) {
    long double x = std::cos(3.14159265358979323846L * (i + 0.75L) / (n + 0.5L)), slope = 0.0L;
    for (int sweep = 0; sweep < 10; ++sweep) {
      long double before = 1.0L, now = x;
      for (int k = 2; k <= n; ++k)
        before = std::exchange(now, ((2 * k - 1) * x * now - (k - 1) * before) / k);
      slope = n * (x * now - before) / (x * x - 1);
      x -= now / slope;
    }
    points.emplace_back((1 + x) / 2, 1 / ((1 - x * x) * slope * slope));
  }
  return points;
}
/// A function with its first and second derivatives, which are analytic as far as `reach` around x.
struct Smooth {
  long double (*value)(long double);
  long double (*first)(long double);
  long double (*second)(long double);
  long double (*reach)(long double);
};
struct Quotient {
  long double value, slope;
};
/// [f(b) - f(a)]/(b - a) and its derivative by b: the means of f' and of its slope where both are near, which
/// twelve points give to long double's last places, else as they are written.
Quotient truth_of(const Smooth& f, long double a, long double b) {
  static const auto points = gauss_points();
  const long double d = b - a;
  if (std::abs(d) > 0.2L * f.reach(a)) {
    const long double value = (f.value(b) - f.value(a)) / d;
    return {value, (f.first(b) - value) / d};
  }
  Quotient mean{0.0L, 0.0L};
  for (const auto& [s, weight] : points) {
    mean.value += weight * f.first(a + s * d);
    mean.slope += weight * s * f.second(a + s * d);
  }
  return mean;
}
const Smooth arcsine = {std::asin, [](long double x) { return 1 / std::sqrt((1 - x) * (1 + x)); },
                        [](long double x) {
                          const long double w = (1 - x) * (1 + x);
                          return x / (w * std::sqrt(w));
                        },
                        [](long double x) { return 1 - std::abs(x); }};
const Smooth arctangent = {std::atan, [](long double x) { return 1 / (1 + x * x); },
                           [](long double x) { return -2 * x / ((1 + x * x) * (1 + x * x)); },
                           [](long double x) { return 1 + 0 * x; }};

const Smooth logarithm = {std::log, [](long double x) { return 1 / x; },
                          [](long double x) { return -1 / (x * x); }, [](long double x) { return x; }};

// Of numbers a and b = a 2^k, k from 2^-52 to 2^9: the same bounds, of eight roundings and of 256 of the size of the
// second derivatives at both ends and Q^2.
TEST(Quotients, OfLogarithmsAreAccurateHoweverFarThePointsAre) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(-3.0, 3.0), exponent(-52.0, 9.0);
  double worst = 0.0, worst_slope = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const double a = std::exp2(place(random)), k = std::exp2(exponent(random));
    const double b = a * std::exp2(i % 2 == 0 ? k : -k);
    if (a == b) continue;
    const auto [value, steep] = truth_of(logarithm, a, b);
    const long double size = std::abs(logarithm.second(a)) + std::abs(logarithm.second(b)) + value * value;
    worst = std::max(worst, static_cast<double>(std::abs(log_quotient(a, b) / value - 1.0L)));
    worst_slope =
        std::max(worst_slope, static_cast<double>(std::abs(log_quotient_slope(a, b) - steep) / size));
  }
  EXPECT_LT(worst, 8 * 0x1p-53);
  EXPECT_LT(worst_slope, 256 * 0x1p-53);
  EXPECT_EQ(log_quotient(2.0, 2.0), 0.5);
  EXPECT_DOUBLE_EQ(log_quotient(1.0, 1e60), std::log(1e60) / 1e60);
}

TEST(Quotients, OfInverseFunctionsAreAccurateHoweverNearThePointsAre) {
  // The quotient is off by eight roundings. Its slope is a sum of terms of the size of Q^2 and of the second
  // derivatives at both ends, one of which has lost up to six bits where the series ends.
  const auto check = [](double (*quotient)(const double&, const double&),
                        double (*slope)(const double&, const double&), const Smooth& f, double farthest) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> place(-1.0, 1.0), exponent(-52.0, 1.0);
    double worst = 0.0, worst_slope = 0.0;
    for (int i = 0; i < 200000; ++i) {
      const double a = farthest * place(random), d = std::exp2(exponent(random)) * farthest;
      const double b = std::clamp(a + (i % 2 == 0 ? d : -d), -farthest, farthest);
      const auto [value, steep] = truth_of(f, a, b);
      const long double size = std::abs(f.second(a)) + std::abs(f.second(b)) + value * value;
      worst = std::max(worst, static_cast<double>(std::abs(quotient(a, b) / value - 1.0L)));
      worst_slope = std::max(worst_slope, static_cast<double>(std::abs(slope(a, b) - steep) / size));
    }
    EXPECT_LT(worst, 8 * 0x1p-53);
    EXPECT_LT(worst_slope, 256 * 0x1p-53);
  };
  check(asin_quotient<double>, asin_quotient_slope<double>, arcsine, 0.5);
  check(asin_quotient<double>, asin_quotient_slope<double>, arcsine, 0.999);
  check(atan_quotient<double>, atan_quotient_slope<double>, arctangent, 1.0);
  check(atan_quotient<double>, atan_quotient_slope<double>, arctangent, 30.0);
}
TEST(Quotients, OfInverseFunctionsAtTheirEnds) {
  const double half_pi = 1.57079632679489661923;
  EXPECT_DOUBLE_EQ(asin_quotient(-1.0, 1.0), half_pi);
  EXPECT_DOUBLE_EQ(asin_quotient(1.0, 0.5), 2.0 * (half_pi - std::asin(0.5)));
  EXPECT_EQ(asin_quotient(1.0, 1.0), __builtin_inf());
  EXPECT_DOUBLE_EQ(atan_quotient(-1e8, 1e8), std::atan(1e8) / 1e8);
  EXPECT_DOUBLE_EQ(atan_quotient(-1.0, 1.0), 0.5 * half_pi);
  EXPECT_EQ(atan_quotient(0.0, 0.0), 1.0);
}

TEST(Quotients, AreOneAtZero) {
  EXPECT_EQ(sinc(0.0), 1.0);
  EXPECT_EQ(sinhc(0.0), 1.0);
  EXPECT_EQ(tanhc(0.0), 1.0);
  EXPECT_EQ(atanhc(0.0), 1.0);
  EXPECT_EQ(atanc(0.0), 1.0);
}

// (x - l)^(3/2) of a spring that does not touch yet, and its discrete gradient over the step in which it does: Newton
// matrices are made of these by dual numbers. [(1 + x)^e - (1 - x)^e]/(2 x) has the slope 2^(e-1) (e/2 - 1) at x = 1.
TEST(Quotients, OfDualNumbersWhereAPowerIsZero) {
  const auto power = [](const Dual<1>& base) {
    const Dual<1> root = sqrt(base);
    return root * (root * root);
  };
  for (const Dual<1>& base : {Dual<1>(0.0), Dual<1>::variable(0.0, 0)}) {
    EXPECT_EQ(power(base).value, 0.0);
    EXPECT_EQ(power(base).partial[0], 0.0);
  }
  EXPECT_DOUBLE_EQ(power(Dual<1>::variable(0.25, 0)).partial[0], 1.5 * 0.5);
  for (const Dual<1>& base : {Dual<1>(0.0), Dual<1>::variable(0.0, 0)}) {
    const Dual<1> other = exp(Dual<1>(1.3) * log(base));
    EXPECT_EQ(other.value, 0.0);
    EXPECT_EQ(other.partial[0], 0.0);
  }
  const double e = 2.5;
  for (const double x : {-1.0, 1.0}) {
    const Dual<1> quotient = power_quotient(Dual<1>::variable(x, 0), Dual<1>(e));
    EXPECT_DOUBLE_EQ(quotient.value, power_quotient(x, e));
    EXPECT_NEAR(quotient.partial[0], x * std::pow(2.0, e - 1.0) * (e / 2.0 - 1.0), 64 * 0x1p-52);
    EXPECT_EQ(power_quotient(Dual<1>(x), Dual<1>(e)).partial[0], 0.0);
  }
  // In the middle as by differences, which lose eps/1e-6 and are off by 1e-12 times a third derivative below 10.
  for (const double x : {-0.7, -0.2, 0.0, 0.3, 0.6, 0.9}) {
    const double step = 1e-6,
                 slope = (power_quotient(x + step, e) - power_quotient(x - step, e)) / (2.0 * step);
    EXPECT_NEAR(power_quotient(Dual<1>::variable(x, 0), Dual<1>(e)).partial[0], slope, 1e-8) << x;
  }
  EXPECT_TRUE(std::isnan(power_quotient(Dual<1>(0.5), Dual<1>::variable(e, 0)).partial[0]));
}

}  // namespace
}  // namespace livens
