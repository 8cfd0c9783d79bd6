// sin, cos, atan, log and exp stay below 2 units in the last place of the true value, tanh below 3, asin, acos,
// atan2, sinh and cosh below 4 (elementary.hpp); long double, with eleven more bits, stands for the truth.

#define LIVENS_ISA math_plain
#include "kernels/math/elementary.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace livens {
namespace {

constexpr long double half_pi = 1.57079632679489661923132169163975144L;

/// |value - exact| in units of the last place of `exact` as a double.
double ulps(double value, long double exact) {
  int exponent;
  std::frexp(static_cast<double>(exact), &exponent);
  return static_cast<double>(std::abs(value - exact) / std::ldexp(1.0L, std::max(exponent, -1021) - 53));
}

struct Worst {
  double x, ulps = 0.0;
};
Worst worst_over(const std::vector<double>& points, const std::function<double(double)>& f,
                 const std::function<long double(long double)>& exact) {
  Worst worst;
  for (const double x : points) {
    const double error = ulps(f(x), exact(x));
    if (!(error <= worst.ulps)) worst = {x, error};
  }
  return worst;
}
#define EXPECT_BELOW_2_ULP(points, f, exact)                \
  do {                                                      \
    const Worst worst = worst_over(points, f, exact);       \
    EXPECT_LT(worst.ulps, 2.0) << std::hexfloat << worst.x; \
  } while (false)

/// `count` random points, the ends and their neighbours inside.
std::vector<double> points_in(double low, double high, int count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> points{low, high, std::nextafter(low, high), std::nextafter(high, low)};
  for (int i = 0; i < count; ++i) points.push_back(uniform(random));
  return points;
}
/// Both signs of points spread evenly over the exponents.
std::vector<double> points_of_every_size(double smallest, double largest, int count) {
  std::vector<double> points;
  for (const double exponent : points_in(std::log2(smallest), std::log2(largest), count)) {
    points.push_back(std::exp2(exponent));
    points.push_back(-points.back());
  }
  return points;
}
/// The doubles on either side of odd and even multiples of pi/4: where quadrants change.
std::vector<double> points_between_quadrants(int count) {
  std::vector<double> points{0.0};
  for (int k = 1; k <= count; k += 2) {
    const double x = static_cast<double>(0.5L * k * half_pi);
    for (const double y : {std::nextafter(x, 0.0), x, std::nextafter(x, 1e9)}) {
      points.push_back(y);
      points.push_back(-y);
    }
  }
  return points;
}
/// The doubles nearest to multiples of pi/2, where a result is all cancellation.
std::vector<double> points_at_zeros(int count) {
  std::vector<double> points;
  for (int k = 1; k <= count; ++k) {
    points.push_back(static_cast<double>(k * half_pi));
    points.push_back(-points.back());
  }
  return points;
}

const auto sine = [](double x) { return sin(x); };
const auto cosine = [](double x) { return cos(x); };
const auto exact_sine = [](long double x) { return std::sin(x); };
const auto exact_cosine = [](long double x) { return std::cos(x); };

TEST(Sine, OverItsRange) {
  EXPECT_BELOW_2_ULP(points_in(-10.0, 10.0, 500000), sine, exact_sine);
  EXPECT_BELOW_2_ULP(points_in(-1e5, 1e5, 500000), sine, exact_sine);
  EXPECT_BELOW_2_ULP(points_of_every_size(1e-300, 1e5, 200000), sine, exact_sine);
  EXPECT_BELOW_2_ULP(points_between_quadrants(100000), sine, exact_sine);
}
TEST(Sine, AtItsZeros) { EXPECT_BELOW_2_ULP(points_at_zeros(60000), sine, exact_sine); }
TEST(Cosine, OverItsRange) {
  EXPECT_BELOW_2_ULP(points_in(-10.0, 10.0, 500000), cosine, exact_cosine);
  EXPECT_BELOW_2_ULP(points_in(-1e5, 1e5, 500000), cosine, exact_cosine);
  EXPECT_BELOW_2_ULP(points_of_every_size(1e-300, 1e5, 200000), cosine, exact_cosine);
  EXPECT_BELOW_2_ULP(points_between_quadrants(100000), cosine, exact_cosine);
}
TEST(Cosine, AtItsZeros) { EXPECT_BELOW_2_ULP(points_at_zeros(60000), cosine, exact_cosine); }
TEST(Cosine, OfNothingIsOne) { EXPECT_EQ(cos(0.0), 1.0); }

TEST(CosineOfTwoPi, OverOneTurn) {
  // The product 2 pi r rounds twice, so near a zero of the cosine the error is that of pi r: still relative,
  // since the reduction to r is exact.
  const auto f = [](double u) { return cos_two_pi(u); };
  const auto exact = [](long double u) {
    const long double k = std::rint(4 * u), r = (u - k / 4) * 4 * half_pi;
    switch (static_cast<int>(k) & 3) {
      case 0:
        return std::cos(r);
      case 1:
        return -std::sin(r);
      case 2:
        return -std::cos(r);
      default:
        return std::sin(r);
    }
  };
  auto points = points_in(0.0, 1.0, 500000);
  for (double edge : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}) {
    points.push_back(std::nextafter(edge, 0.0));
    points.push_back(std::nextafter(edge, 1.0));
    if (edge != 0.25 && edge != 0.75) points.push_back(edge);
  }
  EXPECT_BELOW_2_ULP(points, f, exact);
  EXPECT_EQ(cos_two_pi(0.25), 0.0);
  EXPECT_EQ(cos_two_pi(0.75), 0.0);
  EXPECT_EQ(cos_two_pi(0.5), -1.0);
  EXPECT_EQ(cos_two_pi(1.0), 1.0);
}

