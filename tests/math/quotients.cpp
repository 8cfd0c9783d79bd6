// Difference quotients of quotients.hpp: functions below 4 units in the last place, slopes below 128, at 0
// and on both sides of where the series ends; several instances as one.

#define LIVENS_ISA math_quotients
#include "kernels/math/quotients.hpp"

#include <gtest/gtest.h>

#include <functional>
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
const Truth atanhc_truth = by_formula([](long double x) { return std::atanh(x) / x; },
                                      {1.0L, 1.0L / 3, 1.0L / 5, 1.0L / 7, 1.0L / 9});

TEST(Quotients, StayBelow4Ulp) {
  // sin x/x is relative to its largest value where it passes zero, so the range ends before.
  EXPECT_LT(worst_ulps([](double x) { return sinc(x); }, sinc_truth, 3.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return sinhc(x); }, sinhc_truth, 50.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return tanhc(x); }, tanhc_truth, 50.0), 4.0);
  EXPECT_LT(worst_ulps([](double x) { return atanhc(x); }, atanhc_truth, 0.999), 4.0);
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
}

TEST(Quotients, AreOneAtZero) {
  EXPECT_EQ(sinc(0.0), 1.0);
  EXPECT_EQ(sinhc(0.0), 1.0);
  EXPECT_EQ(tanhc(0.0), 1.0);
  EXPECT_EQ(atanhc(0.0), 1.0);
}

}  // namespace
}  // namespace livens
