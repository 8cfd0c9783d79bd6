#include "ensembles/draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "ensembles/sobol.hpp"

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
  const Draws draws(laws, 42);
  for (std::size_t k = 0; k < laws.size(); ++k) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = draws.draw(k, i);
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
  const Draws draws(laws, 9);
  // The grid law before them counts as an entry.
  EXPECT_EQ(draws.draw(1, 5), 2.0 + 4.0 * uniforms(9, 5, 1).u1);
  EXPECT_EQ(draws.draw(2, 5), 1.0 + 0.5 * standard_normal(uniforms(9, 5, 2)));
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
  const Draws draws(laws, 1);
  EXPECT_EQ(draws.draw(0, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(draws.draw(1, 0), 0.0);
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
  const Draws draws(laws, 1);
  const double slow[] = {10, 10, 10, 20, 20, 20}, fast[] = {1, 2, 3, 1, 2, 3};
  for (int i = 0; i < 14; ++i) {
    EXPECT_EQ(draws.draw(0, i), slow[i % 6]) << i;
    EXPECT_EQ(draws.draw(2, i), fast[i % 6]) << i;
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

Variation triangular() {
  Variation law = random_law(Law::triangular, -1.0, 3.0);
  law.peak = 0.0;
  return law;
}

Variation truncated(double mean, double std, double low, double high) {
  Variation law = random_law(Law::truncated_normal, mean, std);
  law.low = low;
  law.high = high;
  return law;
}

Variation each_of(Variation law, int count) {
  law.count = count;
  law.each = true;
  return law;
}

// Against the C library's error function in long double. The approximation and some 16 rounded operations
// leave a relative error of 10 epsilon in x, which moves the distribution by the density times x times that;
// u itself is known to half an ulp.
TEST(NormalQuantile, InvertsTheErrorFunction) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (double u = 1e-300; u < 1.0; u = u < 1e-3 ? u * 7.3 : u + 0.0123) {
    const double x = normal_quantile(u);
    const long double part = 0.5L * std::erfc(-static_cast<long double>(x) / std::sqrt(2.0L));
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::acos(-1.0));
    EXPECT_NEAR(static_cast<double>(part), u, 10.0 * epsilon * std::abs(x) * density + epsilon * u) << u;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  for (const double x : {-30.0, -3.0, -0.5, 0.25, 2.0})
    EXPECT_NEAR(normal_quantile(normal_distribution(x)), x, 20.0 * epsilon * std::max(1.0, std::abs(x))) << x;
  EXPECT_EQ(normal_distribution(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(normal_distribution(std::numeric_limits<double>::infinity()), 1.0);
}

// Mean and variance in closed form, and 5 standard deviations as above; none of the laws has a kurtosis above
// 9, that of the exponential one.
TEST(Laws, MeanAndVarianceOfTheFurtherOnes) {
  constexpr int n = 1 << 16;
  const std::vector<Variation> laws = {triangular(), random_law(Law::exponential, 2.5, 0.0),
                                       truncated(1.0, 2.0, 0.0, 4.0)};
  // The truncated law between alpha and beta standard deviations: phi their densities, Z the part between.
  const double alpha = -0.5, beta = 1.5;
  const auto phi = [](double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::acos(-1.0)); };
  const double z = 0.5 * (std::erf(beta / std::sqrt(2.0)) - std::erf(alpha / std::sqrt(2.0)));
  const double shift = (phi(alpha) - phi(beta)) / z;
  const double mean[] = {2.0 / 3.0, 2.5, 1.0 + 2.0 * shift};
  const double variance[] = {(1.0 + 9.0 + 3.0) / 18.0, 6.25,
                             4.0 * (1.0 + (alpha * phi(alpha) - beta * phi(beta)) / z - shift * shift)};
  for (const Design drawn : {Design::random, Design::sobol}) {
    const Draws draws(laws, 42, drawn);
    for (std::size_t k = 0; k < laws.size(); ++k) {
      double sum = 0.0, squares = 0.0;
      for (int i = 0; i < n; ++i) {
        const double x = draws.draw(k, i);
        sum += x;
        squares += (x - mean[k]) * (x - mean[k]);
      }
      EXPECT_NEAR(sum / n, mean[k], 5 * std::sqrt(variance[k] / n)) << k;
      EXPECT_NEAR(squares / n, variance[k], 5 * std::sqrt(8.0) * variance[k] / std::sqrt(n)) << k;
    }
  }
}

TEST(Laws, TruncatedKeepsItsBoundsFarFromTheMeanToo) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Variation> laws = {truncated(0.0, 1.0, 8.0, 9.0), truncated(0.0, 1.0, -9.0, -8.0),
                                       truncated(0.0, 1.0, 30.0, infinity)};
  const Draws draws(laws, 1);
  double middle = 0.0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_GE(draws.draw(0, i), 8.0);
    EXPECT_LE(draws.draw(0, i), 9.0);
    EXPECT_GE(draws.draw(1, i), -9.0);
    EXPECT_LE(draws.draw(1, i), -8.0);
    EXPECT_GE(draws.draw(2, i), 30.0);
    middle += (draws.draw(0, i) - 8.0) / 1000;
  }
  // There the law falls as exp(-8 x - x^2/2): its mean is 1/8 less some per cent of it, its spread about 1/8.
  EXPECT_NEAR(middle, 0.125 - 0.125 * 0.03, 0.125 * (0.02 + 5.0 / std::sqrt(1000.0)));
}

TEST(Each, FirstValueIsThatOfASharedDrawAndTheOthersAreTheirOwn) {
  const std::vector<Variation> laws = {each_of(random_law(Law::normal, 0.0, 1.0), 3)};
  const Draws draws(laws, 7);
  EXPECT_EQ(draws.draw(0, 5, 0), standard_normal(uniforms(7, 5, 0)));
  EXPECT_EQ(draws.draw(0, 5, 2), standard_normal(uniforms(7, 5, 0, 2)));
  const Words w = philox({5, 0, 0, 2}, 7);
  EXPECT_EQ(uniforms(7, 5, 0, 2).u1, unit(joined(w[0], w[1])));
  // Independent: the correlation of n pairs is within 5/sqrt(n) of 0.
  constexpr int n = 1 << 14;
  double product = 0.0;
  for (int i = 0; i < n; ++i) product += draws.draw(0, i, 0) * draws.draw(0, i, 1);
  EXPECT_NEAR(product / n, 0.0, 5.0 / std::sqrt(n));
}

TEST(Sobol, PointsAreThoseOfBoost) {
  constexpr int dimensions = 40;
  const std::vector<std::uint64_t> directions = sobol_directions(dimensions);
  boost::random::sobol_engine<std::uint64_t, 64> engine(dimensions);
  for (std::uint64_t n = 1; n < 3000; ++n)
    for (int k = 0; k < dimensions; ++k)
      ASSERT_EQ(sobol_point(&directions[64 * k], n), engine()) << n << ' ' << k;
  EXPECT_THROW(sobol_directions(most_sobol_dimensions + 1), std::invalid_argument);
  EXPECT_EQ(sobol_directions(most_sobol_dimensions).size(), 64u * most_sobol_dimensions);
}

// The first two dimensions are a (0, 2)-sequence: of 2^10 points that begin at a multiple of it every box of
// 2^-a by 2^-(10-a) has one. A digital shift keeps that.
TEST(Sobol, EveryBoxHasOnePoint) {
  const std::vector<Variation> laws = {each_of(random_law(Law::uniform, 0.0, 1.0), 2)};
  for (const std::uint64_t seed : {1u, 2u}) {
    const Draws draws(laws, seed, Design::sobol);
    for (int a = 0; a <= 10; ++a) {
      std::set<std::pair<int, int>> boxes;
      for (int i = 0; i < 1024; ++i)
        boxes.emplace(static_cast<int>(std::ldexp(draws.draw(0, 1024 + i, 0), a)),
                      static_cast<int>(std::ldexp(draws.draw(0, 1024 + i, 1), 10 - a)));
      EXPECT_EQ(boxes.size(), 1024u) << a;
    }
  }
  EXPECT_NE(Draws(laws, 1, Design::sobol).draw(0, 3), Draws(laws, 2, Design::sobol).draw(0, 3));
}

TEST(Sobol, PointsOfAGridHaveTheSamePointsEach) {
  const std::vector<Variation> laws = {grid_law({1.0, 2.0, 3.0}), random_law(Law::uniform, 0.0, 1.0)};
  const Draws draws(laws, 1, Design::sobol);
  EXPECT_EQ(sobol_dimensions(laws), 1);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(draws.draw(1, i), draws.draw(1, i / 3 * 3));
  EXPECT_NE(draws.draw(1, 0), draws.draw(1, 3));
}

TEST(Table, RowsAreThoseOfTheInstances) {
  const auto rows = std::make_shared<const std::vector<double>>(
      std::vector<double>{0.0, 0.1, 1.0, 1.1, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1});
  const std::vector<Variation> laws = {{.what = "initial.q[0:2]",
                                        .target = Target::q,
                                        .first = 0,
                                        .count = 2,
                                        .law = Law::table,
                                        .points = {},
                                        .rows = rows}};
  const Draws draws(laws, 1);
  const Draw part = with_rows_of(draws[0], {2, 4});
  EXPECT_EQ(part.point_count, 2);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(draws.draw(0, i, k), i + 0.1 * k);
    }
  for (int i = 2; i < 4; ++i)
    for (int k = 0; k < 2; ++k) EXPECT_EQ(drawn_by(part, i, k), draws.draw(0, i, k));
}