TEST(SineAndCosine, AreThoseComputedAlone) {
  std::vector<double> points = points_in(-100.0, 100.0, 200000);
  for (int k = -16; k <= 16; ++k)
    for (const double x : {std::nextafter(k * 0.78539816339744830962, -1e3), k * 0.78539816339744830962})
      points.push_back(x);
  for (const double x : points) {
    const auto [sine, cosine] = sine_cosine(x);
    ASSERT_EQ(sine, sin(x)) << std::hexfloat << x;
    ASSERT_EQ(cosine, cos(x)) << std::hexfloat << x;
  }
}

TEST(Arctangent, Everywhere) {
  const auto f = [](double x) { return atan(x); };
  const auto exact = [](long double x) { return std::atan(x); };
  EXPECT_BELOW_2_ULP(points_in(-4.0, 4.0, 500000), f, exact);
  EXPECT_BELOW_2_ULP(points_of_every_size(1e-300, 1e300, 200000), f, exact);
  std::vector<double> edges;
  for (const double edge : {1.0, std::sqrt(2.0) - 1.0, std::sqrt(2.0) + 1.0})
    for (const double x : {std::nextafter(edge, 0.0), edge, std::nextafter(edge, 3.0)}) edges.push_back(x);
  EXPECT_BELOW_2_ULP(edges, f, exact);
  EXPECT_EQ(atan(0.0), 0.0);
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(atan(infinity), static_cast<double>(half_pi));
  EXPECT_EQ(atan(-infinity), -static_cast<double>(half_pi));
  EXPECT_TRUE(std::isnan(atan(nan)));
}

