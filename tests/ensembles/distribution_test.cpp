#include "ensembles/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "ensembles/statistics.hpp"
#include "tests/ensembles/summaries.hpp"

namespace livens::ensembles {
namespace {

using Limits = std::numeric_limits<double>;

/// Numbers in (0, 1), the same on every machine.
class Uniform {
 public:
  double operator()() { return std::ldexp(static_cast<double>(engine_() >> 11) + 0.5, -53); }

 private:
  std::mt19937_64 engine_{5};
};

double normal(Uniform& u) {
  const double radius = std::sqrt(-2.0 * std::log(u()));
  return radius * std::cos(2.0 * std::numbers::pi * u());
}

struct KnownLaw {
  std::string name;
  std::function<double(Uniform&, std::int64_t)> draw;
};

std::vector<KnownLaw> laws() {
  return {
      {"normal", [](Uniform& u, auto) { return normal(u); }},
      {"moved by a kilometre", [](Uniform& u, auto) { return 1000.0 + 0.5 * normal(u); }},
      {"across a power of two", [](Uniform& u, auto) { return 1024.0 + 0.5 * normal(u); }},
      {"tiny on a huge offset", [](Uniform& u, auto) { return 1e9 + 1e-6 * normal(u); }},
      {"negative", [](Uniform& u, auto) { return -1e6 - std::exp(normal(u)); }},
      {"Cauchy", [](Uniform& u, auto) { return 7.0 + std::tan(std::numbers::pi * (u() - 0.5)); }},
      {"two clusters", [](Uniform& u, auto i) { return (i % 2 == 0 ? -1e8 : 1e8) + normal(u); }},
      {"twelve decades", [](Uniform& u, auto) { return std::pow(10.0, -12.0 * u()); }},
      {"both signs over decades",
       [](Uniform& u, auto) { return (u() < 0.5 ? -1.0 : 1.0) * std::pow(10.0, 100.0 * u() - 50.0); }},
      // Whose part of 5 % varies from block to block.
      {"runaways", [](Uniform& u, auto) { return u() < 0.045 ? std::pow(10.0, 12.0 * u()) : normal(u); }},
      {"runaways on both sides",
       [](Uniform& u, auto) {
         const double part = u();
         return part < 0.045 ? 1e6 * u() : part < 0.09 ? -1e6 * u() : 3.0 + 1e-3 * normal(u);
       }},
      {"a grid", [](Uniform&, auto i) { return 5.0 + 1e-5 * static_cast<double>(i); }},
      {"one block far wider than all others",
       [](Uniform& u, auto i) { return i < block_size ? 1e6 * normal(u) : normal(u); }},
      {"whole numbers", [](Uniform& u, auto) { return std::floor(1e6 + 20.0 * u()); }},
      {"a constant and some", [](Uniform& u, auto i) { return i % 30 == 0 ? normal(u) : 9.80665; }},
      {"subnormal", [](Uniform& u, auto) { return std::floor(1000.0 * u()) * Limits::denorm_min(); }},
      {"as large as numbers are", [](Uniform& u, auto) { return Limits::max() * (2.0 * u() - 1.0); }},
  };
}

Summary tree_total(const std::vector<double>& values, bool exact = false) {
  SummaryTree tree;
  const std::span<const double> all(values);
  for (std::size_t first = 0; first < all.size(); first += block_size) {
    const auto count = std::min<std::size_t>(block_size, all.size() - first);
    Summary block = summary_of(all.subspan(first, count), static_cast<std::int64_t>(first));
    block.exact = exact;
    condense(block);
    tree.add(static_cast<std::int64_t>(first) / block_size, block);
  }
  return tree.total();
}

/// By rank, of ascending values.
double order_statistic(const std::vector<double>& ascending, double level) {
  const double rank = std::max(1.0, std::ceil(level * static_cast<double>(ascending.size())));
  return ascending[static_cast<std::size_t>(rank) - 1];
}

// The promise of the contract; halves, as some of the distances are more than the largest number.
TEST(Quantiles, WithinAHundredthOfTheDistanceFrom5To95Percent) {
  for (const KnownLaw& law : laws()) {
    SCOPED_TRACE(law.name);
    Uniform uniform;
    std::vector<double> values(60 * block_size + 77);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = law.draw(uniform, static_cast<std::int64_t>(i));
    const Summary summary = tree_total(values), exact = tree_total(values, true);
    EXPECT_LE(summary.points.size(), 5000u);
    std::sort(values.begin(), values.end());
    const double low = order_statistic(values, 0.05) / 2.0, high = order_statistic(values, 0.95) / 2.0;
    for (const double level : {0.0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0}) {
      const double right = order_statistic(values, level), half = right / 2.0;
      // Outside of 5 and 95 % only where the parts of an ensemble are of a kind.
      if (law.name.starts_with("one block") && (level < 0.05 || level > 0.95)) continue;
      const double outside = std::max({0.0, low - half, half - high});
      EXPECT_LE(std::abs(quantile(summary, level) / 2.0 - half), 0.01 * std::max(high - low, outside))
          << level << ": " << quantile(summary, level) << " for " << right << ", " << high - low;
      EXPECT_EQ(quantile(exact, level), right) << level;
    }
  }
}

// So that a fan has no steps: neighbouring levels are told apart.
TEST(Quantiles, AreManyWhereValuesAre) {
  Uniform uniform;
  std::vector<double> values(100 * block_size);
  for (double& value : values) value = 1000.0 + 0.5 * normal(uniform);
  const Summary summary = tree_total(values);
  for (double level = 0.05; level < 0.945; level += 0.01)
    EXPECT_LT(quantile(summary, level), quantile(summary, level + 0.01)) << level;
}

TEST(Quantiles, OfAFewValuesAreTheirs) {
  std::vector<double> values(most_points);
  Uniform uniform;
  for (double& value : values) value = 1e5 + normal(uniform);
  const Summary summary = tree_total(values);
  std::sort(values.begin(), values.end());
  for (const double level : {0.0, 0.3, 0.5, 1.0})
    EXPECT_EQ(quantile(summary, level), order_statistic(values, level));
}

TEST(Quantiles, RankOfALevel) {
  const Distribution points = distribution_of(std::vector<double>{1.0, 2.0, 4.0, 8.0});
  EXPECT_EQ(quantile(points, 0.0), 1.0);
  EXPECT_EQ(quantile(points, 0.25), 1.0);
  EXPECT_EQ(quantile(points, 0.26), 2.0);
  EXPECT_EQ(quantile(points, 0.5), 2.0);
  EXPECT_EQ(quantile(points, 1.0), 8.0);
  EXPECT_TRUE(std::isnan(quantile(Distribution{}, 0.5)));
  EXPECT_TRUE(std::isnan(quantile(Summary{}, 0.5)));
}

TEST(Distribution, CountsAndMerges) {
  const Distribution a = distribution_of(std::vector<double>{-2.0, 0.0, 1.0, 1.0});
  EXPECT_EQ(a, (Distribution{{-2.0, 1}, {0.0, 1}, {1.0, 2}}));
  const Distribution b = distribution_of(std::vector<double>{-9.0, 0.0, 1.0, 5.0});
  EXPECT_EQ(merge(a, b), (Distribution{{-9.0, 1}, {-2.0, 1}, {0.0, 2}, {1.0, 3}, {5.0, 1}}));
  EXPECT_EQ(merge(a, {}), a);
}

TEST(Distribution, CondensedHasTheSameInstances) {
  for (const KnownLaw& law : laws()) {
    SCOPED_TRACE(law.name);
    Uniform uniform;
    std::vector<double> values(5 * block_size);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = law.draw(uniform, static_cast<std::int64_t>(i));
    std::sort(values.begin(), values.end());
    const Distribution all = distribution_of(values), few = condensed(all);
    std::int64_t n = 0;
    for (const Point& point : few) n += point.count;
    EXPECT_EQ(n, 5 * block_size);
    EXPECT_LE(few.size(), all.size());
    for (std::size_t k = 1; k < few.size(); ++k) EXPECT_LT(few[k - 1].value, few[k].value);
  }
}

TEST(Histogram, BinsAreAPartOfTheSpread) {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(1000.0 + 1e-3 * k);
  const Histogram bins = histogram(distribution_of(values));
  // Q95 - Q5 = 0.9, and 0.9/64 lies between 2^-7 and 2^-6.
  EXPECT_EQ(bins.width, 0x1p-6);
  EXPECT_EQ(bins.bins.front().value, 1000.0);
  EXPECT_EQ(bins.bins.size(), 64u);
  std::int64_t n = 0;
  for (const Point& bin : bins.bins) {
    n += bin.count;
    EXPECT_EQ(std::fmod(bin.value, bins.width), 0.0);
  }
  EXPECT_EQ(n, 1000);
}

TEST(Histogram, WithoutASpread) {
  const Histogram constant = histogram({{0.1, 7}});
  EXPECT_EQ(constant.width, 0.0);
  EXPECT_EQ(constant.bins, (std::vector<Point>{{0.1, 7}}));
  // From 5 to 95 % nothing differs: the outermost points say how wide.
  const Histogram one_away = histogram({{0.0, 99}, {64.0, 1}});
  EXPECT_EQ(one_away.width, 1.0);
  EXPECT_EQ(one_away.bins, (std::vector<Point>{{0.0, 99}, {64.0, 1}}));
  EXPECT_TRUE(histogram({}).bins.empty());
  const Histogram least = histogram({{0.0, 1}, {Limits::denorm_min(), 1}});
  EXPECT_EQ(least.width, Limits::denorm_min());
  EXPECT_EQ(least.bins.size(), 2u);
  const Histogram largest = histogram({{-Limits::max(), 1}, {Limits::max(), 1}});
  EXPECT_EQ(largest.bins.size(), 2u);
  EXPECT_TRUE(std::isfinite(largest.bins[0].value));
}

}  // namespace
}  // namespace livens::ensembles
