#include "ensembles/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace livens::ensembles {
namespace {

Variation random_law(Law law, double a, double b) {
  return {.what = "system.mass",
          .target = Target::parameter,
          .first = 0,
          .count = 1,
          .law = law,
          .a = a,
          .b = b,
          .points = {}};
}

Variation grid_law(std::vector<double> points) {
  return {.what = "system.mass",
          .target = Target::parameter,
          .first = 0,
          .count = 1,
          .law = Law::values,
          .points = std::move(points)};
}

// The published known answers of Random123 (tests/kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, PublishedKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, ~std::uint64_t{0}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// From the words of the zero counter: exact, as a product by a power of two rounds nothing.
TEST(Uniforms, LowWordFirst) {
  const Uniforms u = uniforms(0, 0, 0);
  EXPECT_EQ(u.u1, (static_cast<double>(0xe169c58d6627e8d5 >> 11) + 0.5) * 0x1p-53);
  EXPECT_EQ(u.u2, (static_cast<double>(0x9b00dbd8bc57ac4c >> 11) + 0.5) * 0x1p-53);
}

TEST(Uniforms, CounterIsInstanceLowHighAndEntry) {
  const std::uint64_t seed = 0x0123456789abcdef;
  const Words w = philox({0x89abcdef, 0x01234567, 7, 0}, seed);
  const std::uint64_t x1 = w[0] | std::uint64_t{w[1]} << 32;
  EXPECT_EQ(uniforms(seed, 0x0123456789abcdef, 7).u1, (static_cast<double>(x1 >> 11) + 0.5) * 0x1p-53);
}

// For independent draws the estimates below are normal around their limits; 5 standard deviations of each.
TEST(Laws, MeanAndVariance) {
  constexpr int n = 1 << 16;
  const std::vector<Variation> laws = {random_law(Law::normal, 3.0, 2.0), random_law(Law::uniform, -1.0, 5.0),
                                       random_law(Law::lognormal, 0.5, 0.25)};
  const double mean[] = {3.0, 2.0, std::exp(0.5 + 0.25 * 0.25 / 2)};
  const double variance[] = {4.0, 3.0, (std::exp(0.25 * 0.25) - 1) * std::exp(1.0 + 0.25 * 0.25)};
  // Standard deviation of (x - mean)^2 over the variance: sqrt(kurtosis - 1). The kurtosis is 3, 9/5 and,
  // with w = exp(sigma^2), w^4 + 2 w^3 + 3 w^2 - 3 = 4.10.
  const double spread[] = {std::sqrt(2.0), std::sqrt(0.8), std::sqrt(3.1)};
  const Sampler sampler(laws, 42);
  for (std::size_t k = 0; k < laws.size(); ++k) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = sampler.draw(k, i);
      sum += x;
      squares += (x - mean[k]) * (x - mean[k]);
    }
    EXPECT_NEAR(sum / n, mean[k], 5 * std::sqrt(variance[k] / n)) << k;
    EXPECT_NEAR(squares / n, variance[k], 5 * spread[k] * variance[k] / std::sqrt(n)) << k;
  }
}

TEST(Laws, FormulasOfTheContract) {
  const std::vector<Variation> laws = {grid_law({1.0}), random_law(Law::uniform, 2.0, 6.0),
                                       random_law(Law::normal, 1.0, 0.5)};
  const Sampler sampler(laws, 9);
  // The grid law before them counts as an entry.
  EXPECT_EQ(sampler.draw(1, 5), 2.0 + 4.0 * uniforms(9, 5, 1).u1);
  EXPECT_EQ(sampler.draw(2, 5), 1.0 + 0.5 * standard_normal(uniforms(9, 5, 2)));
  // Against the formula in long double: 2 ulp of the logarithm, which the root halves, half an ulp each of
  // root and product, 2 ulp of a number below 1 of the cosine. In all 3 epsilon times the radius.
  const Uniforms u = uniforms(9, 5, 2);
  const long double two_pi = 6.283185307179586476925286766559005768L;
  const long double radius = std::sqrt(-2 * std::log(static_cast<long double>(u.u1)));
  const long double normal = radius * std::cos(two_pi * u.u2);
  EXPECT_NEAR(standard_normal(u), static_cast<double>(normal),
              3 * std::numeric_limits<double>::epsilon() * static_cast<double>(radius));
}

TEST(Laws, LognormalOutOfRange) {
  const std::vector<Variation> laws = {random_law(Law::lognormal, 2000.0, 1.0),
                                       random_law(Law::lognormal, -2000.0, 1.0)};
  const Sampler sampler(laws, 1);
  EXPECT_EQ(sampler.draw(0, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sampler.draw(1, 0), 0.0);
}

TEST(Modes, CombineWithTheBase) {
  EXPECT_EQ(combine(Mode::set, 3.0, 0.5), 0.5);
  EXPECT_EQ(combine(Mode::add, 3.0, 0.5), 3.5);
  EXPECT_EQ(combine(Mode::multiply, 3.0, 0.5), 1.5);
}

TEST(Grid, LastEntryIsFastestAndTheEnsembleWrapsAround) {
  const std::vector<Variation> laws = {grid_law({10.0, 20.0}), random_law(Law::uniform, 0.0, 1.0),
                                       grid_law({1.0, 2.0, 3.0})};
  EXPECT_EQ(grid_points(laws), 6);
  const Sampler sampler(laws, 1);
  const double slow[] = {10, 10, 10, 20, 20, 20}, fast[] = {1, 2, 3, 1, 2, 3};
  for (int i = 0; i < 14; ++i) {
    EXPECT_EQ(sampler.draw(0, i), slow[i % 6]) << i;
    EXPECT_EQ(sampler.draw(2, i), fast[i % 6]) << i;
  }
}

TEST(Grid, PointsWithoutGridLawsAndTooMany) {
  EXPECT_EQ(grid_points({random_law(Law::normal, 0.0, 1.0)}), 1);
  EXPECT_EQ(grid_points({}), 1);
  const Variation wide = grid_law(std::vector<double>(1 << 13));
  EXPECT_EQ(grid_points({wide, wide, wide, wide}), std::int64_t{1} << 52);
  EXPECT_THROW(grid_points({wide, wide, wide, wide, wide}), std::invalid_argument);
  EXPECT_THROW(grid_points({grid_law({})}), std::invalid_argument);
}

}  // namespace
}  // namespace livens::ensembles