TEST(StandardDeviations, AreThoseOfManyDraws) {
  Variation triangular = random_law(Law::triangular, -1.0, 3.0),
            cut = random_law(Law::truncated_normal, 0.5, 2.0),
            tail = random_law(Law::truncated_normal, 0.0, 1.0);
  triangular.peak = 2.0;
  std::tie(cut.low, cut.high) = std::pair(-1.0, 2.0);
  std::tie(tail.low, tail.high) = std::pair(8.0, 100.0);
  const Variation laws[] = {random_law(Law::normal, 2.0, 0.5),
                            random_law(Law::uniform, -1.0, 2.0),
                            random_law(Law::lognormal, 0.25, 0.5),
                            random_law(Law::exponential, 0.75, 0.0),
                            triangular,
                            cut,
                            tail};
  constexpr std::int64_t count = 1 << 17;
  for (const Variation& law : laws) {
    const std::vector<Variation> all = {law};
    const Draws draws(all, 3);
    double first = 0.0, second = 0.0;
    const double about = draws.draw(0, 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const double off = draws.draw(0, i) - about;
      first += off;
      second += off * off;
    }
    const double found = std::sqrt(second / count - first / count * (first / count));
    // A fourth moment of 10 is the most there is here: 5 sqrt((10 - 1)/(4 count)).
    EXPECT_NEAR(found / standard_deviation(law), 1.0, 0.021) << static_cast<int>(law.law);
  }
}

}  // namespace
}  // namespace livens::ensembles