/// |value - exact| in units of the last place of `exact` as a float; doubles stand for the truth.
double worst_of_floats(const std::vector<double>& points, float (*f)(const float&), double (*exact)(double)) {
  double worst = 0.0;
  for (const double point : points) {
    const float x = static_cast<float>(point);
    const double truth = exact(static_cast<double>(x));
    int exponent;
    std::frexp(static_cast<float>(truth), &exponent);
    const double error = std::abs(static_cast<double>(f(x)) - truth) / std::ldexp(1.0, exponent - 24);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

TEST(SinglePrecision, SineAndCosineStayBelow2Ulp) {
  const auto check = [](const std::vector<double>& points) {
    EXPECT_LT(worst_of_floats(points, sin<float>, std::sin), 2.0);
    EXPECT_LT(worst_of_floats(points, cos<float>, std::cos), 2.0);
  };
  check(points_in(-10.0, 10.0, 500000));
  check(points_in(-1e5, 1e5, 500000));
  check(points_of_every_size(1e-30, 1e5, 200000));
  check(points_at_zeros(60000));
  EXPECT_EQ(cos(0.0f), 1.0f);
}

TEST(SinglePrecision, SineAndCosineTogetherAreThoseComputedAlone) {
  for (const double point : points_in(-100.0, 100.0, 100000)) {
    const float x = static_cast<float>(point);
    const auto [sine, cosine] = sine_cosine(x);
    ASSERT_EQ(sine, sin(x)) << std::hexfloat << x;
    ASSERT_EQ(cosine, cos(x)) << std::hexfloat << x;
  }
}

TEST(SinglePrecision, ArctangentStaysBelow3Ulp) {
  // Just above 1, pi/2 - (pi/4 + atan y) with y = (a - 1)/(a + 1), a = 1/x: six roundings of half a place of
  // their result, none of which is larger than what is returned by more than a factor of two. Among the few
  // floats the worst is met, as it is not among the doubles.
  EXPECT_LT(worst_of_floats(points_in(-4.0, 4.0, 500000), atan<float>, std::atan), 3.0);
  EXPECT_LT(worst_of_floats(points_of_every_size(1e-30, 1e30, 200000), atan<float>, std::atan), 3.0);
}

TEST(Logarithm, OfNormalNumbers) {
  const auto f = [](double x) { return log(x); };
  const auto exact = [](long double x) { return std::log(x); };
  EXPECT_BELOW_2_ULP(points_in(0.5, 2.0, 500000), f, exact);
  EXPECT_BELOW_2_ULP(points_in(1.0 - 1e-6, 1.0 + 1e-6, 200000), f, exact);
  std::vector<double> points;
  for (const double x : points_of_every_size(std::numeric_limits<double>::min(), 1e308, 500000))
    if (x > 0.0) points.push_back(x);
  for (const double root : {std::sqrt(0.5), std::sqrt(2.0)})
    for (const double x : {std::nextafter(root, 0.0), root, std::nextafter(root, 2.0)}) points.push_back(x);
  points.push_back(std::numeric_limits<double>::max());
  EXPECT_BELOW_2_ULP(points, f, exact);
  EXPECT_EQ(log(1.0), 0.0);
}

TEST(Exponential, OverItsRange) {
  const auto f = [](double x) { return exp(x); };
  const auto exact = [](long double x) { return std::exp(x); };
  EXPECT_BELOW_2_ULP(points_in(-700.0, 700.0, 500000), f, exact);
  EXPECT_BELOW_2_ULP(points_in(-1.0, 1.0, 500000), f, exact);
  EXPECT_BELOW_2_ULP(points_of_every_size(1e-300, 1.0, 100000), f, exact);
  std::vector<double> edges;
  for (int k = -1000; k <= 1000; ++k) edges.push_back((k + 0.5) * 0.69314718055994530942);
  EXPECT_BELOW_2_ULP(edges, f, exact);
  EXPECT_EQ(exp(0.0), 1.0);
}

TEST(Exponential, LeavesItsRangeAsTheLibrarysDoes) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exp(709.8), infinity);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(-746.0), 0.0);
  EXPECT_EQ(exp(-infinity), 0.0);
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<double>::quiet_NaN())));
  // Below the normal numbers one more rounding, of at most one unit of the smallest.
  for (double x = -708.0; x > -745.0; x -= 0.37)
    EXPECT_NEAR(exp(x), std::exp(x), 1.01 * std::numeric_limits<double>::denorm_min()) << x;
  EXPECT_NEAR(exp(709.7) / std::exp(709.7), 1.0, 4e-16);
}
TEST(Logarithm, OutsideOfNormalNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(log(0.0), -infinity);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(std::numeric_limits<double>::quiet_NaN())));
  for (const double x : {5e-324, 1e-320, 2.2e-308}) EXPECT_DOUBLE_EQ(log(x), std::log(x));
}
TEST(HyperbolicTangent, StaysBelow3Ulp) {
  // sinh, 1 + sinh^2, its root and the quotient round: three half places of what is returned and one of sinh,
  // each of which can be a factor of two nearer to its last place than the result is.
  const auto f = [](double x) { return tanh(x); };
  const auto exact = [](long double x) { return std::tanh(x); };
  EXPECT_LT(worst_over(points_in(-2.0, 2.0, 500000), f, exact).ulps, 3.0);
  EXPECT_LT(worst_over(points_in(-30.0, 30.0, 200000), f, exact).ulps, 3.0);
  EXPECT_LT(worst_over(points_of_every_size(1e-300, 1e300, 200000), f, exact).ulps, 3.0);
  EXPECT_EQ(tanh(0.0), 0.0);
  EXPECT_EQ(tanh(std::numeric_limits<double>::infinity()), 1.0);
  EXPECT_TRUE(std::isnan(tanh(std::numeric_limits<double>::quiet_NaN())));
}
TEST(ArcsineAndArccosine, StayBelow4Ulp) {
  // 1 - x and 1 + x round where they are not exact, their product, quotient and root once each, which the
  // root halves: three half places in what the arctangent gets, and two of its own.
  const auto check = [](const std::vector<double>& points) {
    EXPECT_LT(worst_over(
                  points, [](double x) { return asin(x); }, [](long double x) { return std::asin(x); })
                  .ulps,
              4.0);
    EXPECT_LT(worst_over(
                  points, [](double x) { return acos(x); }, [](long double x) { return std::acos(x); })
                  .ulps,
              4.0);
  };
  check(points_in(-1.0, 1.0, 500000));
  check(points_of_every_size(1e-300, 1.0, 100000));
  std::vector<double> ends;
  for (const double distance : points_of_every_size(0x1p-53, 0.5, 100000)) {
    ends.push_back(distance > 0.0 ? 1.0 - distance : -1.0 - distance);
  }
  check(ends);
  EXPECT_EQ(asin(1.0), static_cast<double>(half_pi));
  EXPECT_EQ(acos(1.0), 0.0);
  EXPECT_EQ(acos(-1.0), static_cast<double>(2.0L * half_pi));
  for (const double beyond : {1.0000000000000002, -2.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(std::isnan(asin(beyond)));
    EXPECT_TRUE(std::isnan(acos(beyond)));
  }
}
TEST(AngleOfAPoint, StaysBelow4Ulp) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-300.0, 300.0), part(-1.0, 1.0);
  double worst = 0.0;
  for (int i = 0; i < 500000; ++i) {
    const double size = std::exp2(exponent(random)), y = size * part(random), x = size * part(random);
    worst = std::max(worst,
                     ulps(atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
  }
  EXPECT_LT(worst, 4.0);
}
TEST(AngleOfAPoint, OnTheAxes) {
  const double pi = static_cast<double>(2.0L * half_pi);
  EXPECT_EQ(atan2(0.0, 0.0), 0.0);
  EXPECT_EQ(atan2(0.0, 2.0), 0.0);
  EXPECT_EQ(atan2(0.0, -2.0), pi);
  EXPECT_EQ(atan2(-0.0, -2.0), pi) << "a zero has no sign";
  EXPECT_EQ(atan2(2.0, 0.0), 0.5 * pi);
  EXPECT_EQ(atan2(-2.0, -0.0), -0.5 * pi);
  EXPECT_TRUE(std::isnan(atan2(std::numeric_limits<double>::quiet_NaN(), 1.0)));
  EXPECT_TRUE(std::isnan(atan2(1.0, std::numeric_limits<double>::quiet_NaN())));
}
TEST(HyperbolicSineAndCosine, StayBelow4Ulp) {
  const auto check = [](const std::vector<double>& points) {
    EXPECT_LT(worst_over(
                  points, [](double x) { return sinh(x); }, [](long double x) { return std::sinh(x); })
                  .ulps,
              4.0);
    EXPECT_LT(worst_over(
                  points, [](double x) { return cosh(x); }, [](long double x) { return std::cosh(x); })
                  .ulps,
              4.0);
  };
  check(points_in(-2.0, 2.0, 500000));
  check(points_in(-700.0, 700.0, 200000));
  check(points_of_every_size(1e-300, 1.0, 100000));
  EXPECT_EQ(sinh(0.0), 0.0);
  EXPECT_EQ(cosh(0.0), 1.0);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sinh(-infinity), -infinity);
  EXPECT_EQ(cosh(-infinity), infinity);
  EXPECT_TRUE(std::isnan(sinh(std::numeric_limits<double>::quiet_NaN())));
}
TEST(SinglePrecision, WhatIsMadeOfTheseStaysBelow4Ulp) {
  EXPECT_LT(worst_of_floats(points_in(-1.0, 1.0, 500000), asin<float>, std::asin), 4.0);
  EXPECT_LT(worst_of_floats(points_in(-1.0, 1.0, 500000), acos<float>, std::acos), 4.0);
  EXPECT_LT(worst_of_floats(points_in(-80.0, 80.0, 500000), sinh<float>, std::sinh), 4.0);
  EXPECT_LT(worst_of_floats(points_in(-80.0, 80.0, 500000), cosh<float>, std::cosh), 4.0);
}

TEST(SinglePrecision, ExponentialAndLogarithmStayBelow2UlpAndHyperbolicTangentBelow3) {
  EXPECT_LT(worst_of_floats(points_in(-85.0, 85.0, 500000), exp<float>, std::exp), 2.0);
  EXPECT_LT(worst_of_floats(points_in(0.1, 10.0, 500000), log<float>, std::log), 2.0);
  EXPECT_LT(worst_of_floats(points_in(1.0, 1e30, 500000), log<float>, std::log), 2.0);
  EXPECT_LT(worst_of_floats(points_in(-12.0, 12.0, 500000), tanh<float>, std::tanh), 3.0);
}

}  // namespace
}  // namespace livens
