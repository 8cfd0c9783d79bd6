#include "ensembles/draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "ensembles/sobol.hpp"

namespace livens::ensembles {
namespace {

/// The truncated normal law by its quantiles: the part of the normal distribution between the bounds, taken
/// on the side of the mean where it is told by small numbers, with all their digits.
void truncate(Draw& draw, const Variation& variation) {
  draw.low = variation.low;
  draw.high = variation.high;
  double low = (variation.low - variation.a) / variation.b,
         high = (variation.high - variation.a) / variation.b;
  if (low > 0.0) {
    draw.b = -variation.b;
    std::tie(low, high) = std::pair(-high, -low);
  }
  draw.c = normal_distribution(low);
  draw.d = normal_distribution(high);
}

Draw draw_of(const Variation& variation, std::uint64_t seed, std::uint32_t entry) {
  Draw draw{.target = variation.target,
            .first = variation.first,
            .count = variation.count,
            .each = variation.each,
            .law = variation.law,
            .mode = variation.mode,
            .a = variation.a,
            .b = variation.b,
            .c = variation.peak,
            .seed = seed,
            .entry = entry};
  if (variation.law == Law::truncated_normal) truncate(draw, variation);
  if (variation.is_grid()) {
    draw.points = variation.points.data();
    draw.point_count = static_cast<std::int64_t>(variation.points.size());
  }
  if (variation.law == Law::table) {
    draw.each = true;
    draw.points = variation.rows->data();
    draw.point_count = static_cast<std::int64_t>(variation.rows->size()) / variation.count;
    draw.period = std::max(draw.point_count, std::int64_t{1});
  }
  return draw;
}

/// That of a normal law between two bounds, by integrals from where its density is largest to where it is
/// e^-40 of that: beyond there is too little to be seen.
double truncated_deviation(const Variation& variation) {
  constexpr int panels = 4096;  // the mean and the square follow to 1e-12, Simpson's rule
  const double mode = std::clamp(0.0, (variation.low - variation.a) / variation.b,
                                 (variation.high - variation.a) / variation.b),
               reach = std::sqrt(mode * mode + 80.0),
               low = std::max((variation.low - variation.a) / variation.b, -reach),
               high = std::min((variation.high - variation.a) / variation.b, reach),
               step = (high - low) / (2 * panels);
  double weight = 0.0, first = 0.0, second = 0.0;
  for (int k = 0; k <= 2 * panels; ++k) {
    const double x = low + k * step, off = x - mode,
                 density = std::exp(0.5 * (mode * mode - x * x)) * (k == 0 || k == 2 * panels ? 1.0
                                                                    : k % 2 == 1              ? 4.0
                                                                                              : 2.0);
    weight += density;
    first += density * off;
    second += density * off * off;
  }
  const double mean = first / weight;
  return variation.b * std::sqrt(std::max(second / weight - mean * mean, 0.0));
}

int values_of(const Variation& variation) { return variation.each ? variation.count : 1; }

}  // namespace

std::int64_t grid_points(const std::vector<Variation>& variations) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  std::int64_t product = 1;
  for (const Variation& variation : variations) {
    if (!variation.is_grid()) continue;
    const auto count = static_cast<std::int64_t>(variation.points.size());
    if (count == 0) throw std::invalid_argument(variation.what + ": a grid law needs at least one point");
    if (count > limit / product) throw std::invalid_argument("the grid laws span more than 2^62 points");
    product *= count;
  }
  return product;
}

double standard_deviation(const Variation& variation) {
  const double a = variation.a, b = variation.b;
  switch (variation.law) {
    case Law::uniform:
      return (b - a) / std::sqrt(12.0);
    case Law::lognormal:
      return std::exp(a + 0.5 * b * b) * std::sqrt(std::expm1(b * b));
    case Law::triangular: {
      const double left = variation.peak - a, right = b - variation.peak;
      return std::sqrt((left * left + right * right + left * right) / 18.0);
    }
    case Law::exponential:
      return a;
    case Law::truncated_normal:
      return truncated_deviation(variation);
    default:
      return b;
  }
}

double normal_distribution(double x) {
  if (x != x) return x;
  if (x > 0.0) return 1.0 - normal_distribution(-x);
  // Positive doubles are in the order of their bits.
  auto below = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::min());
  auto above = std::bit_cast<std::uint64_t>(0.5);
  if (normal_quantile(std::bit_cast<double>(below)) > x) return 0.0;
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (normal_quantile(std::bit_cast<double>(middle)) > x ? above : below) = middle;
  }
  return x < 0.0 ? std::bit_cast<double>(below) : 0.5;
}

int sobol_dimensions(const std::vector<Variation>& variations) {
  int dimensions = 0;
  for (const Variation& variation : variations)
    if (variation.is_random()) dimensions += values_of(variation);
  return dimensions;
}

Draws::Draws(const std::vector<Variation>& variations, std::uint64_t seed, Design design) {
  const std::int64_t period = grid_points(variations);
  for (const Variation& variation : variations)
    draws_.push_back(draw_of(variation, seed, static_cast<std::uint32_t>(draws_.size())));
  // The last grid law is the fastest.
  std::int64_t stride = 1;
  for (std::size_t i = draws_.size(); i-- > 0;) {
    if (!variations[i].is_grid()) continue;
    draws_[i].stride = stride;
    draws_[i].period = period;
    stride *= draws_[i].point_count;
  }
  if (design == Design::random) return;
  directions_ = sobol_directions(sobol_dimensions(variations));
  const std::uint64_t* next = directions_.data();
  for (std::size_t i = 0; i < draws_.size(); ++i) {
    if (!variations[i].is_random()) continue;
    draws_[i].directions = next;
    draws_[i].period = period;
    next += 64 * values_of(variations[i]);
  }
}

Draw with_rows_of(Draw draw, const Range& instances) {
  draw.points += (instances.first - draw.first_instance) * draw.width();
  draw.point_count = std::min(draw.point_count - (instances.first - draw.first_instance), instances.size());
  draw.first_instance = instances.first;
  draw.period = draw.point_count;
  return draw;
}

}  // namespace livens::ensembles
