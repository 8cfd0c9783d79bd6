#include "ensembles/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ensembles/statistics.hpp"

#include "tests/ensembles/summaries.hpp"

namespace livens::ensembles {
namespace {

using Limits = std::numeric_limits<double>;

// Both signs, 40 decades, some zeros.
std::vector<double> wide_sample(std::size_t n) {
  std::mt19937_64 engine(3);
  std::vector<double> values(n);
  for (double& value : values) {
    const double mantissa = 1.0 + static_cast<double>(engine() >> 11) * 0x1p-53;
    const int exponent = static_cast<int>(engine() % 133) - 66;
    value = engine() % 50 == 0 ? 0.0 : std::ldexp(engine() % 2 == 0 ? mantissa : -mantissa, exponent);
  }
  return values;
}

TEST(Bins, SignExponentAndSixBits) {
  EXPECT_EQ(bin_of(0.0), 0);
  EXPECT_EQ(bin_of(-0.0), 0);
  EXPECT_EQ(bin_of(1.0), 1 + 1023 * 64);
  EXPECT_EQ(bin_of(std::nextafter(1.0, 0.0)), 1023 * 64);
  EXPECT_EQ(bin_of(1.0 + 1.0 / 64), 2 + 1023 * 64);
  EXPECT_EQ(bin_of(-1.0), -(1 + 1023 * 64));
  EXPECT_EQ(bin_of(Limits::denorm_min()), 1);
  EXPECT_EQ(bin_of(Limits::max()), 2047 * 64);
}

TEST(Bins, OrderedLikeTheirNumbers) {
  std::vector<double> values = wide_sample(2000);
  std::sort(values.begin(), values.end());
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_LE(bin_of(values[i - 1]), bin_of(values[i]));
}

TEST(Bins, EdgeIsTheLeastNumberOfTheBin) {
  for (const double x : {1.0, -1.0, 3.7, -3.7, 1e-300, Limits::denorm_min(), -Limits::denorm_min(),
                         Limits::max(), -Limits::max(), 5e-324 * 1000}) {
    const std::int32_t bin = bin_of(x);
    EXPECT_EQ(bin_of(bin_edge(bin)), bin) << x;
    EXPECT_LT(bin_of(std::nextafter(bin_edge(bin), -Limits::infinity())), bin) << x;
    EXPECT_EQ(bin_of(bin_middle(bin)), bin) << x;
  }
  EXPECT_EQ(bin_edge(0), 0.0);
  EXPECT_EQ(bin_middle(0), 0.0);
}

// The middle differs from x by at most half a bin; both sides of the comparison are exact.
TEST(Bins, MiddleIsWithinTheResolution) {
  for (const double x : wide_sample(5000)) {
    EXPECT_LE(std::fabs(bin_middle(bin_of(x)) - x), histogram_resolution * std::fabs(x)) << x;
  }
  EXPECT_EQ(std::fabs(bin_middle(bin_of(1.0)) - 1.0), histogram_resolution);
}

TEST(Histogram, CountsAndMerges) {
  const Histogram a = histogram(std::vector<double>{1.0, -2.0, 1.001, 0.0});
  EXPECT_EQ(a, (Histogram{{bin_of(-2.0), 1}, {0, 1}, {bin_of(1.0), 2}}));
  const Histogram b = histogram(std::vector<double>{5.0, 1.0, -0.0, -9.0});
  EXPECT_EQ(merge(a, b), histogram(std::vector<double>{1.0, -2.0, 1.001, 0.0, 5.0, 1.0, -0.0, -9.0}));
  EXPECT_EQ(merge(a, {}), a);
}

TEST(Quantile, WithinTheResolutionOfTheOrderStatistic) {
  std::vector<double> values = wide_sample(1237);
  const Summary summary = summary_of(values);
  std::sort(values.begin(), values.end());
  for (const double level : {0.0, 0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999, 1.0}) {
    const double rank = std::max(1.0, std::ceil(level * static_cast<double>(values.size())));
    const double exact = values[static_cast<std::size_t>(rank) - 1];
    EXPECT_LE(std::fabs(quantile(summary, level) - exact), histogram_resolution * std::fabs(exact)) << level;
  }
}

TEST(Quantile, RankOfALevel) {
  const Histogram counts = histogram(std::vector<double>{1.0, 2.0, 4.0, 8.0});
  EXPECT_EQ(quantile(counts, 0.0), bin_middle(bin_of(1.0)));
  EXPECT_EQ(quantile(counts, 0.25), bin_middle(bin_of(1.0)));
  EXPECT_EQ(quantile(counts, 0.26), bin_middle(bin_of(2.0)));
  EXPECT_EQ(quantile(counts, 0.5), bin_middle(bin_of(2.0)));
  EXPECT_EQ(quantile(counts, 1.0), bin_middle(bin_of(8.0)));
  EXPECT_TRUE(std::isnan(quantile(Histogram{}, 0.5)));
}

TEST(Quantile, NeverOutsideTheRange) {
  const Summary equal = summary_of(std::vector<double>(10, 1.0));
  EXPECT_EQ(quantile(equal, 0.5), 1.0);
  EXPECT_TRUE(std::isnan(quantile(Summary{}, 0.5)));
}

}  // namespace
}  // namespace livens::ensembles
